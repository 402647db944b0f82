// docs/reference/files.md has the figures of the code.
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addUploadOptions } from '#cli/options/upload-options.ts';
import { workbookLimits } from '#shared/files/workbook/open-archive.ts';
import { issueCodes } from '#shared/row/issue.ts';

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

test('docs/guides/my-spreadsheet.md names codes and options that exist', () => {
  const spreadsheet = readFileSync(new URL('../../docs/guides/my-spreadsheet.md', import.meta.url), 'utf8');
  const codes = [...spreadsheet.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(8);
  for (const code of codes) expect(issueCodes).toContain(code);
  const options = new Set([...spreadsheet.matchAll(/`(--[a-z-]+)/g)].map(([, option = '']) => option));
  const known = addUploadOptions(new Command()).options.flatMap(({ long }) => long ?? []);
  expect([...options].filter((option) => !known.includes(option))).toEqual([]);
});
