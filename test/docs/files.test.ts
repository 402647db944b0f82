// docs/files.md has the figures of the code.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { workbookLimits } from '#shared/workbook/workbook-limits.ts';

const page = readFileSync(new URL('../../docs/files.md', import.meta.url), 'utf8');
const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`;

test('the limits of workbooks are those of the code', () => {
  const { fileBytes, sheetBytes, textBytes, sheets, columns, cells } = workbookLimits;
  const rows = [
    ['size of the file', megabytes(fileBytes)],
    ['size of the sheet after decompression', megabytes(sheetBytes)],
    ['size of the shared texts after decompression', megabytes(textBytes)],
    ['sheets', sheets],
    ['columns', columns],
    ['cells with a text', cells.toLocaleString('en-GB')],
  ];
  const table = rows.map(([name, value]) => `| ${name} | ${value} |`).join('\n');
  expect(page).toContain(`| limit | value |\n|---|---|\n${table}\n<!-- end of limits -->`);
});
