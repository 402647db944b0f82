// Formulas in a file that was dropped: in the files that come back no spreadsheet runs them, and rejected.csv, dropped again,
// says what the first file said (decision 45).
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeResults } from '#functions/report/results.ts';
import { unguard } from '#shared/csv/writer.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { goodCells } from '../../support/rows-catalogue.ts';
import { type IngestBench, ingestBench, numberAt, simAt } from '../../support/rows-ingest.ts';

const ownColumns = ['Owner note', 'cost centre'];
const columns = [...Object.keys(goodCells), ...ownColumns, 'reference'];

const nasty = fc.constantFrom(
  ...['=HYPERLINK("http://x","y")', '+44 7700 900123', '+447700900123', '@x', '-1', '-1+1', "=cmd|' /C calc'!A0"],
  ...['\t=1', '\r=1', '\n=1', '\r\n@x', '＝1+1', "'=1", "''=1", "'", '=', '+', '"=1"', 'a;=1', 'a,=1', 'a\t=1', ' =1'],
);
const start = fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', "'", "'=", '＠', '"', ' ', '');
const cell = fc.oneof(
  nasty,
  fc.tuple(start, fc.string({ unit: 'grapheme-ascii', maxLength: 8 })).map((parts) => parts.join('')),
);
const row = fc.record({ note: cell, centre: cell, reference: cell, bad: fc.boolean() });

/** What a spreadsheet would calculate; a plain number stays one. */
const runs = (text: string): boolean =>
  /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^[+-]?\d[\d ]*(?:[.,]\d+)?$/.test(text);
/** As another program than ours reads it. */
const read = (text: string): string[][] => parse(text, { bom: true, relax_column_count: true });
const runningIn = (text: string): string[] => read(text).flat().filter(runs);

type Row = typeof row extends fc.Arbitrary<infer Value> ? Value : never;
const ownCells = ({ note, centre, reference }: Row): string[] => [note, centre, reference];

function fileOf(rows: readonly Row[]): string {
  const lines = rows.map((given, index) => [
    ...Object.values({
      ...goodCells,
      msisdn: numberAt(index),
      serialNo: simAt(index),
      ...(given.bad && { tariff: '9' }),
    }),
    ...ownCells(given),
  ]);
  const quoted = (cells: readonly string[]) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(',');
  return [columns, ...lines].map((cells) => `${quoted(cells)}\r\n`).join('');
}

/** The cells of our own columns and the reference, as they were meant: a guard is no part of them. */
const meantIn = (text: string): string[][] =>
  read(text)
    .slice(1)
    .map((cells) => cells.slice(Object.keys(goodCells).length, columns.length).map(unguard));

async function resultsOf(bench: IngestBench, item: ImportItem): Promise<string> {
  let text = '';
  const none = (async function* () {})();
  const sources = {
    ...{ importItem: item, columns: operationNamed('create-port')?.columns ?? [], files: bench.files },
    ...{ resultsBucket: 'results', requests: none, drifts: none, ports: { rowsOf: () => none } },
  };
  await writeResults(sources, {
    write: async (piece) => {
      text += String(piece);
    },
  });
  return text;
}

test('no cell of results.csv or rejected.csv runs, and rejected.csv dropped again says what was said before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), async (rows) => {
      const bench = ingestBench();
      const first = await bench.drop(fileOf(rows));
      if (first === undefined) throw new Error('the file was not taken');
      const results = await resultsOf(bench, first);
      expect(runningIn(results)).toEqual([]);
      expect(meantIn(results)).toEqual(rows.map((given) => ownCells(given).map(unguard)));

      const rejected = bench.rejected(first);
      expect(runningIn(rejected)).toEqual([]);
      const bad = rows.filter((_, index) => isRejected(results, index));
      expect(meantIn(rejected)).toEqual(bad.map((given) => ownCells(given).map(unguard)));

      const again = await bench.drop(rejected, { key: 'create-port/again.csv' });
      expect(again?.rejected).toBe(bad.length);
      expect(meantIn(bench.rejected(again))).toEqual(meantIn(rejected));
    }),
    { numRuns: 200 },
  );
});

const isRejected = (results: string, index: number): boolean =>
  read(results)[index + 1]?.[columns.length + 1] === 'rejected';
