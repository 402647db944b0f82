// The test controls that read or replace the whole state of an account: reset, seeds, snapshots, dump.
import * as z from 'zod';
import type { TestControls } from '../controls/controls.ts';
import { seededAccount, seedSchema } from '../controls/seed-state.ts';
import { type Dependencies, ownAccount } from '../dependencies.ts';
import { malformedRequest, problemOf } from '../http/problem.ts';
import { type Endpoint, endpointsOf, problemAnswer } from '../http/route.ts';
import { type Port, storedPort } from '../ports/port.ts';
import { currentPort } from '../ports/read-ports.ts';
import { simsOfAccount } from '../sims/sims.ts';
import { type AccountData, emptyAccount, type Owner, type SimEvent, type Submission } from '../store/store.ts';
import * as examples from './examples.ts';

export const endpoint: ReturnType<typeof endpointsOf> = endpointsOf('Sandbox');

export interface ControlRouteOptions {
  readonly dependencies: Dependencies;
  readonly controls: TestControls;
  /** The operations that a fault may name. */
  readonly operations: readonly string[];
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const accountData = z.object({
  ports: z.array(storedPort),
  simEvents: z.array(z.custom<SimEvent>(isObject)),
  provisioningOrders: z.array(
    z.object({ accountId: z.int(), networkNumber: z.int(), number: z.int(), name: z.string() }),
  ),
  submissions: z.array(z.custom<Submission>(isObject)),
  claims: z.array(z.object({ number: z.string(), owner: z.custom<Owner>(isObject) })),
});

/** Everything of an account at one moment, to be restored later or in another simulator. It is not for reading. */
const snapshotBody = z.object({
  accountId: z.int(),
  now: z.iso.datetime(),
  data: z.looseObject({}).meta({ description: 'Opaque. It contains PACs.' }),
});

/** @throws Problem 400 for data that is not from a snapshot of the account */
function parseAccountData(data: unknown, accountId: number): AccountData {
  const parsed = accountData.safeParse(data);
  if (parsed.success) {
    const { ports, simEvents, provisioningOrders, submissions } = parsed.data;
    const isForeign = (each: { readonly accountId: number }): boolean => each.accountId !== accountId;
    if (![...ports, ...simEvents, ...provisioningOrders, ...submissions].some(isForeign)) return parsed.data;
    throw malformedRequest([{ path: ['data'], message: 'has the data of another account' }], 'body');
  }
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: ['data', ...path], message }));
  throw malformedRequest(issues, 'body');
}

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
      const data = await dependencies.store.readAccount(accountId);
      const { ports, submissions } = data;
      const sims = simsOfAccount(dependencies, data);
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
