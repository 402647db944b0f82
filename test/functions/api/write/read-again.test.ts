// A draft is read again in place: with other settings, fixed cells, or without some rows. What was seen is sent.
import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { createImports } from '#shared/store/imports.ts';
import { readingKey, resultsIndexKey, resultsKey } from '#shared/store/object-keys.ts';
import { notify, put, settle } from '../../../chaos/drive.ts';
import { buckets, queueUrl, table } from '../../../chaos/pipeline.ts';
import { csvTextOf, rowsFrom } from '../../../chaos/scenario.ts';
import { planText, readAgain, rows } from '../../../support/api/corrections.ts';
import { type ApiWorld, person, startApiWorld } from '../../../support/api/simulated-api.ts';
import { numberAt, simAt } from '../../../support/ingest/valid-rows.ts';
import { importItemOf } from '../../../support/steps/submit-and-sync.ts';

/** The second PAC is a STAC, the third too short. */
const file = csvTextOf(rows);

const importOf = async ({ call }: ApiWorld, importId: string) => (await call('GET', `/imports/${importId}`)).body;
const planOf = async ({ call }: ApiWorld, importId: string) => (await call('GET', `/imports/${importId}/plan`)).body;

async function approve(api: ApiWorld, importId: string, planHash: string) {
  const answer = await api.call('POST', `/imports/${importId}/approve`, { body: { planHash } });
  await settle(api.world);
  return answer;
}

const sentNumbers = ({ world }: ApiWorld): string[] =>
  world.network
    .ports()
    .flatMap(({ rows: sent }) => sent.map(({ msisdn }) => msisdn))
    .sort();

test('fixed cells are validated with the whole file, in the same import, and are sent as they were seen', async () => {
  const api = startApiWorld();
  const importId = await planText(api, file);
  expect(await importOf(api, importId)).toMatchObject({ state: 'planned', reading: 1, accepted: 1, rejected: 2 });
  const { planHash: first } = await planOf(api, importId);
  const fixes = [
    { line: 3, cells: { pac: 'ABC123457' } },
    { line: 4, cells: { pac: 'ABC123458' } },
  ];
  const { status, body } = await readAgain(api, importId, { reading: 1, rows: fixes });
  expect([status, body]).toEqual([202, { importId, reading: 2, discardedRows: 0 }]);
  expect(await importOf(api, importId)).toMatchObject({ state: 'planned', reading: 2, accepted: 3, rejected: 0 });
  expect((await api.call('GET', '/imports')).body.imports).toHaveLength(1);
  const { planHash: second } = await planOf(api, importId);
  expect(second).not.toBe(first);
  expect((await approve(api, importId, first)).body.code).toBe('plan-changed');
  expect(sentNumbers(api)).toEqual([]);
  expect((await approve(api, importId, second)).status).toBe(202);
  expect(sentNumbers(api)).toEqual(rows.map(({ msisdn }) => msisdn).sort());
});

test('a fixed number or SIM that another row of the file has is a duplicate', async () => {
  const api = startApiWorld();
  const importId = await planText(api, file);
  const taken = [
    { line: 3, cells: { pac: 'ABC123457', msisdn: rows[0]?.msisdn ?? '' } },
    { line: 4, cells: { pac: 'ABC123458', serialNo: rows[0]?.serialNo ?? '' } },
  ];
  await readAgain(api, importId, { reading: 1, rows: taken });
  expect(await importOf(api, importId)).toMatchObject({ state: 'planned', accepted: 1, rejected: 2 });
  const { groups } = (await api.call('GET', `/imports/${importId}/problems`)).body;
  expect(groups.map(({ code }: { code: string }) => code).sort()).toEqual([
    'ICCID_DUPLICATE_IN_FILE',
    'MSISDN_DUPLICATE_IN_FILE',
    'MSISDN_ROUNDED',
  ]);
});

test('rows that are left out are not sent, are shown as such, and can be put back', async () => {
  const api = startApiWorld();
  const importId = await planText(api, csvTextOf(rowsFrom(0, ['ABC123456', 'ABC123457', 'ABC123458'])));
  await readAgain(api, importId, { reading: 1, leaveOut: [2, 3] });
  expect(await importOf(api, importId)).toMatchObject({ rows: 3, accepted: 1, rejected: 0 });
  expect((await importOf(api, importId)).outcomes).toEqual({ waiting: 1, 'not-sent': 2 });
  await readAgain(api, importId, { reading: 2, putBack: [2] });
  const { planHash } = await planOf(api, importId);
  await approve(api, importId, planHash);
  expect(sentNumbers(api)).toEqual([numberAt(0), numberAt(2)].sort());
  const { rows: shown } = (await api.call('GET', `/imports/${importId}/rows`)).body;
  const ends = shown.map(({ line, outcome, message }: Record<string, string>) => [line, outcome, message]);
  expect(ends[1]).toEqual([3, 'not-sent', 'The row was left out before the file was sent']);
});

test('of two people who change one draft the second is told, and sees the new plan', async () => {
  const api = startApiWorld();
  const importId = await planText(api, file);
  await readAgain(api, importId, { reading: 1, leaveOut: [2] });
  const late = await readAgain(api, importId, { reading: 1, rows: [{ line: 3, cells: { pac: 'ABC123457' } }] });
  expect(late.body).toMatchObject({ code: 'state-changed', changed: { reading: 2 } });
  expect(await importOf(api, importId)).toMatchObject({ reading: 2, accepted: 0 });
});

test('of two readings that were asked for at one moment one counts', async () => {
  const api = startApiWorld();
  const importId = await planText(api, file);
  await api.call('POST', `/imports/${importId}/readings`, { body: { reading: 1, leaveOut: [2] } });
  await api.call('POST', `/imports/${importId}/readings`, { body: { reading: 1, leaveOut: [3] } });
  await settle(api.world);
  expect(await importOf(api, importId)).toMatchObject({ state: expect.stringMatching(/planned|rejected/), reading: 2 });
});

test('a column that the file lacks is added for the rows that need it, also where its name means something else', async () => {
  const api = startApiWorld();
  const text = file.replace('msisdn,', 'groupName,msisdn,').replaceAll(/^(\d)/gm, 'own text,$1');
  const importId = await planText(api, text, { map: 'groupName=' });
  const cells = { pac: 'ABC123457', groupName: 'Head office' };
  await readAgain(api, importId, { rows: [{ line: 3, cells }] });
  expect(await importOf(api, importId)).toMatchObject({ state: 'planned', accepted: 2 });
  await api.approve(importId);
  const { columns } = (await api.call('GET', `/imports/${importId}/preview`)).body;
  expect(columns.filter(({ name }: { name: string }) => name === 'groupName')).toHaveLength(1);
  const names = api.world.network.ports().flatMap(({ rows: sent }) => sent.map(({ groupName }) => groupName));
  expect(names.sort()).toEqual([expect.stringContaining('Business Unlimited'), 'Head office']);
});

test('another header row discards what was changed, and says so', async () => {
  const api = startApiWorld();
  const importId = await planText(api, file);
  await readAgain(api, importId, { reading: 1, rows: [{ line: 3, cells: { pac: 'ABC123457' } }] });
  const { body } = await readAgain(api, importId, { reading: 2, settings: { headerRow: 1 } });
  expect(body).toMatchObject({ reading: 3, discardedRows: 1 });
  expect(await importOf(api, importId)).toMatchObject({ accepted: 1, rejected: 2 });
});

test('a plan that was approved is not read again', async () => {
  const api = startApiWorld();
  const importId = await planText(api, file);
  await approve(api, importId, (await planOf(api, importId)).planHash);
  expect((await readAgain(api, importId, { reading: 1, leaveOut: [2] })).body.code).toBe('state-changed');
});

test('an approval and a reading at one moment: what was seen is sent, or nothing', async () => {
  const api = startApiWorld();
  const importId = await planText(api, csvTextOf(rowsFrom(0, ['ABC123456', 'ABC123457'])));
  const { planHash } = await planOf(api, importId);
  await api.call('POST', `/imports/${importId}/readings`, { body: { reading: 1, leaveOut: [2] } });
  await api.call('POST', `/imports/${importId}/approve`, { body: { planHash } });
  await settle(api.world);
  const item = await importOf(api, importId);
  expect(item.declinedApproval?.reason ?? '').toContain(item.state === 'planned' ? 'made again' : '');
  expect(sentNumbers(api)).toEqual(item.state === 'planned' ? [] : [numberAt(0), numberAt(1)].sort());
});

test('who changes a draft is an author of it', async () => {
  const api = startApiWorld({ settings: { approval: 'two' } });
  const oscar = person('oscar@example.com', 'operator', 'approver');
  const importId = await planText(api, file);
  await readAgain(api, importId, { rows: [{ line: 3, cells: { pac: 'ABC123457' } }] }, { as: oscar });
  const { planHash } = await planOf(api, importId);
  const answer = await api.call('POST', `/imports/${importId}/approve`, { as: oscar, body: { planHash } });
  expect(answer.body.code).toBe('second-person-required');
});

/** As between a new plan and its report: the files and the item that report writes are those of the reading before. */
async function withOldReport(
  { world: { bucket, table: stored } }: ApiWorld,
  importId: string,
  read: () => Promise<unknown>,
) {
  const keys = [resultsKey(importId), resultsIndexKey(importId)];
  const bodyOf = async (Key: string) => {
    const { Body } = (await bucket.send(new GetObjectCommand({ Bucket: buckets.results, Key }))) as {
      Body: AsyncIterable<Uint8Array>;
    };
    return Buffer.concat(await Array.fromAsync(Body));
  };
  const before = await Promise.all(keys.map(bodyOf));
  await read();
  const item = stored.items().find(({ sk, importId: id }) => sk === 'import' && id === importId);
  const { reported: _, ...Item } = item ?? {};
  await stored.send(new PutCommand({ TableName: table, Item }));
  for (const [index, Key] of keys.entries()) {
    await bucket.send(new PutObjectCommand({ Bucket: buckets.results, Key, Body: before[index] ?? '' }));
  }
}

test('invalid rows are those of the last reading, also before its report', async () => {
  const api = startApiWorld();
  const importId = await planText(api, file);
  const fixes = [{ line: 3, cells: { pac: 'ABC123457' } }];
  await withOldReport(api, importId, () => readAgain(api, importId, { rows: fixes }));
  const { rows: invalid } = (await api.call('GET', `/imports/${importId}/rows?outcome=rejected`)).body;
  expect(invalid.map(({ line }: { line: number }) => line)).toEqual([4]);
});

test('the ports of a file that was read again can be moved', async () => {
  const api = startApiWorld();
  const importId = await planText(api, file);
  await readAgain(api, importId, { rows: [{ line: 3, cells: { pac: 'ABC123457' } }] });
  await approve(api, importId, (await planOf(api, importId)).planHash);
  await api.pass(3_600_000);
  const { status, body } = await api.call('POST', `/imports/${importId}/reschedule`, { body: { date: '2026-07-22' } });
  expect(status).toBe(202);
  await settle(api.world);
  for (let hours = 0; hours < 12; hours += 1) await api.pass(3_600_000);
  const { state, accepted, issues } = await importOf(api, body.importId);
  expect([state, accepted, issues]).toEqual(['in-progress', 2, []]);
});

test('a reading whose cells cannot be read for a moment is not lost', async () => {
  const api = startApiWorld();
  const importId = await planText(api, file);
  await api.call('POST', `/imports/${importId}/readings`, { body: { reading: 1, leaveOut: [2] } });
  const { bucket } = api.world;
  const { send } = bucket;
  let failures = 0;
  bucket.send = async (command) => {
    const isCells = command instanceof GetObjectCommand && command.input.Key?.includes('/.reading-');
    if (!isCells || failures > 0) return send(command);
    failures += 1;
    throw new Error('socket hang up');
  };
  await settle(api.world);
  expect([failures, (await importOf(api, importId)).reading]).toEqual([1, 2]);
});

test.each(['no JSON', '{"rows":[]}'])('a reading with %s changes nothing', async (text) => {
  const api = startApiWorld();
  const importId = await planText(api, file);
  const key = readingKey(importItemOf(importId), 'x');
  const { version: versionId, etag } = await put(key, text, api.world);
  api.world.queue.add(queueUrl('command'), { read: importId, reading: 1, input: { key, etag, versionId } });
  await settle(api.world);
  expect(await importOf(api, importId)).toMatchObject({ state: 'planned', reading: 1, accepted: 1 });
});

test('a draft is compared with other files by the rows of its last reading', async () => {
  const api = startApiWorld();
  const texts = ['serialNumber,network,message', `${simAt(1)},232,STATUS?`, `${simAt(2)},232,STATUS?`];
  const plan = (lines: readonly string[]) => planText(api, `${lines.join('\n')}\n`, {}, 'send-sms');
  const sameAs = async (importId: string): Promise<boolean> =>
    (await importOf(api, importId)).issues.some(({ code }: { code: string }) => code === 'FILE_SAME_CONTENT');
  const draft = await plan(texts);
  await readAgain(api, draft, { leaveOut: [3] });
  expect(await sameAs(await plan(texts))).toBe(false);
  expect(await sameAs(await plan(texts.slice(0, 2)))).toBe(true);
});

test('rows of an upload that the API cannot read are corrected, also where the upload waited for an approval', async () => {
  const api = startApiWorld();
  const object = await put('create-port/july.csv', csvTextOf(rowsFrom(0, ['ABC123456', 'AB1'])), api.world);
  notify(object, 0, api.world);
  await settle(api.world);
  const importId = (await api.call('GET', '/imports?limit=1')).body.imports[0].importId;
  const imports = createImports(api.world.table as unknown as DynamoDBDocumentClient, table);
  await imports.update(importId, { planOnly: true });
  const { send } = api.world.bucket;
  api.world.bucket.send = async (command) => {
    const { Key } = (command as GetObjectCommand).input;
    if (Key === object.key) throw new Error('AccessDenied');
    return send(command);
  };
  const rows = [{ line: 3, cells: { pac: 'ABC123457' } }];
  const { status } = await api.call('POST', `/imports/${importId}/corrections`, { body: { rows } });
  expect(status).toBe(202);
});
