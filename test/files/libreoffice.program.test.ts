// Files that LibreOffice 7.4 saved, in the folder beside, and what must be sent of each: a title, merged and struck-out
// cells, hidden and filtered rows, dates as 02/07/2026, several sheets, and CSVs with each separator.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ingestBench } from '../support/ingest/ingest.ts';

interface SentRow {
  readonly line: number;
  readonly number: string;
  readonly date: string;
  readonly boltOns: readonly number[];
  readonly roaming?: string;
}

async function send(name: string, metadata: Record<string, string> = {}) {
  const bench = ingestBench();
  const content = readFileSync(join(import.meta.dirname, 'libreoffice', name));
  // Their column "Roaming" is a service that people name.
  const item = await bench.upload(content, {
    key: `create-port/${name}`,
    metadata: { map: 'Roaming=services:Roaming', ...metadata },
  });
  const sent = bench
    .plan(item)
    .flatMap(({ head, rows }) =>
      rows.map(({ line, subject }): SentRow => {
        const { connectionDate, boltOns, services } = head as {
          readonly connectionDate: string;
          readonly boltOns: number[];
          readonly services: { readonly value: string }[] | null;
        };
        const roaming = services === null ? {} : { roaming: services[0]?.value ?? '' };
        return { line, number: subject, date: connectionDate, boltOns, ...roaming };
      }),
    )
    .sort((one, other) => one.line - other.line);
  const issues = bench.issues(item);
  const errors = issues.filter(({ severity }) => severity === 'error').map(({ line, code }) => `${line} ${code}`);
  return { sent, errors, codes: issues.map(({ code }) => code), issues };
}

const numberAt = (row: number): string => `4477009001${String(row).padStart(2, '0')}`;
const row = (line: number, index: number, date: string, boltOns: number[], roaming?: string): SentRow => ({
  line,
  number: numberAt(index),
  date,
  boltOns,
  ...(roaming !== undefined && { roaming }),
});

const july: readonly SentRow[] = [
  row(4, 0, '2026-07-02', [101], 'true'),
  row(5, 1, '2026-07-02', [101], 'false'),
  row(6, 2, '2026-07-06', [101]),
  row(7, 3, '2026-07-06', [], 'true'),
  row(8, 4, '2026-07-06', [102]),
  row(9, 5, '2026-07-06', [], 'true'),
  row(10, 6, '2026-07-07', []),
];

describe('a workbook with a title, merged, struck-out, hidden and filtered rows', () => {
  test('is read whole, and names the rows that may not be meant', async () => {
    const { sent, errors, issues } = await send('july.xlsx');
    expect([sent, errors]).toEqual([july, []]);
    expect(issues.filter(({ code }) => code === 'FILE_ROWS_HIDDEN').map(({ message }) => message)).toEqual([
      expect.stringMatching(/^2 rows that the workbook hides or filters out are imported too: lines 8, 9\./),
      expect.stringMatching(/^1 row that the workbook strikes out is imported too: line 7\./),
    ]);
  });

  test('is read without those rows', async () => {
    const { sent } = await send('july.xlsx', { 'visible-rows-only': 'true' });
    expect(sent).toEqual(july.filter(({ line }) => line < 7 || line === 10));
  });
});

describe('a workbook with a sheet for each month', () => {
  test('asks which is meant', async () => {
    const { sent, errors } = await send('two-months.xlsx');
    expect([sent, errors]).toEqual([[], ['0 FILE_SHEET_AMBIGUOUS']]);
  });

  test('sends the sheet that is named', async () => {
    const { sent } = await send('two-months.xlsx', { sheet: 'August' });
    expect(sent).toEqual([row(2, 7, '2026-07-08', [101, 102], 'true'), row(3, 8, '2026-07-08', [], 'false')]);
  });
});

test.each(['comma.csv', 'semicolon.csv', 'tab-utf16.csv', 'pipe-windows-1252.csv'])('%s', async (name) => {
  const { sent, errors, codes } = await send(name);
  expect(errors).toEqual([]);
  expect(sent).toEqual([
    row(2, 0, '2026-07-02', [101, 102], 'true'),
    row(3, 1, '2026-07-13', [], 'false'),
    row(4, 2, '2026-07-13', []),
  ]);
  expect(codes).toContain('DATE_ORDER_DETECTED');
});
