// The file of an import as its last reading has it: with the settings that a person chose, the fixed cells and the rows
// that were left out (decision 27). Whoever reads the file of an import reads it here.
import * as z from 'zod/mini';
import type { ChangedRows } from '#shared/files/changed-rows.ts';
import type { CsvContents, CsvOptions, OpenedCsv } from '#shared/files/csv/record-batch.ts';
import { openUpload } from '#shared/files/open-upload.ts';
import { type ReadSettings, readUploadSettings, settingsOf } from '#shared/files/upload-settings.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { type IssueCode, UnreadableItem } from '#shared/row/issue.ts';
import type { ObjectReader, ObjectRef } from '#shared/store/files.ts';
import { ordinal, parseJson } from '#shared/text/stored-values.ts';

/** What people changed so far: the object of a reading has all of it, PACs included. */
export const readingInput = z.object({
  /** As the metadata of an upload. @default - those of the upload, with the saved ones of its header */
  settings: z.optional(z.record(z.string(), z.string())),
  /** Cells by their place among the file's own columns; `more`: by the name of a column that the file does not have. */
  rows: z.array(
    z.object({
      line: ordinal,
      cells: z.record(z.string(), z.string()),
      more: z.optional(z.record(z.string(), z.string())),
    }),
  ),
  /** Lines that are not sent. */
  leftOut: z.array(ordinal),
});
export type ReadingInput = z.infer<typeof readingInput>;

/** undefined where the file is read as it was uploaded. @throws ObjectGone, UnreadableItem */
export async function readInput(
  { bucket, reading }: ImportItem,
  files: ObjectReader,
): Promise<ReadingInput | undefined> {
  if (reading === undefined) return undefined;
  const { key, versionId, etag } = reading;
  const chunks = await Array.fromAsync(await files.read({ bucket, key, versionId, etag }));
  const parsed = readingInput.safeParse(parseJson(Buffer.concat(chunks).toString('utf8')));
  if (parsed.success) return parsed.data;
  throw new UnreadableItem(key, 'it is not what people changed of a file');
}

export const nothingChanged: ReadingInput = { rows: [], leftOut: [] };

/** With further lines that are not sent, and without those that are sent after all. */
export function withLeftOut(
  input: ReadingInput,
  leaveOut: readonly number[],
  putBack: readonly number[] = [],
): ReadingInput {
  const back = new Set(putBack);
  const lines = new Set([...input.leftOut.filter((line) => !back.has(line)), ...leaveOut]);
  return { ...input, leftOut: [...lines].sort((one, other) => one - other) };
}

export const changedRowsOf = ({ rows, leftOut }: ReadingInput): ChangedRows => ({
  rows: new Map(
    rows.map(({ line, cells, more = {} }) => [
      line,
      {
        cells: new Map(Object.entries(cells).map(([place, cell]) => [Number(place), cell])),
        more: new Map(Object.entries(more)),
      },
    ]),
  ),
  added: [...new Set(rows.flatMap(({ more = {} }) => Object.keys(more)))],
  leftOut: new Set(leftOut),
});

export const objectOf = ({ bucket, key, versionId, etag }: ImportItem): ObjectRef => ({ bucket, key, versionId, etag });

/**
 * The file of an import as its last reading has it: the one way to its rows.
 * @throws ObjectGone where the file, or what people changed of it, has expired
 */
export async function openFile(item: ImportItem, files: ObjectReader, options: CsvOptions = {}): Promise<OpenedCsv> {
  const input = await readInput(item, files);
  return openChanged(await files.read(objectOf(item)), options, input && changedRowsOf(input));
}

/** @param changes what people changed of the file; undefined: nothing */
export async function openChanged(
  source: AsyncIterable<Uint8Array>,
  options: CsvOptions,
  changes: ChangedRows | undefined,
): Promise<OpenedCsv> {
  const opened = await openUpload(source, options);
  if (changes === undefined) return opened;
  const { layOver } = await import('#shared/files/changed-rows.ts');
  return layOver(opened, changes);
}

/**
 * The settings of the last reading: those of the upload with the saved ones of its header, or those that a person chose
 * since. undefined: the file has expired.
 */
export async function readSettings(item: ImportItem, files: ObjectReader): Promise<ReadSettings | undefined> {
  const head = await files.head(objectOf(item));
  if (head === undefined) return undefined;
  const input = await readInput(item, files);
  return input?.settings === undefined ? settingsOf(item, head.metadata) : readUploadSettings(input.settings);
}

/** Of files whose texts nobody sees: another format, or a workbook that is damaged or has a password. */
const unreadable: ReadonlySet<IssueCode> = new Set(['FILE_NOT_CSV', 'FILE_WORKBOOK_INVALID', 'FILE_TOO_LARGE']);

/**
 * Whether the upload of an import has such a cell. It is read as the import was, with rows that are hidden and with
 * every other sheet.
 * @throws ObjectGone
 */
export async function searchUpload(
  item: ImportItem,
  files: ObjectReader,
  isWanted: (cell: string) => boolean,
): Promise<'found' | 'not found' | 'unreadable'> {
  const layout = item.layout ?? (await readSettings(item, files))?.layout;
  const opened = await openUpload(await files.read(objectOf(item)), { ...layout, visibleRowsOnly: false });
  if (!opened.ok) return unreadable.has(opened.issue.code) ? 'unreadable' : 'not found';
  const { sheets = [], again, close } = opened.value;
  try {
    for (const sheet of again === undefined ? [] : sheets) {
      const other = await again?.({ sheet, headerLine: undefined, otherSheets: undefined });
      if (other?.ok && (await hasCell(other.value, isWanted))) return 'found';
    }
    return (await hasCell(opened.value, isWanted)) ? 'found' : 'not found';
  } finally {
    await close();
  }
}

async function hasCell({ header, batches }: CsvContents, isWanted: (cell: string) => boolean): Promise<boolean> {
  if (header.some(isWanted)) return true;
  for await (const { lines, cellsOf } of batches) {
    for (const row of lines.keys()) if (cellsOf(row).some(isWanted)) return true;
  }
  return false;
}
