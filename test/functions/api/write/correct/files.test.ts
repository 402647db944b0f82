// Corrections that are uploaded as files, with moved columns, repeated lines or lines in any order, through the API.
import { DeleteObjectCommand } from '@aws-sdk/client-s3';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { resultsIndexKey, resultsKey } from '#shared/store/object-keys.ts';
import { buckets, table } from '../../../../chaos/pipeline.ts';
import { british, correct, planText, readNewest } from '../../../../support/api/corrections.ts';
import { type ApiWorld, startApiWorld } from '../../../../support/api/simulated-api.ts';
import { numberAt, simAt } from '../../../../support/ingest/valid-rows.ts';

describe('files', () => {
  /** Two invalid rows, and their correction with the columns of simporter in front: the second row is still invalid. */
  async function planMoved(api: ApiWorld): Promise<string> {
    const [header = '', ...records] = british.replace(',ABC123456,,', ',ABC123456,999,').split('\n');
    const values = { 'set-targetnetwork': 'UK%20Mobile%20A', 'set-tariff': '2001' };
    const first = await planText(api, [header, ...records].join('\n'), values);
    const rows = records.map((record, index) => `,${first},${index + 2},${record}`);
    const fixed = rows.map((row, index) => (index === 0 ? row.replace(',999,', ',101,') : row));
    return planText(api, [`errors,importId,line,${header}`, ...fixed].join('\n'));
  }

  /** As before the first report: without its files. */
  async function removeReport({ world }: ApiWorld, importId: string): Promise<void> {
    for (const Key of [resultsKey(importId), resultsIndexKey(importId)]) {
      await world.bucket.send(new DeleteObjectCommand({ Bucket: buckets.results, Key }));
    }
    const item = world.table.items().find((one) => one.sk === 'import' && one.importId === importId);
    const { reported: _, ...Item } = item ?? {};
    await world.table.send(new PutCommand({ TableName: table, Item }));
  }

  test.each([
    ['before', removeReport],
    ['after', async () => {}],
  ] as const)('PACs of a correction with moved columns are masked %s its first report', async (_, prepare) => {
    const api = startApiWorld();
    const importId = await planMoved(api);
    await prepare(api, importId);
    const { body, text } = await api.call('GET', `/imports/${importId}/rows?outcome=rejected`);
    expect(text).not.toContain('ABC123457');
    expect(body.rows.map(({ line }: { line: number }) => line)).toEqual([3]);
    const named = body.columns.map(({ header, name }: { header: string; name: string }) => header === name);
    expect(named).toEqual(body.columns.map(() => true));
    const byPac = await api.call('GET', `/imports/${importId}/rows?outcome=rejected&text=457`);
    expect(byPac.body.rows).toEqual([]);
  });

  test('an invalid row of a correction with moved columns is fixed, and a sent one is cancelled', async () => {
    const api = startApiWorld();
    const importId = await planMoved(api);
    const corrected = await correct(api, importId, [{ line: 3, cells: { boltOns: '101' } }]);
    expect((await api.call('GET', `/imports/${corrected}`)).body).toMatchObject({ state: 'planned', accepted: 1 });
    await api.approve(importId);
    await api.pass(10 * 60_000);
    const { columns } = (await api.call('GET', `/reports/${importId}`)).body;
    expect([columns.includes('pac'), columns.includes('msisdn')]).toEqual([false, true]);
    expect((await api.call('GET', `/reports/${importId}?by=pac`)).body.code).toBe('unknown-column');
    await api.call('POST', `/imports/${importId}/cancel`, { body: { lines: [2], because: 'Order 7' } });
    expect(await readNewest(api)).toContain(`${numberAt(1)},`);
  });

  /** The rows of two imports that wait for PACs in one file: both are from line 5 of their import. */
  async function planJoined(api: ApiWorld): Promise<string> {
    const imports = [await planText(api, british), await planText(api, british)];
    const joined = imports.map((importId, index) => `${numberAt(index)},${index + 7},,,${importId},5,`);
    const text = ['msisdn,portId,pac,reason,importId,line,reference', ...joined].join('\n');
    return planText(api, text, {}, 'update-port');
  }

  test('a PAC for one of two invalid rows with the same line is declined: it could be planned for the other', async () => {
    const api = startApiWorld();
    const importId = await planJoined(api);
    const { rows: invalid } = (await api.call('GET', `/imports/${importId}/rows?outcome=rejected`)).body;
    expect(invalid.map(({ line }: { line: number }) => line)).toEqual([5, 5]);
    const fix = { rows: [{ line: 5, cells: { pac: 'XYZ654321' } }] };
    const { status, body, text } = await api.call('POST', `/imports/${importId}/corrections`, { body: fix });
    expect([status, body.code, body.changed]).toEqual([409, 'line-not-unique', { line: 5 }]);
    expect(text).not.toContain('XYZ654321');
  });

  test('of two rows that name one line of an import of another operation, one is cancelled', async () => {
    const api = startApiWorld();
    const other = await planText(api, 'msisdn,portId,pac\n07700900009,9,\n', {}, 'update-port');
    const [header = '', first = '', second = ''] = british.replaceAll(',999,Port', ',,Port').split('\n');
    const text = [`${header},importId,line`, ...[first, second].map((row) => `${row},${other},5`)].join('\n');
    const importId = await planText(api, text, { 'set-targetnetwork': 'UK%20Mobile%20A', 'set-tariff': '2001' });
    await api.approve(importId);
    await api.pass(10 * 60_000);
    const { rows: sent } = (await api.call('GET', `/imports/${importId}/rows`)).body;
    const seen = sent.map(({ line, outcome }: { line: number; outcome: string }) => [line, outcome]);
    // They are rows of their own file.
    expect(seen).toEqual([
      [2, 'in-progress'],
      [3, 'in-progress'],
    ]);
    await api.call('POST', `/imports/${importId}/cancel`, { body: { lines: [3] } });
    const cancelled = await readNewest(api);
    expect([cancelled.includes(`${numberAt(1)},`), cancelled.includes(`${numberAt(2)},`)]).toEqual([false, true]);
  });

  test('each row of a correction with lines in any order is on one page', async () => {
    const api = startApiWorld();
    const [header = '', first = '', second = ''] = british.replace(',ABC123456,,', ',ABC123456,999,').split('\n');
    const third = second.replace(numberAt(2), numberAt(3)).replace(simAt(2), simAt(3));
    const importId = await planText(api, [header, first, second, third].join('\n'));
    const records = [third, first, second].map((row, index) => `${row},${importId},${[4, 2, 3][index]}`);
    const correction = await planText(api, [`${header},importId,line`, ...records].join('\n'));
    const lines: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await api.call('GET', `/imports/${correction}/rows?limit=1${cursor}`);
      lines.push(...body.rows.map(({ line }: { line: number }) => line));
      cursor = body.nextCursor === null ? null : `&cursor=${body.nextCursor}`;
    }
    expect(lines).toEqual([4, 2, 3]);
  });
});
