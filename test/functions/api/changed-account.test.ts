// The API of an environment that works for another account than before: the imports of the account before are listed
// and read, and nothing that leads to calls of the service is done with them.
import { expect, test } from 'vitest';
import { createImports } from '#shared/store/imports.ts';
import { notify, put, settle } from '../../chaos/drive.ts';
import { account } from '../../chaos/network.ts';
import { table } from '../../chaos/pipeline.ts';
import { csvTextOf, rowsFrom } from '../../chaos/scenario.ts';
import { startApiWorld } from '../../support/api/simulated-api.ts';
import { two } from '../../support/api/uploads.ts';
import { numberAt } from '../../support/ingest/valid-rows.ts';

const other = '1002@https://another.example';
const problem =
  'This import is of account 1001 at https://porting.example, ' +
  'and simporter works for account 1002 at https://another.example';
const held = `${problem}. It is held until simporter works for that account again`;
const otherAccount = 'account 1001 at https://porting.example';

test('its imports are listed and read, and say why nothing of them goes on', async () => {
  const api = startApiWorld({ account: other });
  const importId = await api.plan('july.csv', two);
  const { imports } = (await api.call('GET', '/imports')).body;
  expect(imports).toMatchObject([{ importId, state: 'planned', otherAccount, held }]);
  expect((await api.call('GET', `/imports/${importId}`)).body).toMatchObject({ held, file: 'july.csv' });
  expect((await api.call('GET', `/imports/${importId}/plan`)).body).toMatchObject({ reasonNotToApprove: problem });
  expect((await api.call('GET', '/actions')).body.actions).toMatchObject([
    {
      kind: 'held',
      importId,
      status: 'held',
      whatToDo: held,
    },
  ]);
});

test('an import of the account of the environment is not held', async () => {
  const api = startApiWorld();
  const importId = await api.plan('july.csv', two);
  expect((await api.call('GET', `/imports/${importId}`)).body).toMatchObject({ otherAccount: null, held: null });
  expect((await api.call('GET', '/actions')).body.actions).toEqual([]);
});

test('its numbers and ports say that they are held', async () => {
  const api = startApiWorld({ account: other });
  notify(await put('create-port/july.csv', csvTextOf(rowsFrom(0, ['ABC123456'])), api.world), 0, api.world);
  await api.pass(10 * 60_000);
  const { body } = await api.call('GET', `/numbers/${numberAt(0)}`);
  expect(body).toMatchObject({ outcome: 'in-progress', whatToDo: held });
  expect((await api.call('GET', `/ports/${body.portId}`)).body).toMatchObject({ concern: held });
});

test.each([
  ['approve', 'approve', { planHash: 'any' }],
  ['resume', 'resume', {}],
  ['move its ports', 'reschedule', { date: 'auto' }],
  ['cancel its numbers', 'cancel', {}],
  ['correct its rows', 'corrections', { rows: [{ line: 2, cells: { pac: 'ABC123456' } }] }],
  ['read its file again', 'readings', { reading: 1, settings: {} }],
])('nobody can %s', async (_, command, body) => {
  const api = startApiWorld({ account: other });
  const importId = await api.plan('july.csv', two);
  const imports = createImports(api.world.table as never, table);
  const stop = { kind: 'until-resumed', by: 'Sam', at: '2026-07-06T09:00:00.000Z' } as const;
  if (command === 'resume') await imports.update(importId, { state: 'stopped', stop });
  const { planHash } = (await imports.get(importId)) ?? {};
  const calls = api.world.network.submissions();
  const reply = await api.call('POST', `/imports/${importId}/${command}`, {
    body: command === 'approve' ? { planHash } : body,
  });
  expect(reply.body).toMatchObject({ status: 409, code: 'state-changed', detail: `${problem}.` });
  await settle(api.world);
  expect(api.world.network.submissions()).toEqual(calls);
  expect(await imports.get(importId)).toMatchObject({ account });
});

test('nobody can resolve its requests', async () => {
  const api = startApiWorld({ account: other });
  const importId = await api.plan('july.csv', two);
  const reply = await api.call('POST', `/requests/${importId}/1/resolve`, { body: { what: { kind: 'abandon' } } });
  expect(reply.body).toMatchObject({ status: 409, code: 'state-changed', detail: `${problem}.` });
});

test('a person can archive it, and then it requires no action', async () => {
  const api = startApiWorld({ account: other });
  const importId = await api.plan('july.csv', two);
  expect((await api.call('POST', `/imports/${importId}/archive`, { body: {} })).status).toBe(202);
  // The index that lists imports follows later.
  await api.pass(60_000);
  expect((await api.call('GET', '/actions')).body.actions).toEqual([]);
});
