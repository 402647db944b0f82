// Commands through the API: reschedule, cancel, stop and resolve.
import { expect, test } from 'vitest';
import type { AuditEntry } from '#shared/import/approval.ts';
import { createResolutions } from '#shared/store/people.ts';
import { createRequests } from '#shared/store/requests.ts';
import { settle } from '../../../chaos/drive.ts';
import { buckets, table } from '../../../chaos/pipeline.ts';
import { announceUpload } from '../../../support/api/corrections.ts';
import { operator, startApiWorld } from '../../../support/api/simulated-api.ts';
import { two } from '../../../support/api/uploads.ts';

const hour = 3_600_000;

test('ports of an import move to another date with a new import', async () => {
  const { call, send, pass, world } = startApiWorld();
  const importId = await send('july.csv', two);
  const planned = await call('POST', `/imports/${importId}/reschedule`, {
    body: { date: '2026-07-22', because: 'Holiday' },
  });
  expect(planned.status).toBe(202);
  await settle(world);
  await pass(hour);
  const moved = await call('GET', `/imports/${planned.body.importId}`);
  expect(moved.body.reschedules).toEqual({ importId, date: '2026-07-22' });
  const finished = await call('POST', `/imports/${planned.body.importId}/reschedule`, { body: { date: '2026-13-01' } });
  expect(finished.body.code).toBe('invalid-request');
});

test('selected rows are cancelled by an import that waits for approval', async () => {
  const { call, send, world } = startApiWorld();
  const importId = await send('july.csv', two);
  const planned = await call('POST', `/imports/${importId}/cancel`, { body: { lines: [3, 99] } });
  expect(planned.body).toMatchObject({ rows: 1, notCancellable: [99] });
  const stored = world.bucket.written(buckets.inbox).find(({ key }) => key.startsWith('plan/cancel-port/'));
  expect(world.bucket.text(buckets.inbox, stored?.key ?? '')).toContain(world.network.ports()[0]?.id ?? 'no port');
  const none = await call('POST', `/imports/${importId}/cancel`, { body: { lines: [99] } });
  expect(none.body.code).toBe('state-changed');
  const { body } = await call('GET', `/imports/${importId}/audit`);
  expect(body.entries.map(({ action }: { action: string }) => action)).toContain('cancelled');
});

test('the report by connection date counts the rows that are to be ported, not those that were cancelled', async () => {
  const api = startApiWorld();
  const { call, send, approve, pass } = api;
  const importId = await send('july.csv', two);
  const byDay = async () => (await call('GET', `/reports/${importId}`)).body;
  expect(await byDay()).toMatchObject({ outcomes: { 'in-progress': 2 }, byDay: [{ rows: 2, complete: 0 }] });
  const planned = await call('POST', `/imports/${importId}/cancel`, { body: {} });
  await announceUpload(api);
  await approve(planned.body.importId);
  await pass(2 * hour);
  expect(await byDay()).toMatchObject({ outcomes: { cancelled: 2 }, byDay: [] });
});

test('an import is stopped and resumed, each once, by a person who is named', async () => {
  const { call, send, pass, world } = startApiWorld();
  const importId = await send('july.csv', two);
  const give = async (what: string, body: object = {}) => {
    const reply = await call('POST', `/imports/${importId}/${what}`, { body });
    await settle(world);
    await pass(1_000);
    return reply.status;
  };
  const stopNow = async () => (await call('GET', `/imports/${importId}`)).body.stop;
  expect([await give('resume'), await give('stop', { because: 'Wrong tariff' }), await give('stop')]).toEqual([
    409, 202, 409,
  ]);
  expect(await stopNow()).toMatchObject({ by: operator.name, because: 'Wrong tariff', kind: 'until-resumed' });
  expect(await give('resume')).toBe(202);
  expect(await stopNow()).toBeNull();
  expect([await give('stop', { end: true }), await give('resume')]).toEqual([202, 409]);
  const { entries } = (await call('GET', `/imports/${importId}/audit`)).body;
  const stops = entries.flatMap(({ action }: { action: string }) => (/stop|resume/.test(action) ? action : []));
  expect(stops.toSorted()).toEqual(['resumed', 'stopped', 'stopped']);
});

test.each([
  ['approve', 'approved'],
  ['stop', 'stopped'],
  ['resume', 'resumed'],
  ['reschedule', 'rescheduled'],
  ['archive', 'archived'],
  ['dismiss', 'dismissed'],
])('the audit trail names who asked to %s an import, also where the command was not sent', async (what, action) => {
  const api = startApiWorld();
  const { call, world } = api;
  const importId = await (what === 'approve' ? api.plan('july.csv', two) : api.send('july.csv', two));
  if (what === 'resume') await call('POST', `/imports/${importId}/stop`, { body: {} });
  await settle(world);
  if (what === 'archive') for (let day = 0; day < 10; day += 1) await api.pass(24 * hour);
  const { planHash } = (await call('GET', `/imports/${importId}/plan`)).body;
  const bodies: Readonly<Record<string, object>> = {
    approve: { planHash },
    reschedule: { date: '2026-07-22' },
    dismiss: { rows: 'declined', because: 'Order 7' },
  };
  world.queue.add = () => {
    throw new Error('no connection');
  };
  expect((await call('POST', `/imports/${importId}/${what}`, { body: bodies[what] ?? {} })).status).toBe(500);
  const { entries } = (await call('GET', `/imports/${importId}/audit`)).body;
  expect(entries.filter((entry: AuditEntry) => entry.action === action)).toMatchObject([
    { actor: { by: operator.name } },
  ]);
});

test('without lines, the cancellation of every number that is in a port is planned', async () => {
  const { call, send, world } = startApiWorld();
  const importId = await send('july.csv', two);
  const planned = await call('POST', `/imports/${importId}/cancel`, { body: {} });
  expect(planned.body).toMatchObject({ rows: 2, notCancellable: [], unknownRequests: 0 });
  const stored = world.bucket.written(buckets.inbox).find(({ key }) => key.startsWith('plan/cancel-port/'));
  const lines = world.bucket
    .text(buckets.inbox, stored?.key ?? '')
    .trim()
    .split('\r\n');
  const portId = world.network.ports()[0]?.id;
  expect(lines).toEqual([
    'msisdn,portId,reference,importId,line',
    ...two.map(({ msisdn }, index) => {
      const line = index + 2;
      return `+44${msisdn.slice(1)},${portId},line ${line},${importId},${line}`;
    }),
  ]);
});

test('a request whose outcome is unknown is resolved by sync, and the answer is recorded', async () => {
  const { call, send, world } = startApiWorld();
  const importId = await send('july.csv', two);
  const requests = createRequests(world.table as never, table);
  const seen = await requests.get(importId, 1);
  if (seen === undefined) throw new Error('the import has no request');
  const { portId: _, ...unsent } = seen;
  await requests.replace(seen, { ...unsent, state: 'action-required', error: { kind: 'unknown', message: 'reset' } });
  const evidence = await call('GET', `/requests/${importId}/1`);
  expect(evidence.body).toMatchObject({ state: 'action-required', error: { message: 'reset' } });
  const wrong = await call('POST', `/requests/${importId}/1/resolve`, {
    body: { what: { kind: 'adopt', portId: 'none' } },
  });
  expect([wrong.status, wrong.body]).toEqual([202, { importId, request: 1 }]);
  const resolving = async () => (await call('GET', `/requests/${importId}/1`)).body.resolving;
  expect(await resolving()).toMatchObject({ state: 'waiting', what: 'adopt', by: operator.name });
  const second = await call('POST', `/requests/${importId}/1/resolve`, { body: { what: { kind: 'abandon' } } });
  expect(second.body.code).toBe('busy');
  await settle(world);
  expect(await resolving()).toMatchObject({ state: 'declined', why: 'the service does not know port none' });
  const what = { kind: 'adopt', portId: world.network.ports()[0]?.id };
  const right = await call('POST', `/requests/${importId}/1/resolve`, {
    body: { what, because: 'Seen in the portal' },
  });
  expect(right.status).toBe(202);
  await settle(world);
  const { body } = await call('GET', `/requests/${importId}/1`);
  expect(body).toMatchObject({ state: 'created', portId: what.portId, resolving: { state: 'carried-out' } });
  expect(body.resolution).toMatchObject({ what: 'adopt', by: operator.name });
  expect((await call('POST', `/requests/${importId}/7/resolve`, { body: { what: { kind: 'abandon' } } })).status).toBe(
    404,
  );
});

test('a resolution that sync could not be started for is carried out by its next run, once', async () => {
  const { call, send, world, pass } = startApiWorld();
  const importId = await send('july.csv', two);
  const requests = createRequests(world.table as never, table);
  const seen = await requests.get(importId, 1);
  if (seen === undefined) throw new Error('the import has no request');
  await requests.replace(seen, { ...seen, portId: undefined, state: 'action-required' });
  const command = { importId, request: 1, by: 'Olga', at: new Date(world.timeline.now()).toISOString() };
  const what = { kind: 'adopt', portId: world.network.ports()[0]?.id ?? '' } as const;
  const resolutions = createResolutions(world.table as never, table);
  expect(await resolutions.ask({ ...command, what, expiresAt: 2_000_000_000 })).toBe(true);
  await pass(60_000);
  const resolving = async () => (await call('GET', `/requests/${importId}/1`)).body.resolving;
  expect(await resolving()).toMatchObject({ state: 'carried-out' });
  // Lambda delivers the event twice, or late.
  void world.lambda.resolve({ ...command, what });
  await settle(world);
  expect(await resolving()).toMatchObject({ state: 'carried-out' });
});
