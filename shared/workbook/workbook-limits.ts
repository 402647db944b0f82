// How large a workbook may be. Its sheet is read as a stream; the packed file and its shared texts are in memory.

export interface WorkbookLimits {
  /** Of the file, as it was uploaded. */
  readonly fileBytes: number;
  /** Of the sheet after decompression: a small file can contain gigabytes. */
  readonly sheetBytes: number;
  /** Of the shared texts after decompression, which stay in memory. */
  readonly textBytes: number;
  readonly sheets: number;
  readonly columns: number;
  readonly cells: number;
}

const mebibyte = 1024 * 1024;

export const workbookLimits: WorkbookLimits = {
  fileBytes: 48 * mebibyte,
  sheetBytes: 640 * mebibyte,
  textBytes: 64 * mebibyte,
  sheets: 100,
  columns: 500,
  cells: 12_000_000,
};
