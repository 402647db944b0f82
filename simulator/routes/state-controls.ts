// The test controls that read or replace the whole state of an account: reset, seeds, snapshots, dump.
import * as z from 'zod';
import { seededAccount, seedSchema } from '../controls/seed-state.ts';
import { parseAccountData, snapshotBody } from '../controls/snapshot.ts';
import { type Dependencies, ownAccount } from '../dependencies.ts';
import { type Endpoint, endpoint, problemAnswer } from '../http/endpoint.ts';
import { problemOf } from '../http/problem.ts';
import type { Port } from '../ports/port.ts';
import { currentPort } from '../ports/read-port.ts';
import { readSims } from '../sims/sims.ts';
import { type AccountData, emptyAccount } from '../store/store.ts';
import { type ControlRouteOptions, controlsTag as tag } from './control-options.ts';
import * as examples from './examples.ts';

/** A seed or a snapshot may name what belongs to another account. @throws Problem 409 */
async function checkPortIds({ store }: Dependencies, accountId: number, { ports }: AccountData): Promise<void> {
  for (const { id } of ports) {
    const existing = await store.port(id);
    if (existing === null || existing.accountId === accountId) continue;
    throw problemOf([{ field: 'id', message: `Port ${id} is in another account.`, conflict: true }]);
  }
}

async function replaceAccount(dependencies: Dependencies, accountId: number, data: AccountData): Promise<void> {
  const { store } = dependencies;
  await checkPortIds(dependencies, accountId, data);
  const foreign = await store.replaceAccount(accountId, data);
  if (foreign.length === 0) return;
  throw problemOf(
    foreign.map((number) => ({ field: 'msisdn', message: `MSISDN ${number} is in another account.`, conflict: true })),
  );
}

const numberInUse = problemAnswer('A number belongs to another account.', 'MSISDN 447700900123 is in another account.');

const reset = ({ dependencies, controls }: ControlRouteOptions): Endpoint =>
  endpoint(
    {
      at: 'POST /_sandbox/reset',
      operationId: 'sandboxReset',
      tag,
      summary: 'Delete the ports, submissions, SIMs, faults and journal of the account, and every advance of its clock',
      accepts: {},
      answers: { 204: { description: 'The account is as it was at first.' } },
    },
    async ({ caller: { accountId } }) => {
      await replaceAccount(dependencies, accountId, emptyAccount);
      await controls.reset(accountId);
      return { status: 204 };
    },
  );

const setState = ({ dependencies }: ControlRouteOptions): Endpoint =>
  endpoint(
    {
      at: 'PUT /_sandbox/state',
      operationId: 'sandboxSetState',
      tag,
      summary: 'Replace the ports and SIMs of the account; what is left out gets a value that fits',
      accepts: { body: seedSchema },
      answers: {
        200: {
          description: 'The ids of the ports, in the order of the request.',
          schema: z.object({ portIds: z.array(z.guid()) }),
          example: { portIds: [examples.portId] },
        },
        409: numberInUse,
        422: problemAnswer('The state is not possible.', 'MSISDN 447700900123 is seeded twice', 'ports'),
      },
      example: { body: { ports: [{ status: 'Locked', rows: [{ msisdn: '07700900123' }] }] } },
    },
    async ({ body, caller }) => {
      const account = ownAccount(dependencies.catalogue, caller, caller.accountId);
      const now = dependencies.timeOf(account.accountId);
      const data = seededAccount(body, { dependencies, account, now });
      await replaceAccount(dependencies, account.accountId, data);
      return { status: 200, body: { portIds: data.ports.map(({ id }) => id) } };
    },
  );

const readSnapshot = ({ dependencies }: ControlRouteOptions): Endpoint =>
  endpoint(
    {
      at: 'GET /_sandbox/snapshot',
      operationId: 'sandboxSnapshot',
      tag,
      summary: 'Everything of the account, to be restored later',
      accepts: {},
      answers: { 200: { description: 'The snapshot. It contains PACs.', schema: snapshotBody } },
    },
    async ({ caller: { accountId } }) => {
      const now = new Date(dependencies.timeOf(accountId)).toISOString();
      return { status: 200, body: { accountId, now, data: await dependencies.store.readAccount(accountId) } };
    },
  );

const restoreSnapshot = ({ dependencies, controls }: ControlRouteOptions): Endpoint =>
  endpoint(
    {
      at: 'PUT /_sandbox/snapshot',
      operationId: 'sandboxRestoreSnapshot',
      tag,
      summary: 'Restore a snapshot of the account, its clock too',
      accepts: { body: snapshotBody },
      answers: {
        204: { description: 'The account is as it was.' },
        409: numberInUse,
        422: problemAnswer('The snapshot of another account.', 'is the snapshot of account 1002', 'accountId'),
      },
    },
    async ({ body, caller: { accountId } }) => {
      if (body.accountId !== accountId) {
        throw problemOf([{ field: 'accountId', message: `is the snapshot of account ${body.accountId}` }]);
      }
      await replaceAccount(dependencies, accountId, parseAccountData(body.data, accountId));
      await controls.advance(accountId, Date.parse(body.now) - controls.timeOf(accountId));
      return { status: 204 };
    },
  );

/** PACs stay out of dumps. */
const dumpedPort = ({ rows, version: _, ...port }: Port): unknown => ({
  ...port,
  rows: rows.map(({ pac: __, ...row }) => row),
});

const dump = ({ dependencies, controls }: ControlRouteOptions): Endpoint =>
  endpoint(
    {
      at: 'GET /_sandbox/dump',
      operationId: 'sandboxDump',
      tag,
      summary: 'Everything of the account as it is now, without PACs',
      accepts: {},
      answers: {
        200: {
          description: 'Ports with their history, newest first; submissions; every SIM that a request named.',
          schema: z.object({
            now: z.string(),
            ports: z.array(z.looseObject({})),
            submissions: z.array(z.looseObject({})),
            sims: z.array(z.looseObject({})),
          }),
        },
      },
    },
    async ({ caller: { accountId } }) => {
      const { ports, submissions, simEvents } = await dependencies.store.readAccount(accountId);
      const sims = await readSims(dependencies, [...new Set(simEvents.map(({ serialNumber }) => serialNumber))].sort());
      const body = {
        now: new Date(controls.timeOf(accountId)).toISOString(),
        ports: ports.toReversed().map((port) => dumpedPort(currentPort(dependencies, port))),
        submissions,
        sims: [...sims.values()].filter((sim) => sim.accountId === accountId),
      };
      return { status: 200, body };
    },
  );

export const stateRoutes = (options: ControlRouteOptions): Endpoint[] =>
  [reset, setState, readSnapshot, restoreSnapshot, dump].map((route) => route(options));
