// Rehearsal controls under /_sandbox; they exist only where the sandbox is enabled. Faults never hit them.
import * as z from 'zod';
import { resolvePort } from '../advance.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import type { Port } from '../port.ts';
import { asOfNow } from '../port-now.ts';
import { changePort } from '../ports.ts';
import { Problem } from '../problem.ts';
import { faultPlanSchema, faultSchema, type Sandbox } from '../sandbox.ts';
import { ownAccount, type ServiceParts } from '../service-parts.ts';

const tag = 'Sandbox';

const clockAnswer = z.object({ now: z.string(), epochMs: z.number() });
const clockBody = z.union([
  z.object({ advanceMs: z.int().min(0) }),
  z.object({ to: z.iso.datetime({ offset: true }).meta({ description: 'Not before the present.' }) }),
]);

const clockView = ({ clock }: ServiceParts): z.infer<typeof clockAnswer> => ({
  now: new Date(clock()).toISOString(),
  epochMs: clock(),
});

const readClock = (parts: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/_sandbox/clock',
      operationId: 'sandboxClock',
      tag,
      summary: "The ports' clock",
      takes: {},
      answers: { 200: { description: 'The time ports live by.', schema: clockAnswer } },
    },
    async () => ({ status: 200, body: clockView(parts) }),
  );

const moveClock = (parts: ServiceParts, sandbox: Sandbox): Endpoint =>
  endpoint(
    {
      method: 'POST',
      path: '/_sandbox/clock',
      operationId: 'sandboxMoveClock',
      tag,
      summary: "Advance the ports' clock",
      takes: { body: clockBody },
      answers: { 200: { description: 'The new time.', schema: clockAnswer } },
    },
    async ({ body }) => {
      const milliseconds = 'advanceMs' in body ? body.advanceMs : Date.parse(body.to) - parts.clock();
      if (milliseconds < 0) throw new Problem(409, 'The clock only goes forward.');
      await sandbox.advance(milliseconds);
      return { status: 200, body: clockView(parts) };
    },
  );

const planAnswer = z.object({ seed: z.int(), faults: z.array(faultSchema.extend({ hits: z.int() })) });

const planView = (sandbox: Sandbox): unknown => {
  const { plan, hits } = sandbox.plan();
  return { seed: plan.seed, faults: plan.faults.map((fault, index) => ({ ...fault, hits: hits[index] })) };
};

const readFaults = (_parts: ServiceParts, sandbox: Sandbox): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/_sandbox/faults',
      operationId: 'sandboxFaults',
      tag,
      summary: 'The faults asked for, and how often each has hit',
      takes: {},
      answers: { 200: { description: 'The plan with its hits.', schema: planAnswer } },
    },
    async () => ({ status: 200, body: planView(sandbox) }),
  );

const setFaults = (_parts: ServiceParts, sandbox: Sandbox): Endpoint =>
  endpoint(
    {
      method: 'PUT',
      path: '/_sandbox/faults',
      operationId: 'sandboxSetFaults',
      tag,
      summary: 'Replace the faults; an empty list ends them',
      takes: { body: faultPlanSchema },
      answers: { 200: { description: 'The plan as it now is.', schema: planAnswer } },
    },
    async ({ body }) => {
      await sandbox.setPlan(body);
      return { status: 200, body: planView(sandbox) };
    },
  );

const reset = (parts: ServiceParts, sandbox: Sandbox): Endpoint =>
  endpoint(
    {
      method: 'POST',
      path: '/_sandbox/reset',
      operationId: 'sandboxReset',
      tag,
      summary: 'Forget every port, submission, fault and advance of the clock',
      takes: {},
      answers: { 204: { description: 'All is as it was at first.' } },
    },
    async () => {
      await parts.store.reset();
      await sandbox.reset();
      return { status: 204 };
    },
  );

/** A port for comparing: PACs stay out of dumps. */
const dumpedPort = ({ rows, ...port }: Port): unknown => ({ ...port, rows: rows.map(({ pac: _, ...row }) => row) });

const dump = (parts: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'GET',
      path: '/_sandbox/dump',
      operationId: 'sandboxDump',
      tag,
      summary: "Everything kept for the caller's account, as it is now, without PACs",
      takes: {},
      answers: {
        200: {
          description: 'Ports with their history, and submissions.',
          schema: z.object({
            now: z.string(),
            ports: z.array(z.looseObject({})),
            submissions: z.array(z.looseObject({})),
          }),
        },
      },
    },
    async ({ caller }) => {
      const { total } = await parts.store.ports(caller.accountId, 0, 1);
      const { ports } = await parts.store.ports(caller.accountId, 0, total);
      const body = {
        now: new Date(parts.clock()).toISOString(),
        ports: ports.map((port) => dumpedPort(asOfNow(parts, port))),
        submissions: await parts.store.submissions(caller.accountId),
      };
      return { status: 200, body };
    },
  );

const resolve = (parts: ServiceParts): Endpoint =>
  endpoint(
    {
      method: 'POST',
      path: '/_sandbox/ports/{portId}/resolve',
      operationId: 'sandboxResolvePort',
      tag,
      summary: "Do what the service's operator does to a port in an error state",
      takes: { path: z.object({ portId: z.guid() }) },
      answers: { 202: { description: 'The port goes on.' } },
    },
    async ({ path, caller }) => {
      const account = ownAccount(parts.catalogue, caller, caller.accountId);
      await changePort(parts, account, path.portId, (port, now) => {
        const resolved = resolvePort(port, now);
        if (resolved === null) throw new Problem(409, `A port in status ${port.status} has nothing to resolve.`);
        return resolved;
      });
      return { status: 202 };
    },
  );

export const sandboxRoutes = (parts: ServiceParts, sandbox: Sandbox): Endpoint[] =>
  [readClock, moveClock, readFaults, setFaults, reset, dump, resolve].map((route) => route(parts, sandbox));
