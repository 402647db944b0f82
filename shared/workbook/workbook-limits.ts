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
  columns: 500,
  cells: 12_000_000,
};
