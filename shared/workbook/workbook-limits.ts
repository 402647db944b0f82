// How large a workbook may be. Its sheet is read as a stream; the packed file and its shared texts are in memory.

const mebibyte = 1024 * 1024;

export const workbookLimits = {
  /** Of the file, as it was uploaded. */
  fileBytes: 48 * mebibyte,
  /** Of the sheet after decompression: a small file can contain gigabytes. */
  sheetBytes: 640 * mebibyte,
  /** Of the shared texts after decompression, which stay in memory. */
  textBytes: 64 * mebibyte,
  sheets: 100,
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
  columns: 500,
  /** With the empty ones before them. */
  cells: 20_000_000,
};
