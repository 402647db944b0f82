// Opens the ZIP archive of a workbook. An entry that is larger than its limit, or than the archive states, is rejected
// while it is decompressed.
import type { Readable } from 'node:stream';
import { type Entry, fromBufferPromise } from 'yauzl';
import { FileError } from '#shared/csv/file-error.ts';
import { workbookLimits } from './workbook-limits.ts';

export interface WorkbookArchive {
  /** Here and in `read`, a path in another case is the same, unless the archive has both. */
  has(path: string): boolean;
  paths(): readonly string[];
  /** @throws FileError when the entry has more bytes, does not exist or is damaged */
  read(path: string, maxBytes: number): AsyncIterable<Uint8Array>;
}

/**
 * @param checkTime called for each chunk of an entry; what it throws ends the reading
 * @throws FileError when this is not an archive, or an encrypted one
 */
export async function openArchive(bytes: Buffer, checkTime: () => void = () => {}): Promise<WorkbookArchive> {
  const entries = new Map<string, Entry>();
  const zip = await fromBufferPromise(bytes, { lazyEntries: true }).catch(rejectWorkbook);
  if (zip.entryCount > workbookLimits.entries) throw tooManyEntries(zip.entryCount);
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  } catch (error) {
    rejectWorkbook(error);
  }
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
    read: async function* (path, maxBytes) {
      const entry = find(path);
      if (entry === undefined) throw missingPart(path);
      if (entry.isEncrypted()) throw invalidWorkbook('it is encrypted: save it without a password');
      if (entry.uncompressedSize > maxBytes) throw tooLarge(path, entry.uncompressedSize, maxBytes);
      for await (const chunk of decompress(entry)) {
        checkTime();
        yield chunk;
      }
    },
  };
}

const tooManyEntries = (count: number): FileError =>
  new FileError(
    'FILE_TOO_LARGE',
    `the archive has ${count.toLocaleString('en-GB')} entries, a workbook has at most ` +
      `${workbookLimits.entries.toLocaleString('en-GB')}: save the file as "CSV UTF-8"`,
  );

export const invalidWorkbook = (problem: string): FileError =>
  new FileError('FILE_WORKBOOK_INVALID', `the workbook cannot be read: ${problem}`);

/** The workbook is damaged, or this is another archive. */
const missingPart = (path: string): FileError =>
  invalidWorkbook(`it has no part "${path}": open it in your spreadsheet program and save it as .xlsx`);

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024).toLocaleString('en-GB')} MB`;

const tooLarge = (path: string, bytes: number, limit: number): FileError =>
  new FileError(
    'FILE_TOO_LARGE',
    `"${path}" of the workbook has ${megabytes(bytes)} after decompression, the limit is ${megabytes(limit)}: ` +
      'split the file, or save it as "CSV UTF-8"',
  );

/** Whatever fails is a fault of the file. */
export function rejectWorkbook(error: unknown): never {
  if (error instanceof FileError) throw error;
  throw invalidWorkbook(error instanceof Error ? error.message : String(error));
}
