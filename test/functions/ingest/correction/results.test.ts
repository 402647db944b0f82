// What the readers of an import see once its file was corrected: outcomes, results, and rows that are still invalid.
import { describe, expect, test } from 'vitest';
import { packLines } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { openRejectedTable } from '#shared/results/import-files.ts';
import { readImportProgress } from '#shared/results/progress.ts';
import { readOpenRows, readRejectedRows } from '#shared/results/rejected-rows.ts';
import { readResults, streamResultsCsv } from '#shared/results/results.ts';
import { correct, current, progressOf, sourcesOf, uploadFirst } from '../../../support/ingest/corrections.ts';
import { inbox, ingestBench } from '../../../support/ingest/ingest.ts';
import { csvOf, simAt } from '../../../support/ingest/valid-rows.ts';

describe('the rows of the first file', () => {
  test('the rejected rows of an import are those that no correction has sent, with the duplicates among them', async () => {
    const bench = ingestBench();
    const same = { msisdn: '07700900000', serialNo: '8944110068123456787' };
    const item = await bench.upload(csvOf([same, same, { tariff: '9999' }, { pac: 'nonsense' }]));
    const open = async () => {
      const rows = await readOpenRows(sourcesOf(bench), current(bench, item));
      const table = await openRejectedTable(sourcesOf(bench), rows.item, rows.sentLines);
      const cells = (await Array.fromAsync(table?.rows ?? [])).flat();
      return [rows.item.rejected, rows.item.duplicates, cells.map((row) => row.at(-2))];
    };
    expect(await open()).toEqual([3, 1, ['3', '4', '5']]);
    const [header, repeated, ...others] = bench.rejected(item).split('\r\n');
    const one = await correct(bench, [header, ...others].join('\r\n').replace('9999', '2001'), 'one');
    expect(await open()).toEqual([2, 1, ['3', '5']]);
    // As where all of its rows were to be valid: none of them was sent.
    const asPlanned = current(bench, one);
    bench.ledger.items.set(asPlanned.importId, { ...asPlanned, state: 'rejected' });
    expect(await open()).toEqual([3, 1, ['3', '4', '5']]);
    bench.ledger.items.set(asPlanned.importId, asPlanned);
    const other = repeated?.replace('07700900000', '07700900077').replace(same.serialNo, simAt(77));
    const fixed = `${header}\r\n${other}\r\n`;
    await correct(bench, fixed, 'two');
    expect(await open()).toEqual([1, 0, ['5']]);
    bench.files.remove(inbox, 'create-port/one.csv');
    expect(await open()).toEqual([3, 1, ['3', '4', '5']]);
  });

  test('files for people have the separator of the upload and a byte order mark, and are imported again like that', async () => {
    const bench = ingestBench();
    const body = csvOf([{}, { tariff: '9999', reference: 'a,b' }, {}])
      .replaceAll(/,(?!b\b)/g, ';')
      .replaceAll('"', '');
    const item = await bench.upload(body);
    expect(item).toMatchObject({ rows: 3, rejected: 1, layout: { delimiter: ';' } });
    const rejected = bench.rejected(item);
    expect(rejected).toMatch(/^\uFEFFmsisdn;serialNo;.*;reference;importId;line;errors\r\n/);
    expect(rejected).toContain(`;"a,b";${item?.importId};3;`);
    const filter = { afterLine: -1, limit: 10, codes: 'masked', matches: () => true } as const;
    const shown = await readRejectedRows(sourcesOf(bench), current(bench, item), filter);
    expect(shown?.rows).toMatchObject([{ line: 3, errors: expect.stringContaining('tariff') }]);
    const correction = await correct(bench, rejected.replace('9999', '2001'), 'rejected');
    expect(correction).toMatchObject({ rows: 1, accepted: 1, correctionOf: item?.importId });
    const results = (await Array.fromAsync(streamResultsCsv(sourcesOf(bench), current(bench, correction)))).join('');
    expect(results).toMatch(/^\uFEFFmsisdn;.*;whatToDo;bookedDate;submittedAt;completedAt\r\n/);
    expect(results.trim().split('\r\n')).toHaveLength(4);
    const answered = await correct(bench, results, 'results');
    expect(answered?.issues.map(({ code }) => code)).toContain('CORRECTION_ROW_ANSWERED');
    expect(answered).toMatchObject({ rows: 3, accepted: 0, rejected: 3 });
  });

  test('rows that only repeat an earlier number are duplicates, also once the file is corrected', async () => {
    const bench = ingestBench();
    const same = { msisdn: '07700900000', serialNo: '8944110068123456787' };
    const item = await bench.upload(csvOf([same, {}, same, { ...same, tariff: '9999' }, { msisdn: '07700900000' }]));
    expect(item).toMatchObject({ rows: 5, accepted: 2, rejected: 3, duplicates: 2 });
    expect(await progressOf(bench, item)).toEqual({ rows: 5, waiting: 2, duplicate: 2, rejected: 1 });
    const results = await Array.fromAsync(readResults(sourcesOf(bench), current(bench, item)));
    expect(results.map(({ outcome }) => outcome)).toEqual(['waiting', 'waiting', 'duplicate', 'rejected', 'duplicate']);
    expect(results[2]).toMatchObject({ message: expect.stringContaining('is already on line 2'), status: '' });
    // Line 6 had a wrong number; the row of line 4 is imported again as it is, and is still a duplicate.
    const [header, third, , last] = bench.rejected(item).split('\r\n');
    const fixed = `${header}\r\n${third}\r\n${last?.replace('07700900000', '07700900077')}\r\n`;
    const correction = await correct(bench, fixed, 'rejected');
    expect(correction).toMatchObject({ rows: 2, accepted: 1, duplicates: 1 });
    // Nothing of the correction is sent: the rows keep their outcome.
    bench.ledger.items.set(correction?.importId ?? '', { ...current(bench, correction), state: 'rejected' });
    expect(await progressOf(bench, item)).toEqual({ rows: 5, waiting: 2, duplicate: 2, rejected: 1 });
    bench.ledger.items.set(correction?.importId ?? '', { ...current(bench, correction), state: 'submitting' });
    expect(await progressOf(bench, item)).toEqual({ rows: 5, waiting: 3, duplicate: 1, rejected: 1 });
  });

  test('the results of a correction are those of the first file: each row once, without columns of simporter', async () => {
    const bench = ingestBench();
    const { rejected } = await uploadFirst(bench);
    const correction = await correct(bench, rejected.replace('9999', '2001'), 'rejected');
    const results = await Array.fromAsync(readResults(sourcesOf(bench), current(bench, correction)));
    expect(results.map(({ line, outcome }) => [line, outcome])).toEqual([
      [2, 'waiting'],
      [3, 'waiting'],
      [4, 'waiting'],
      [5, 'rejected'],
      [6, 'waiting'],
    ]);
    expect(Object.keys(results[0]?.columns ?? {})).toContain('Cost centre');
    expect(Object.keys(results[0]?.columns ?? {})).not.toContain('importId');
  });

  test('of two corrections that were read at the same time, a later decline hides no success', async () => {
    const bench = ingestBench();
    const { item, rejected } = await uploadFirst(bench);
    const fixed = rejected.replace('9999', '2001').replace('nonsense', 'ABC123456');
    const first = current(bench, await correct(bench, fixed, 'one'));
    bench.ledger.items.delete(first.importId);
    const second = current(bench, await correct(bench, fixed, 'two'));
    bench.ledger.items.delete(second.importId);
    for (const correction of [first, second]) bench.ledger.items.set(correction.importId, correction);
    expect([first.accepted, second.accepted]).toEqual([2, 2]);
    const end = (importId: string, changes: Partial<RequestItem>) => {
      for (const [key, request] of bench.ledger.planned) {
        const lines = packLines(Array.from({ length: request.rowCount }, (_, index) => index + 2));
        if (request.importId === importId) bench.ledger.planned.set(key, { ...request, lines, ...changes });
      }
    };
    end(first.importId, { state: 'accepted', ticket: 'done' });
    end(second.importId, { state: 'declined', error: { kind: 'rejected', message: 'already there' } });
    expect(await progressOf(bench, item)).toEqual({ rows: 5, waiting: 3, accepted: 2 });
    const results = await Array.fromAsync(readResults(sourcesOf(bench), current(bench, item)));
    expect(results.filter(({ portId }) => portId === 'done').map(({ line }) => line)).toEqual([3, 5]);
  });

  test('a validation of a correction changes no answer', async () => {
    const bench = ingestBench();
    const { item, rejected } = await uploadFirst(bench);
    await bench.upload(rejected.replace('9999', '2001'), { key: 'plan/create-port/rejected.csv' });
    expect(await progressOf(bench, item)).toEqual({ rows: 5, waiting: 3, rejected: 2 });
    expect(await readImportProgress(sourcesOf(bench), current(bench, item))).toMatchObject({
      outcomes: { rejected: 2 },
    });
  });

  test('a page of invalid rows can begin behind the first batch that is read of the file', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf(Array.from({ length: 3_000 }, () => ({ tariff: '9999' }))));
    const filter = { afterLine: 2_500, limit: 10, codes: 'masked', matches: () => true } as const;
    const shown = await readRejectedRows(sourcesOf(bench), current(bench, item), filter);
    expect(shown?.rows.map(({ line }) => line)).toEqual(Array.from({ length: 10 }, (_, index) => 2_501 + index));
  });
});
