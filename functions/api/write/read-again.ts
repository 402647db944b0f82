// Changes a draft: its file is read again with other settings, with fixed cells or without some rows (decision 27).
import * as z from 'zod';
import type { SecretReading } from '#shared/files/secret-columns.ts';
import { secretReadingsOf, toUploadMetadata, type UploadSettings } from '#shared/files/upload-settings.ts';
import { distinctPeople } from '#shared/import/approval.ts';
import { type ImportItem, optionKey } from '#shared/import/import.ts';
import {
  findChangeProblem,
  findReadingProblem,
  mostChangedRows,
  mostLeftOut,
  readingOf,
} from '#shared/import/reading.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import {
  nothingChanged,
  type ReadingInput,
  readInput,
  readSettings,
  withLeftOut,
} from '#shared/results/changed-file.ts';
import { columnsForPeople } from '#shared/results/results-csv.ts';
import { isBelowPlan, isObjectGone, readingKey } from '#shared/store/object-keys.ts';
import { ordinal } from '#shared/text/stored-values.ts';
import type { ApiWriter } from '../context.ts';
import { checkLinesAreUnique, checkMayReadAgain, findImportToSend, recordAudit } from '../find-import.ts';
import { ApiProblem, endpoint } from '../http/endpoint.ts';
import { because, importPath } from '../schemas.ts';
import { checkColumns, draftAuthors, draftId, maxCorrectedRows, openCells, withStoredCells } from './correct.ts';
import { readingSettings, uploadSettingsOf } from './reading-settings.ts';

const lines = z.array(ordinal).max(mostLeftOut);

const readingBody = z.strictObject({
  /** The reading that you saw, as `GET /imports/{importId}` answered it. */
  reading: ordinal,
  /** All of them, as a preview answers them. @default - as before */
  settings: readingSettings.optional(),
  /** Fixed cells; those of earlier readings stay. `from` is the draft that holds the cells that are null. */
  rows: z
    .array(z.strictObject({ line: ordinal, cells: openCells }))
    .max(maxCorrectedRows)
    .optional(),
  from: draftId.optional(),
  /** Lines that are not to be sent. */
  leaveOut: lines.optional(),
  /** Lines that were left out, and are to be sent after all. */
  putBack: lines.optional(),
  because,
});
type ReadingBody = z.output<typeof readingBody>;

export const readImportAgain = endpoint(
  {
    at: 'POST /imports/{importId}/readings',
    role: 'uploader',
    summary: 'Read a file again before it is sent: with other settings, fixed cells, or without some rows',
    accepts: { path: importPath, body: readingBody },
    status: 202,
    answer: z.object({
      importId: z.string(),
      reading: ordinal,
      /** Another sheet, header or separator makes other rows, so fixed cells and rows left out were discarded. */
      discardedRows: z.int(),
    }),
    problems: ['state-changed', 'file-expired', 'unknown-column', 'line-not-unique'],
  },
  async ({ path, body, caller, writeId }, writer: ApiWriter) => {
    const item = await findImportToSend(writer, path.importId);
    // Any uploader fixes rows; the columns of a file are known to whoever has it.
    if (body.settings !== undefined) await checkMayReadAgain(item, caller, writer);
    const reading = readingOf(item);
    const changesRows = [body.rows, body.leaveOut, body.putBack].some((some) => some !== undefined);
    const findProblem = changesRows ? findChangeProblem : findReadingProblem;
    const problem = findProblem(item) ?? (reading === body.reading ? undefined : changedMeanwhile);
    const { importId, state, approvedAt, operation: name, bucket } = item;
    if (problem !== undefined) {
      throw new ApiProblem('state-changed', `${problem}.`, { changed: { state, approvedAt, reading } });
    }
    const operation = operationNamed(name ?? '');
    const { rows = [], from } = body;
    checkColumns(rows, item, operation);
    checkLinesAreUnique(rows.map(({ line }) => line));
    const before = await readBefore(item, writer);
    const typed = await withStoredCells({ rows, from }, importId, writer);
    const chosen = body.settings && uploadSettingsOf(operation.name, body.settings);
    const isOtherTable = chosen !== undefined && !isSameTable(chosen, before.settings);
    const kept = isOtherTable ? nothingChanged : before.input;
    const input: ReadingInput = {
      ...(chosen
        ? { settings: metadataOf(chosen, secretReadingsOf(item)) }
        : before.input.settings && { settings: before.input.settings }),
      ...withLeftOut(
        { rows: mergeRows(kept.rows, typed, item), leftOut: kept.leftOut },
        body.leaveOut ?? [],
        body.putBack,
      ),
    };
    checkLimits(input);
    const key = readingKey(item, writeId);
    const file = writer.files.open(bucket, key, 'application/json');
    await file.write(JSON.stringify(input));
    await file.close();
    const head = await writer.files.head({ bucket, key });
    if (head === undefined) throw new Error(`the reading ${key} does not exist`);
    const authors = distinctPeople(await draftAuthors(from, item, writer));
    const details = { input: key, reading: String(reading + 1), rows: String(typed.length), ...leftOutOf(body) };
    // Recorded first: ingest takes the name in the command only where it finds the record.
    await recordAudit(importId, { action: 'read-again', caller, because: body.because, authors, details }, writer);
    const { etag, versionId } = head;
    const place = { key, etag, ...(versionId && { versionId }) };
    await writer.command({ read: importId, reading, input: place, actorId: caller.id, by: caller.name });
    const discardedRows = isOtherTable ? before.input.rows.length + before.input.leftOut.length : 0;
    return { importId, reading: reading + 1, discardedRows };
  },
);

const changedMeanwhile = 'Somebody else changed this import since. Read its new plan, then repeat your changes';

interface Before {
  readonly input: ReadingInput;
  /** undefined: those of an upload outside plan/ are not readable here. */
  readonly settings: UploadSettings | undefined;
}

async function readBefore(item: ImportItem, { files }: ApiWriter): Promise<Before> {
  try {
    const input = (await readInput(item, files)) ?? nothingChanged;
    const isReadable = isBelowPlan(item);
    const settings = isReadable ? await readSettings(item, files) : undefined;
    if (!isReadable || settings !== undefined) return { input, settings };
  } catch (error) {
    if (!isObjectGone(error)) throw error;
  }
  throw new ApiProblem('file-expired', 'The file, or what was changed of it, has expired. Upload it again.');
}

/** The rows have the same lines and places. */
function isSameTable(chosen: UploadSettings, before: UploadSettings | undefined): boolean {
  const placeOf = ({ layout }: UploadSettings) => {
    const { headerLine, delimiter, encoding, sheet, otherSheets = [], visibleRowsOnly = false } = layout;
    return JSON.stringify([
      headerLine,
      delimiter,
      encoding,
      sheet,
      otherSheets.map((one) => one.sheet),
      visibleRowsOnly,
    ]);
  };
  return before !== undefined && placeOf(chosen) === placeOf(before);
}

const metadataOf = (chosen: UploadSettings, secretReadings: readonly SecretReading[]): Record<string, string> =>
  toUploadMetadata({ ...chosen, secretReadings });

type TypedRow = { readonly line: number; readonly cells: Readonly<Record<string, string>> };

/** The cells of a line that was changed before stay, where they are not changed again. */
function mergeRows(before: ReadingInput['rows'], typed: readonly TypedRow[], item: ImportItem): ReadingInput['rows'] {
  const options = (item.optionColumns ?? []).map((option) => [optionKey(option), option.index] as const);
  const places = new Map([...Object.entries(columnsForPeople(item)), ...options]);
  const rows = new Map(before.map((row) => [row.line, row]));
  for (const { line, cells } of typed) {
    const entries = Object.entries(cells);
    const inFile = entries.flatMap(([column, cell]) => {
      const place = places.get(column);
      return place === undefined ? [] : [[String(place), cell] as const];
    });
    const others = entries.filter(([column]) => !places.has(column));
    const known = rows.get(line);
    const more = { ...known?.more, ...Object.fromEntries(others) };
    rows.set(line, {
      line,
      cells: { ...known?.cells, ...Object.fromEntries(inFile) },
      ...(Object.keys(more).length > 0 && { more }),
    });
  }
  return [...rows.values()];
}

const leftOutOf = ({ leaveOut = [], putBack = [] }: ReadingBody): Record<string, string> => ({
  ...(leaveOut.length > 0 && { leftOut: String(leaveOut.length) }),
  ...(putBack.length > 0 && { putBack: String(putBack.length) }),
});

/** @throws ApiProblem: whoever reads the file keeps all of it in memory */
function checkLimits({ rows, leftOut }: ReadingInput): void {
  if (rows.length <= mostChangedRows && leftOut.length <= mostLeftOut) return;
  const detail = `A draft keeps ${mostChangedRows} changed rows and ${mostLeftOut} rows that are left out at most.`;
  throw new ApiProblem('invalid-request', `${detail} Change the file and upload it again.`);
}
