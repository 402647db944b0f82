// The test controls under /_sandbox. They exist only if they are enabled, and each changes the caller's account only.
import * as z from 'zod';
import type { TestControls } from '../controls/controls.ts';
import { journalEntry, journalPattern, latestTime } from '../controls/controls.ts';
import { faultPlanSchema, faultSchema } from '../controls/faults.ts';
import { type Dependencies, ownAccount } from '../dependencies.ts';
import { malformedRequest, Problem, problemOf } from '../http/problem.ts';
import { type Caller, type Endpoint, problemAnswer } from '../http/route.ts';
import { placePort, resolvePort } from '../ports/advance-port.ts';
import { changePort } from '../ports/change-ports.ts';
import { type Port, portStatus } from '../ports/port.ts';
import * as examples from './examples.ts';
import { type ControlRouteOptions, endpoint, stateRoutes } from './state-controls.ts';

const clockAnswer = z.object({ now: z.string(), epochMs: z.number() });
export const clockBody = z.union([
  z.strictObject({ advanceMs: z.int().min(0) }),
  z.strictObject({ to: z.iso.datetime({ offset: true }).meta({ description: 'Not before the present.' }) }),
]);
const clockExample = { now: '2026-07-06T09:00:00.000Z', epochMs: 1_783_328_400_000 };

const clockView = (epochMs: number): z.infer<typeof clockAnswer> => ({
  now: new Date(epochMs).toISOString(),
  epochMs,
});

const readClock = ({ controls }: ControlRouteOptions): Endpoint =>
  endpoint(
    {
      at: 'GET /_sandbox/clock',
      operationId: 'sandboxClock',
      summary: "The account's clock",
      accepts: {},
      answers: {
        200: { description: 'The time by which ports and SIMs live.', schema: clockAnswer, example: clockExample },
      },
    },
    async ({ caller }) => ({ status: 200, body: clockView(controls.timeOf(caller.accountId)) }),
  );

const moveClock = ({ controls }: ControlRouteOptions): Endpoint =>
  endpoint(
    {
      at: 'POST /_sandbox/clock',
      operationId: 'sandboxMoveClock',
      summary: "Advance the account's clock",
      accepts: { body: clockBody },
      answers: {
        200: { description: 'The new time.', schema: clockAnswer, example: clockExample },
        409: problemAnswer('The time is in the past.', 'The clock only goes forward.'),
        422: problemAnswer('The time is too far away.', 'The clock goes to the year 8999 at most.', 'advanceMs'),
      },
      example: { body: { advanceMs: 3_600_000 } },
    },
    async ({ body, caller: { accountId } }) => {
      const now = controls.timeOf(accountId);
      const milliseconds = 'advanceMs' in body ? body.advanceMs : Date.parse(body.to) - now;
      if (milliseconds < 0) throw new Problem(409, 'The clock only goes forward.');
      if (now + milliseconds >= latestTime) {
        const field = 'advanceMs' in body ? 'advanceMs' : 'to';
        throw problemOf([{ field, message: 'The clock goes to the year 8999 at most.' }]);
      }
      await controls.advance(accountId, milliseconds);
      await controls.runLateRequests(accountId);
      return { status: 200, body: clockView(controls.timeOf(accountId)) };
    },
  );

const planAnswer = z.object({ seed: z.int(), faults: z.array(faultSchema.extend({ hits: z.int() })) });
const faultExample = { endpoint: 'createPort', rate: 1, times: 1, does: { kind: 'delivered-twice' } };
const planExample = { seed: 1, faults: [{ ...faultExample, hits: 0 }] };

const planView = (controls: TestControls, accountId: number): unknown => {
  const { plan, hits } = controls.plan(accountId);
  return { seed: plan.seed, faults: plan.faults.map((fault, index) => ({ ...fault, hits: hits[index] })) };
};

const readFaults = ({ controls }: ControlRouteOptions): Endpoint =>
  endpoint(
    {
      at: 'GET /_sandbox/faults',
      operationId: 'sandboxFaults',
      summary: 'The faults, and how often each has hit',
      accepts: {},
      answers: { 200: { description: 'The plan with its hits.', schema: planAnswer, example: planExample } },
    },
    async ({ caller }) => ({ status: 200, body: planView(controls, caller.accountId) }),
  );

const setFaults = ({ controls, operations }: ControlRouteOptions): Endpoint =>
  endpoint(
    {
      at: 'PUT /_sandbox/faults',
      operationId: 'sandboxSetFaults',
      summary: 'Replace the faults; an empty list ends them',
      accepts: { body: faultPlanSchema },
      answers: { 200: { description: 'The new plan.', schema: planAnswer, example: planExample } },
      example: { body: { seed: 1, faults: [faultExample] } },
    },
    async ({ body, caller }) => {
      const unknown = body.faults.flatMap(({ endpoint: name }, index) =>
        name === '*' || operations.includes(name)
          ? []
          : { path: ['faults', index, 'endpoint'], message: `there is no operation "${name}"` },
      );
      if (unknown.length > 0) throw malformedRequest(unknown, 'body');
      await controls.setPlan(caller.accountId, body);
      return { status: 200, body: planView(controls, caller.accountId) };
    },
  );

const portPath = z.object({ portId: z.guid() });
const noSuchPort = problemAnswer('The account has no such port.', `There is no port ${examples.portId}.`);
const portExample = { portId: examples.portId };

const changeOwnPort = (
  dependencies: Dependencies,
  caller: Caller,
  portId: string,
  change: (port: Port, now: number) => Port,
): Promise<void> => {
  const account = ownAccount(dependencies.catalogue, caller, caller.accountId);
  return changePort(dependencies, account, portId, change);
};

const resolve = ({ dependencies }: ControlRouteOptions): Endpoint =>
  endpoint(
    {
      at: 'POST /_sandbox/ports/{portId}/resolve',
      operationId: 'sandboxResolvePort',
      summary: "Resolve a port in an error state, as the service's operator does",
      accepts: { path: portPath },
      answers: {
        202: { description: 'The port continues.' },
        404: noSuchPort,
        409: problemAnswer('The port is not in an error state.', 'A port in status Created has nothing to resolve.'),
      },
      example: { path: portExample },
    },
    async ({ path, caller }) => {
      await changeOwnPort(dependencies, caller, path.portId, (port, now) => {
        const resolved = resolvePort(port, now);
        if (resolved === null) throw new Problem(409, `A port in status ${port.status} has nothing to resolve.`);
        return resolved;
      });
      return { status: 202 };
    },
  );

const setStatus = ({ dependencies }: ControlRouteOptions): Endpoint =>
  endpoint(
    {
      at: 'PUT /_sandbox/ports/{portId}/status',
      operationId: 'sandboxSetPortStatus',
      summary: 'Put a port into a status at once, its rows too',
      accepts: { path: portPath, body: z.strictObject({ status: portStatus }) },
      answers: {
        202: { description: 'The port is in this status from now on.' },
        404: noSuchPort,
        409: problemAnswer('The port is Cancelled.', 'A cancelled port has released its numbers.'),
      },
      example: { path: portExample, body: { status: 'Locked' } },
    },
    async ({ path, body, caller }) => {
      await changeOwnPort(dependencies, caller, path.portId, (port, now) => {
        if (port.status === 'Cancelled') throw new Problem(409, 'A cancelled port has released its numbers.');
        return placePort(port, body.status, now);
      });
      return { status: 202 };
    },
  );

const journalAnswer = z.object({ count: z.int(), requests: z.array(journalEntry) });
const journalExample = {
  count: 1,
  requests: [
    {
      at: clockExample.now,
      operation: 'cancelPort',
      method: 'DELETE',
      path: `/api/porting/1001/port/${examples.portId}`,
      body: null,
      status: 202,
      fault: null,
    },
  ],
};

const readJournal = ({ controls }: ControlRouteOptions): Endpoint =>
  endpoint(
    {
      at: 'GET /_sandbox/journal',
      operationId: 'sandboxJournal',
      summary: 'The requests of the account, oldest first, without PACs and secrets',
      accepts: {},
      answers: { 200: { description: 'The last 10,000.', schema: journalAnswer, example: journalExample } },
    },
    async ({ caller }) => {
      const requests = controls.journal.find(caller.accountId, {});
      return { status: 200, body: { count: requests.length, requests } };
    },
  );

const findInJournal = ({ controls }: ControlRouteOptions): Endpoint =>
  endpoint(
    {
      at: 'POST /_sandbox/journal',
      operationId: 'sandboxFindInJournal',
      summary: 'The requests that match a pattern, and how many',
      accepts: { body: journalPattern },
      answers: { 200: { description: 'The matching requests.', schema: journalAnswer, example: journalExample } },
      example: { body: { operation: 'createPort', body: { name: 'Office move' } } },
    },
    async ({ body, caller }) => {
      const requests = controls.journal.find(caller.accountId, body);
      return { status: 200, body: { count: requests.length, requests } };
    },
  );

const clearJournal = ({ controls }: ControlRouteOptions): Endpoint =>
  endpoint(
    {
      at: 'DELETE /_sandbox/journal',
      operationId: 'sandboxClearJournal',
      summary: 'Clear the journal of the account',
      accepts: {},
      answers: { 204: { description: 'The journal is empty.' } },
    },
    async ({ caller }) => {
      controls.journal.clear(caller.accountId);
      return { status: 204 };
    },
  );

const routes = [
  readClock,
  moveClock,
  readFaults,
  setFaults,
  resolve,
  setStatus,
  readJournal,
  findInJournal,
  clearJournal,
];

export const controlRoutes = (options: ControlRouteOptions): Endpoint[] => [
  ...routes.map((route) => route(options)),
  ...stateRoutes(options),
];
