// How large a workbook may be: a full sheet of Excel is read. The file is on the disk, its sheet is read as a stream,
// and only its shared texts are in memory.

import { mostColumns } from '#shared/csv/record-batch.ts';

const mebibyte = 1024 * 1024;

export const workbookLimits = {
  /** Of the file, as it was uploaded: half of the disk of a function. */
  fileBytes: 256 * mebibyte,
  /** Of a sheet, or of the shared texts, after decompression: a small file can contain gigabytes. */
  partBytes: 2048 * mebibyte,
  /** Of the shared texts without their XML. */
  textMemory: 192 * mebibyte,
  sheets: 100,
  /** Of a sheet, where only its first rows are wanted: the XML with their cells, and how much is read to its end. */
  firstRowsBytes: mebibyte,
  smallSheetBytes: 16 * mebibyte,
  /** Of the archive: a workbook with a thousand pictures has fewer. */
  entries: 10_000,
  /** As Excel has them. */
  rows: 1_048_576,
  sheetColumns: 16_384,
  formatCharacters: 255,
  /** Excel keeps 32,767 in a cell, LibreOffice more. */
  textCharacters: 262_144,
  /** Of XML between two angle brackets or of a tag, with its escapes. */
  tokenCharacters: mebibyte,
  elementDepth: 1_000,
  mergedCells: 200_000,
  /** With texts. */
  columns: mostColumns,
  /** With the empty ones before them. */
  cells: 20_000_000,
};
