// What a first import shows through the API once its rows were corrected: counts, report, rows and files.
import { expect, test } from 'vitest';
import { resultsKey } from '#shared/store/object-keys.ts';
import { settle } from '../../../chaos/drive.ts';
import { buckets } from '../../../chaos/pipeline.ts';
import { csvTextOf, rowsFrom } from '../../../chaos/scenario.ts';
import { correct, planText, readNewest, rows } from '../../../support/api/corrections.ts';
import { type ApiWorld, startApiWorld } from '../../../support/api/simulated-api.ts';
import { numberAt } from '../../../support/ingest/valid-rows.ts';

test('the first import counts each row once, with what its corrections did', async () => {
  const api = startApiWorld();
  const importId = await api.send('july.csv', rows);
  const read = async () => {
    const one = (await api.call('GET', `/imports/${importId}`)).body.outcomes;
    const { imports } = (await api.call('GET', '/imports')).body;
    const listed = imports.find((item: { importId: string }) => item.importId === importId);
    expect(listed.outcomes).toEqual(one);
    return one;
  };
  expect(await read()).toEqual({ 'in-progress': 1, rejected: 2 });
  const corrected = await correct(api, importId, [{ line: 3, cells: { pac: 'XYZ654321' } }]);
  // Not approved: nothing was sent.
  expect(await read()).toEqual({ 'in-progress': 1, rejected: 2 });
  await api.approve(corrected);
  await api.pass(3_600_000);
  expect(await read()).toEqual({ 'in-progress': 2, rejected: 1 });
  expect((await api.call('GET', `/imports/${corrected}`)).body.outcomes).toEqual({ 'in-progress': 1 });
});

test('a list has one entry for a file, which names the parts that wait, and is found by them', async () => {
  const api = startApiWorld();
  const importId = await api.send('july.csv', rows);
  const corrected = await correct(api, importId, [{ line: 3, cells: { pac: 'XYZ654321' } }]);
  const list = async (query = '') => (await api.call('GET', `/imports?${query}`)).body.imports;
  const waits = { importId, waitingParts: { correction: 1 } };
  for (const query of ['', 'state=planned', 'text=july-correction']) {
    expect(await list(query), query).toMatchObject([waits]);
    expect(await list(query), query).toHaveLength(1);
  }
  expect((await api.call('GET', `/imports/${importId}`)).body).toMatchObject(waits);
  const { first, parts } = (await api.call('GET', `/imports/${corrected}/parts`)).body;
  expect([first, ...parts]).toMatchObject([waits, { importId: corrected, waitingParts: {} }]);
  await api.call('POST', `/imports/${corrected}/archive`, { body: {} });
  await settle(api.world);
  expect(await list()).toMatchObject([{ importId, waitingParts: {} }]);
  expect(await list('state=planned')).toEqual([]);
  expect(await list('archived=true')).toEqual([]);
});

test('a list from a time has what was received at it, however precisely the time is written', async () => {
  const api = startApiWorld();
  const importId = await api.plan('july.csv', rows.slice(0, 2));
  const { receivedAt } = (await api.call('GET', `/imports/${importId}`)).body;
  const list = async (query: string) => (await api.call('GET', `/imports?${query}`)).body.imports;
  const second = `${receivedAt.slice(0, 19)}Z`;
  for (const since of [receivedAt, receivedAt.replace('Z', '0Z'), second])
    expect(await list(`since=${since}`), since).toMatchObject([{ importId }]);
  for (const before of [receivedAt, receivedAt.replace('Z', '0Z'), second])
    expect(await list(`before=${before}`), before).toEqual([]);
});

test('the first import is in progress, and expected, until its corrections are', async () => {
  const api = startApiWorld();
  const importId = await api.send('july.csv', rows.slice(0, 2));
  const corrected = await correct(api, importId, [
    { line: 3, cells: { pac: 'XYZ654321', connectionDate: '2026-07-30' } },
  ]);
  await api.approve(corrected);
  await api.pass(3_600_000);
  const read = async () => {
    const { state, outcomes, expectedDate } = (await api.call('GET', `/imports/${importId}`)).body;
    expect((await api.call('GET', `/reports/${importId}`)).body).toMatchObject({ state, outcomes });
    const listed = (await api.call('GET', `/imports?state=${state}`)).body.imports;
    expect(listed.map((item: { importId: string }) => item.importId)).toContain(importId);
    expect((await api.call('GET', `/imports/${importId}/plan`)).body.state).toBe(state);
    const changed = (await api.call('GET', '/events')).body.imports;
    expect(changed.find((item: { importId: string }) => item.importId === importId).state).toBe(state);
    return { state, outcomes, expectedDate };
  };
  const expected = { state: 'in-progress', expectedDate: '2026-07-30' };
  expect(await read()).toEqual({ ...expected, outcomes: { 'in-progress': 2 } });
  // The port of the first import ends long before that of its correction.
  await api.pass(14 * 86_400_000);
  expect(await read()).toEqual({ ...expected, outcomes: { complete: 1, 'in-progress': 1 } });
  for (let days = 0; days < 20; days += 1) await api.pass(86_400_000);
  expect(await read()).toEqual({ state: 'finished', outcomes: { complete: 2 }, expectedDate: undefined });
});

test('the first import shows a correction as soon as its messages are processed, before sync runs', async () => {
  const api = startApiWorld();
  const importId = await api.send('july.csv', rows);
  await api.pass(10 * 60_000);
  const corrected = await correct(api, importId, [{ line: 3, cells: { pac: 'XYZ654321' } }]);
  await api.approve(corrected);
  expect((await api.call('GET', `/imports/${importId}`)).body.outcomes).toEqual({ 'in-progress': 2, rejected: 1 });
  const { rows: shown } = (await api.call('GET', `/imports/${importId}/rows`)).body;
  expect(shown.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['in-progress', 'in-progress', 'rejected']);
});

test('the report counts a corrected row by its latest result and its corrected cells', async () => {
  const api = startApiWorld();
  const [first, second] = rowsFrom(0, ['ABC123456', 'ABC123457']);
  if (first === undefined || second === undefined) throw new Error('no rows');
  const importId = await api.send('july.csv', [first, { ...second, boltOns: '999' }]);
  const read = async () => (await api.call('GET', `/reports/${importId}?by=boltOns`)).body;
  expect(await read()).toMatchObject({ rows: 2, outcomes: { 'in-progress': 1, rejected: 1 } });
  const corrected = await correct(api, importId, [{ line: 3, cells: { boltOns: '101' } }]);
  await api.approve(corrected);
  await api.pass(3_600_000);
  const report = await read();
  expect(report).toMatchObject({ rows: 2, outcomes: { 'in-progress': 2 } });
  expect(report.byColumn.map(({ name, rows: count }: { name: string; rows: number }) => [name, count])).toEqual([
    ['', 1],
    ['101', 1],
  ]);
  expect(report.byDay.reduce((sum: number, { rows: count }: { rows: number }) => sum + count, 0)).toBe(2);
});

test('a corrected row is in the group of its corrected cell, whatever the file calls the column', async () => {
  const api = startApiWorld();
  const [header = '', first = '', second = ''] = csvTextOf(rowsFrom(0, ['ABC123456', 'ABC123457'])).split('\n');
  const records = [header.replace('targetNetwork', 'Target network'), first, second.replace('Mobile', 'Mobil')];
  const importId = await planText(api, records.join('\n'));
  await api.approve(importId);
  const corrected = await correct(api, importId, [{ line: 3, cells: { targetNetwork: 'UK Mobile A' } }]);
  await api.approve(corrected);
  await api.pass(3_600_000);
  const report = (await api.call('GET', `/reports/${importId}?by=Target%20network`)).body;
  expect(report.byNetwork).toMatchObject([{ name: 'UK Mobile A', rows: 2 }]);
  expect(report.byColumn).toEqual(report.byNetwork);
});

/** A file whose second number is shortened, sent with a correction of it. The file calls its columns by other names. */
async function sendCorrectedNumber(api: ApiWorld): Promise<string> {
  const [header = '', first = '', second = ''] = csvTextOf(rowsFrom(0, ['ABC123456', 'ABC123457'])).split('\n');
  const shortened = second.replace(/^\d+/, '4.477E+11');
  const importId = await planText(api, [header.replace('msisdn', 'Phone'), first, shortened].join('\n'));
  await api.approve(importId);
  await api.pass(3_600_000);
  const corrected = await correct(api, importId, [{ line: 3, cells: { msisdn: numberAt(70) } }]);
  await api.approve(corrected);
  await api.pass(3_600_000);
  return importId;
}

test('the rows of the first import show what a correction did, and its findings are gone', async () => {
  const api = startApiWorld();
  const importId = await sendCorrectedNumber(api);
  const read = async (query: string) => (await api.call('GET', `/imports/${importId}/rows${query}`)).body.rows;
  const all = await read('');
  expect(all.map(({ line, outcome }: { line: number; outcome: string }) => [line, outcome])).toEqual([
    [2, 'in-progress'],
    [3, 'in-progress'],
  ]);
  expect(all[1]).toMatchObject({ portId: expect.stringMatching(/./), issues: [] });
  expect(all[1].cells).toHaveLength(all[0].cells.length);
  expect(all[1].cells[0]).toBe(numberAt(70));
  const linesOf = (rows: { line: number }[]) => rows.map(({ line }) => line);
  expect(await read('?outcome=rejected')).toEqual([]);
  expect(await read('?code=MSISDN_EXCEL_SCIENTIFIC')).toEqual([]);
  expect(linesOf(await read('?outcome=in-progress'))).toEqual([2, 3]);
  expect(linesOf(await read(`?text=${numberAt(70)}`))).toEqual([3]);
  expect(await read('?text=4.477')).toEqual([]);
  expect((await api.call('GET', `/imports/${importId}/problems?severity=error`)).body.groups).toEqual([]);
});

test('the files of the first import have each row as it was sent, with the line of the first file', async () => {
  const api = startApiWorld();
  const importId = await sendCorrectedNumber(api);
  const { rows: shown } = (await api.call('GET', `/imports/${importId}/rows`)).body;
  const text = api.world.bucket.text(buckets.results, resultsKey(importId));
  const [header = '', ...records] = text.replace('\uFEFF', '').trimEnd().split('\r\n');
  const names = header.split(',');
  const cell = (record: string, name: string) => record.split(',')[names.indexOf(name)];
  const [first, second] = records;
  expect(records).toHaveLength(2);
  expect(['Phone', 'importId', 'line', 'outcome', 'portId'].map((name) => cell(second ?? '', name))).toEqual([
    numberAt(70),
    importId,
    '3',
    'in-progress',
    shown[1].portId,
  ]);
  expect(cell(first ?? '', 'pac')).toBe('***56');
  expect(cell(second ?? '', 'pac')).toBe('***57');
  expect(text).not.toMatch(/4\.477|rejected/);
  const { outcomes, corrections } = (await api.call('GET', `/imports/${importId}`)).body;
  expect([outcomes, corrections]).toEqual([{ 'in-progress': 2 }, { 'create-port': 0, 'update-port': 0 }]);
});

test('a number that was corrected is cancelled with the rows of the first import', async () => {
  const api = startApiWorld();
  const importId = await sendCorrectedNumber(api);
  const { status, body } = await api.call('POST', `/imports/${importId}/cancel`, { body: { lines: [3] } });
  expect(status).toBe(202);
  expect(body).toMatchObject({ rows: 1, notCancellable: [] });
  expect(await readNewest(api)).toContain(numberAt(70));
});
