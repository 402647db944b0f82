// Resend and abandon where the port list is too long for one run: the decision is kept, and sync carries it out once
// two passes have shown which ports exist.
import { expect, test } from 'vitest';
import { resolveRequest } from '#functions/sync/resolve-request.ts';
import type { Resolution } from '#shared/request/messages.ts';
import { markActionRequired } from '#shared/request/request-state.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import { Ambiguous } from '#shared/service/errors.ts';
import { rig, services, useFreshRig } from '../../../support/steps/fresh-services.ts';
import { plannedRowOf, type Rig } from '../../../support/steps/submit-and-sync.ts';

useFreshRig();

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
type Body = Parameters<Rig['porting']['createPort']>[0];

/** The answer to Create Port was lost, and action is required. `create` answers the body that the service gets. */
const unresolved = async (create: (body: Body) => Promise<unknown> = async () => {}) => {
  const message = await rig.planOne('import-a', rows);
  const createPort = async (body: Body) => {
    await create(body);
    throw new Ambiguous('reset', { call: 'POST /api/porting/1001' });
  };
  await rig.submit(message, { client: { ...rig.porting, createPort } });
  const seen = await rig.request('import-a');
  await rig.requests.replace(seen, markActionRequired(seen, 'nobody knows', rig.service.now()));
  rig.calls.length = 0;
  return message;
};

/** There is time for one page of the list. */
const shortly = () => ({ deadline: createDeadline(() => (rig.calls.includes('listPorts') ? 20_000 : 60_000)) });

const decide = (what: Resolution['what']) =>
  resolveRequest({ importId: 'import-a', request: 1, what, by: 'Sam' }, rig.syncParts(shortly()));

test('a resend is sent after two passes, in later runs', async () => {
  // An empty list proves less.
  await rig.submit(await rig.planOne('import-b', [plannedRowOf(5, 2)]));
  const message = await unresolved();
  expect(await decide({ kind: 'resend', yes: true })).toEqual({ resolved: true, state: 'unknown', portId: null });
  const waiting = await rig.request('import-a');
  expect(waiting).toMatchObject({
    state: 'unknown',
    search: { for: 'resend' },
    resolution: { by: 'Sam', what: 'resend' },
  });
  rig.calls.length = 0;
  await rig.sync(shortly());
  expect(await rig.request('import-a')).toEqual(waiting);
  await rig.sync();
  expect(await rig.request('import-a')).toMatchObject({ state: 'planned', hasUnknownAttempt: true });
  expect(await rig.request('import-a')).not.toHaveProperty('search');
  expect(services.waiting('submit').map(({ body }) => body)).toContainEqual(message);
});

test('an abandoned request ends after two passes', async () => {
  await unresolved();
  expect(await decide({ kind: 'abandon' })).toMatchObject({ resolved: true, state: 'unknown' });
  await rig.sync();
  const request = await rig.request('import-a');
  expect(request).toMatchObject({ state: 'declined', error: { kind: 'abandoned' }, endedAt: expect.any(String) });
});

test.each([
  [{ kind: 'resend', yes: true }, 'It was not possible to resend the request: port'],
  [{ kind: 'abandon' }, 'It was not possible to abandon the request: port'],
] as const)('action is required again where the list shows its port: %j', async (what, message) => {
  await unresolved((body) => rig.porting.createPort(body));
  expect(await decide(what)).toMatchObject({ resolved: true, state: 'unknown' });
  expect(await rig.sync()).toMatchObject({ actionRequired: 1, adopted: 0 });
  const request = await rig.request('import-a');
  expect(request).toMatchObject({ state: 'action-required', error: { message: expect.stringContaining(message) } });
  expect(request.error?.message).toContain('Adopt port');
});
