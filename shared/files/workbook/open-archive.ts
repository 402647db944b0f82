// Opens the ZIP archive of a workbook, which is on the disk while it is read. An entry that is larger than its limit,
// or than the archive states, is rejected while it is decompressed.
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { FileError } from '#shared/files/csv/decode-text.ts';
import { mostColumns } from '#shared/files/csv/record-batch.ts';

export interface WorkbookArchive {
  /** Here and in `read`, a path in another case is the same, unless the archive has both. */
  has(path: string): boolean;
  paths(): readonly string[];
  /** After decompression, as the archive states; 0 where there is no such entry. */
  bytesOf(path: string): number;
  /**
   * @param maxBytes @default the limit of any part
   * @throws FileError when the entry has more bytes, does not exist or is damaged
   */
  read(path: string, maxBytes?: number): AsyncIterable<Uint8Array>;
  /** Frees the disk. */
  close(): void;
}

/**
 * @param checkTime called for each chunk of the file and of an entry; what it throws ends the reading
 * @throws FileError when this is not an archive, or one that is too large
 */
export async function openArchive(
  source: AsyncIterable<Uint8Array>,
  checkTime: () => void = () => {},
): Promise<WorkbookArchive> {
  const zip = await openOnDisk(source, checkTime);
  const entries = await listEntries(zip).catch((error: unknown) => {
    zip.close();
    return rejectWorkbook(error);
  });
  const inLowerCase = new Map([...entries].map(([path, entry]) => [path.toLowerCase(), entry]));
  const find = (path: string): Entry | undefined => entries.get(path) ?? inLowerCase.get(path.toLowerCase());
  const decompress = async function* (entry: Entry): AsyncGenerator<Uint8Array> {
    let stream: Readable | undefined;
    try {
      // yauzl ends the stream with an error at the first byte beyond the stated size.
      stream = await zip.openReadStreamPromise(entry);
      yield* stream as AsyncIterable<Uint8Array>;
    } catch (error) {
      rejectWorkbook(error);
    } finally {
      stream?.destroy();
    }
  };
  return {
    has: (path) => find(path) !== undefined,
    paths: () => [...entries.keys()],
    bytesOf: (path) => find(path)?.uncompressedSize ?? 0,
    read: async function* (path, maxBytes = workbookLimits.partBytes) {
      const entry = find(path);
      if (entry === undefined) throw missingPart(path);
      if (entry.isEncrypted()) throw invalidWorkbook('it is encrypted', 'save it without a password');
      if (entry.uncompressedSize > maxBytes) throw partTooLarge(path, entry.uncompressedSize, maxBytes);
      for await (const chunk of decompress(entry)) {
        checkTime();
        yield chunk;
      }
    },
    close: () => zip.close(),
  };
}

/** The file has no name once it is open: however the process ends, nothing is left of it. */
async function openOnDisk(source: AsyncIterable<Uint8Array>, checkTime: () => void): Promise<ZipFile> {
  const path = join(tmpdir(), `simporter-${randomUUID()}`);
  try {
    await pipeline(source, limited(checkTime), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return await openPromise(path, { autoClose: false }).catch(rejectWorkbook);
  } finally {
    await rm(path, { force: true });
  }
}

const limited = (checkTime: () => void) =>
  async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { fileBytes } = workbookLimits;
    let length = 0;
    for await (const chunk of chunks) {
      checkTime();
      length += chunk.length;
      if (length > fileBytes) throw fileTooLarge(`the workbook has more than ${megabytes(fileBytes)}`);
      yield chunk;
    }
  };

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > workbookLimits.entries) throw tooManyEntries(zip.entryCount);
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  return entries;
}

const tooManyEntries = (count: number): FileError =>
  fileTooLarge(
    `the archive has ${count.toLocaleString('en-GB')} entries, a workbook has at most ` +
      workbookLimits.entries.toLocaleString('en-GB'),
  );

const saveAgain = 'open it in your spreadsheet program and save it as .xlsx';

export const invalidWorkbook = (problem: string, whatToDo = saveAgain): FileError =>
  new FileError('FILE_WORKBOOK_INVALID', `the workbook cannot be read: ${problem}: ${whatToDo}`);

/** The workbook is damaged, or this is another archive. */
const missingPart = (path: string): FileError => invalidWorkbook(`it has no part "${path}"`);

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024).toLocaleString('en-GB')} MB`;

const partTooLarge = (path: string, bytes: number, limit: number): FileError =>
  fileTooLarge(
    `"${path}" of the workbook has ${megabytes(bytes)} after decompression, the limit is ${megabytes(limit)}`,
  );

export const fileTooLarge = (what: string): FileError =>
  new FileError('FILE_TOO_LARGE', `${what}: split the file, or save it as "CSV UTF-8"`);

/** Whatever fails is a fault of the file. The message of the library would not help to repair it. */
export function rejectWorkbook(error: unknown): never {
  if (error instanceof FileError) throw error;
  throw invalidWorkbook('it is incomplete or damaged', `upload it again, or ${saveAgain}`);
}

// How large a workbook may be: a full sheet of Excel is read. The file is on the disk, its sheet is read as a stream,
// and only its shared texts are in memory.

const mebibyte = 1024 * 1024;

export const workbookLimits = {
  /** The uploaded file: half of the disk of a function. */
  fileBytes: 256 * mebibyte,
  /** A sheet, or the shared texts, after decompression: a small file can contain gigabytes. */
  partBytes: 2048 * mebibyte,
  /** The shared texts, without their XML. */
  textMemory: 192 * mebibyte,
  sheets: 100,
  /** Where only the first rows of a sheet are wanted: their XML, and the largest sheet that is read to its end. */
  firstRowsBytes: mebibyte,
  smallSheetBytes: 16 * mebibyte,
  /** Entries of the archive. A workbook with a thousand pictures has fewer. */
  entries: 10_000,
  /** As Excel has them. */
  rows: 1_048_576,
  sheetColumns: 16_384,
  formatCharacters: 255,
  /** Excel keeps 32,767 in a cell, LibreOffice more. */
  textCharacters: 262_144,
  /** A tag, or the text between two tags, with its escapes. */
  tokenCharacters: mebibyte,
  elementDepth: 1_000,
  mergedCells: 200_000,
  /** With texts. */
  columns: mostColumns,
  /** With the empty ones before them. */
  cells: 20_000_000,
};
