// Formulas in an upload: no spreadsheet runs them in the files for the user, and rejected.csv, imported again, means
// the same as the first file (spec gap 45).
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { unguardFormula } from '#shared/files/csv/csv-row.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { openOutcomes } from '#shared/results/file-rows.ts';
import { csvText, resultsCsv } from '#shared/results/results-csv.ts';
import { emptyAccount } from '../../support/cli/account.ts';
import { validCells } from '../../support/ingest/catalogue.ts';
import { type IngestBench, ingestBench } from '../../support/ingest/ingest.ts';
import { numberAt, simAt } from '../../support/ingest/valid-rows.ts';

const ownColumns = ['=Owner note', 'cost centre'];
const columns = [...Object.keys(validCells), ...ownColumns, 'reference'];

const nasty = fc.constantFrom(
  '=HYPERLINK("http://x","y")',
  '+44 7700 900123',
  '+447700900123',
  '@x',
  '-1',
  '-1+1',
  "=cmd|' /C calc'!A0",
  '\t=1',
  '\r=1',
  '\n=1',
  '\r\n@x',
  '＝1+1',
  "'=1",
  "''=1",
  "'",
  '=',
  '+',
  '"=1"',
  'a;=1',
  'a,=1',
  'a\t=1',
  ' =1',
);
const start = fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', "'", "'=", '＠', '"', ' ', '');
const cell = fc.oneof(
  nasty,
  fc.tuple(start, fc.string({ unit: 'grapheme-ascii', maxLength: 8 })).map((parts) => parts.join('')),
);
const row = fc.record({ note: cell, centre: cell, reference: cell, bad: fc.boolean() });

/** Whether a spreadsheet would run the cell; a plain number is not a formula. */
const runs = (text: string): boolean =>
  /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^[+-]?\d[\d ]*(?:[.,]\d+)?$/.test(text);
/** As another program reads it. */
const read = (text: string): string[][] => parse(text, { bom: true, relax_column_count: true });
const runningIn = (text: string): string[] => read(text).flat().filter(runs);

type Row = typeof row extends fc.Arbitrary<infer Value> ? Value : never;
const ownCells = ({ note, centre, reference }: Row): string[] => [note, centre, reference];

/** An apostrophe is part of a reference; an own column, which simporter does not read, may have a guard. */
const meantCells = ({ note, centre, reference }: Row): string[] => [
  unguardFormula(note),
  unguardFormula(centre),
  reference,
];

function fileOf(rows: readonly Row[]): string {
  const lines = rows.map((given, index) => [
    ...Object.values({
      ...validCells,
      msisdn: numberAt(index),
      serialNo: simAt(index),
      ...(given.bad && { tariff: '9' }),
    }),
    ...ownCells(given),
  ]);
  const quoted = (cells: readonly string[]) => cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(',');
  return [columns, ...lines].map((cells) => `${quoted(cells)}\r\n`).join('');
}

/** The cells of the user's own columns and the reference, without formula guards. */
const meantIn = (text: string): string[][] =>
  read(text)
    .slice(1)
    .map((cells) => cells.slice(Object.keys(validCells).length, columns.length).map(unguardFormula));

async function resultsOf(bench: IngestBench, item: ImportItem): Promise<string> {
  const outcomes = await openOutcomes(item, { ...emptyAccount, files: bench.files });
  return (await Array.fromAsync(csvText(resultsCsv(outcomes), outcomes))).join('');
}

test('no cell of results.csv or rejected.csv is a formula, and rejected.csv imported again means the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 6 }), async (rows) => {
      const bench = ingestBench();
      const first = await bench.upload(fileOf(rows));
      if (first === undefined) throw new Error('the file was not taken');
      const results = await resultsOf(bench, first);
      expect(runningIn(results)).toEqual([]);
      expect(meantIn(results)).toEqual(rows.map((given) => meantCells(given)));

      const rejected = bench.rejected(first);
      expect(runningIn(rejected)).toEqual([]);
      const bad = rows.filter((_, index) => isRejected(results, index));
      expect(meantIn(rejected)).toEqual(bad.map((given) => meantCells(given)));

      const again = await bench.upload(rejected, { key: 'create-port/again.csv' });
      expect(again?.rejected).toBe(bad.length);
      expect(meantIn(bench.rejected(again))).toEqual(meantIn(rejected));
      if (bad.length > 0) expect(read(bench.rejected(again))[0]).toEqual(read(rejected)[0]);
    }),
    { numRuns: 200 },
  );
});

const isRejected = (results: string, index: number): boolean =>
  read(results)[index + 1]?.[columns.length + 2] === 'rejected';
