// docs/reference/files.md has the figures of the code.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addUploadOptions } from '#cli/options/upload-options.ts';
import { issueCodes } from '#shared/domain/imports/issue.ts';
import { workbookLimits } from '#shared/workbook/workbook-limits.ts';
import { csvOf, ingestBench } from '../support/rows-ingest.ts';

const page = readFileSync(new URL('../../docs/reference/files.md', import.meta.url), 'utf8');
const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`;

test('the limits of workbooks are those of the code', () => {
  const { fileBytes, partBytes, textMemory, sheets, columns, cells } = workbookLimits;
  const rows = [
    ['size of the file', megabytes(fileBytes)],
    ['size of a sheet, or of the shared texts, after decompression', megabytes(partBytes)],
    ['memory for the shared texts', megabytes(textMemory)],
    ['sheets', sheets],
    ['columns', columns],
    ['cells, with the empty ones before them', cells.toLocaleString('en-GB')],
  ];
  const table = rows.map(([name, value]) => `| ${name} | ${value} |`).join('\n');
  expect(page).toContain(`| limit | value |\n|---|---|\n${table}\n<!-- end of limits -->`);
});

/** Cells of a valid row that differ, or a whole file, for each row of the table. */
const examples: Readonly<Record<string, Record<string, string>[] | string | Buffer>> = {
  HEADER_BELOW_OTHER_ROWS: `Ports for July\n\n${csvOf([{}])}`,
  RECORD_IS_TOTALS: `${csvOf([{}])}Total,,,,,,,,,,1\n`,
  FILE_ENCODING_DETECTED: Buffer.from(csvOf([{ reference: 'Zo\u00eb' }]), 'latin1'),
  DATE_ORDER_DETECTED: [{ connectionDate: '08/07/2026' }, { connectionDate: '14/07/2026' }],
  DATE_ORDER_AMBIGUOUS: [{ connectionDate: '08/07/2026' }],
  DATE_SERIAL_CONVERTED: [{ connectionDate: '46211' }],
  CELL_PLACEHOLDER: [{ boltOns: 'N/A' }],
  ICCID_PADDING_REMOVED: [{ serialNo: '8944110068123456787F' }],
  MSISDN_LEADING_ZERO_RESTORED: [{ msisdn: '7700900123' }],
  MSISDN_EXCEL_SCIENTIFIC: [{ msisdn: '4.47E+11' }],
  ICCID_EXCEL_SCIENTIFIC: [{ serialNo: '8.94411E+18' }],
  MSISDN_DUPLICATE_IN_FILE: [{ msisdn: '07700900123' }, { msisdn: '07700900123' }],
};

const readings = /<!-- readings[^>]*-->([\s\S]*?)<!-- end of readings -->/.exec(page)?.[1] ?? '';
const rows = [...readings.matchAll(/^\| (.+) \| (recognised|repaired|rejected).* \| `(\w+)` \|$/gm)];

test('the table of readings has a row for each example', () => {
  expect(rows.map(([, , , code]) => code).sort()).toEqual(Object.keys(examples).sort());
});

test.each(rows.map(([, what, reading, code]) => [what, reading, code] as const))(
  '%s is %s',
  async (_, reading, code) => {
    const example = examples[code ?? ''] ?? '';
    const bench = ingestBench();
    const item = await bench.upload(Array.isArray(example) ? csvOf(example) : example);
    expect(item?.issues.map((issue) => issue.code)).toContain(code);
    expect((item?.rejected ?? 0) > 0 || item?.state === 'rejected').toBe(reading === 'rejected');
  },
);

test('docs/guides/my-spreadsheet.md names codes and options that exist', () => {
  const spreadsheet = readFileSync(new URL('../../docs/guides/my-spreadsheet.md', import.meta.url), 'utf8');
  const codes = [...spreadsheet.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(10);
  for (const code of codes) expect(issueCodes).toContain(code);
  const options = new Set([...spreadsheet.matchAll(/`(--[a-z-]+)/g)].map(([, option = '']) => option));
  const known = addUploadOptions(new Command()).options.flatMap(({ long }) => long ?? []);
  expect([...options].filter((option) => !known.includes(option))).toEqual([]);
});
