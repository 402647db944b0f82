// The first rows of an upload; reading it again with other settings.
import * as z from 'zod';
import { ownColumns } from '#shared/files/added-columns.ts';
import { peekBatch, recordsOf, sampledRows } from '#shared/files/column-values.ts';
import type { CsvContents, FileLayout } from '#shared/files/csv/record-batch.ts';
import { distinctNamesForMap } from '#shared/files/header-words.ts';
import { createHeaderTest, mapHeader } from '#shared/files/map-header.ts';
import { detectHeader, headerIdOf, openUpload } from '#shared/files/open-upload.ts';
import { findSecretColumns, type SecretReading, secretPlaces } from '#shared/files/secret-columns.ts';
import { describesFile, secretReadingsOf, settingsOf, type UploadSettings } from '#shared/files/upload-settings.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { mayBeSent } from '#shared/import/import-state.ts';
import type { Catalogue } from '#shared/operations/catalogue.ts';
import { type FileHeader, readHeader } from '#shared/operations/columns/option-columns.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { messageForPage } from '#shared/results/findings.ts';
import { createCellMask, maskHeader } from '#shared/results/mask-cells.ts';
import { fileNameOf } from '#shared/results/results.ts';
import { redactText } from '#shared/row/redact.ts';
import { isDecline, isPortingFailure } from '#shared/service/errors.ts';
import { isObjectGone } from '#shared/store/object-keys.ts';
import { operationNames } from '#shared/text/identity.ts';
import { ordinal } from '#shared/text/stored-values.ts';
import type { ApiWriter } from '../context.ts';
import { checkMayReadAgain, findImport } from '../find-import.ts';
import { ApiProblem, endpoint } from '../http/endpoint.ts';
import { fileColumn, importPath, numberText, text } from '../schemas.ts';
import { metadataOf, readingSettings, settingsBody } from './reading-settings.ts';
import { putUpload } from './uploads.ts';

// The first rows of an uploaded file, how it was read, and which column is which. It reads only the beginning of a CSV.

/** Another sheet or header row than the import was read with. */
const previewQuery = z.object({
  sheet: text(100, 1).optional(),
  /** Names of sheets whose rows follow, joined by a slash, which no sheet name contains. */
  otherSheets: text(4_000, 1).optional(),
  headerRow: numberText.optional(),
});

/** How the file was read, and its first rows. PACs are masked. */
const preview = z.object({
  importId: z.string(),
  operation: z.enum(operationNames).nullable(),
  /** null for a workbook. */
  separator: z.string().nullable(),
  encoding: z.string().nullable(),
  /** null for a CSV. */
  sheet: z.string().nullable(),
  /** The sheets that are read behind it as one file. */
  otherSheets: z.array(z.string()),
  /** All sheets of the workbook, in their order; empty for a CSV. */
  sheets: z.array(z.string()),
  headerRow: ordinal,
  /**
   * `header` is what `mapping` takes: `2:SIM` for a second one, `column K` without a name. The `name` of a column that
   * is a service or bolt-on is the column that it adds to.
   */
  columns: z.array(
    z.object({
      ...fileColumn.shape,
      /** What `mapping` takes for a column that may be one service or bolt-on, such as `services:Roaming`. */
      choices: z.array(z.string()),
    }),
  ),
  /** Required columns that the file does not have. */
  missing: z.array(z.string()),
  /** The first rows, in the order of `columns`. */
  rows: z.array(z.array(z.string())),
  /** Why the file cannot be read like this; null where it can. */
  problem: z.string().nullable(),
  /** Of the header as it is detected: under it, settings are saved. null: it cannot be read, or may contain a PAC. */
  headerId: z.string().nullable(),
  /** What was set for the import. Repeat it in `replan` with what you change. */
  settings: readingSettings,
});

const shownRows = 20;
const longestMs = 10_000;
type Preview = z.output<typeof preview>;

export const previewImport = endpoint(
  {
    at: 'GET /imports/{importId}/preview',
    role: 'uploader',
    summary: 'The first rows of a file, and its columns',
    accepts: { path: importPath, query: previewQuery },
    answer: preview,
    problems: ['file-expired', 'file-too-large'],
  },
  async ({ path, query, caller }, writer: ApiWriter) => {
    const item = await findImport(writer, path.importId);
    if (Object.keys(query).length > 0) await checkMayReadAgain(item, caller, writer);
    const operation = operationNamed(item.operation ?? '');
    const { bucket, key, versionId, etag } = item;
    const head = await writer.files.head({ bucket, key, versionId, etag });
    if (head === undefined) throw new ApiProblem('file-expired', 'The file has expired. Upload it again.');
    const settings = settingsOf(item, head.metadata);
    const isHeader = operation && createHeaderTest(operation.columns, settings.mapping);
    const layout = layoutOf(settings, query);
    const read = () => writer.files.read({ bucket, key, versionId, etag });
    const checkTime = createTimeLimit(writer);
    const opened = await openUpload(await read(), { ...layout, isHeader, rows: 'first', checkTime });
    const given = settingsBody(item.operation ?? '', settings);
    if (!opened.ok) return unreadable(item, opened.issue.message, given);
    try {
      const catalogue = writer.openCatalogue();
      const readings = secretReadingsOf(item, head.metadata);
      const reading = { operation, given, encoding: layout.encoding, catalogue, readings };
      const isDetected = Object.keys(query).length === 0 && !describesFile(settings);
      const headerId =
        operation === undefined || isDetected
          ? operation && headerIdOf(operation.name, opened.value.header)
          : (item.readWith?.savedId ?? (await detectHeader(await read(), operation, checkTime)).headerId);
      return { ...(await describe(item, opened.value, reading)), headerId: headerId ?? null };
    } finally {
      await opened.value.close();
    }
  },
);

const layoutOf = (
  { layout }: UploadSettings,
  { sheet, otherSheets, headerRow }: z.output<typeof previewQuery>,
): FileLayout => ({
  ...layout,
  ...(sheet !== undefined && { sheet, otherSheets: undefined, headerLine: undefined }),
  ...(otherSheets !== undefined && { otherSheets: otherSheets.split('/').map((name) => ({ sheet: name })) }),
  ...(headerRow !== undefined && { headerLine: headerRow }),
});

/** A small file can contain gigabytes. */
function createTimeLimit({ wall }: ApiWriter): () => void {
  const until = wall() + longestMs;
  return () => {
    if (wall() > until) throw new ApiProblem('file-too-large', 'The file takes too long to read for a preview.');
  };
}

const unreadable = ({ importId, operation }: ImportItem, problem: string, settings: Preview['settings']): Preview => ({
  importId,
  operation,
  separator: null,
  encoding: null,
  sheet: null,
  headerRow: 1,
  columns: [],
  missing: [],
  otherSheets: [],
  sheets: [],
  rows: [],
  problem: messageForPage(redactText(problem)),
  headerId: null,
  settings,
});

interface Reading {
  readonly operation: Operation | undefined;
  readonly given: Preview['settings'];
  readonly encoding: string | undefined;
  readonly catalogue: Catalogue;
  /** What this and earlier readings called secret. */
  readonly readings: readonly SecretReading[];
}

async function describe(
  { importId, operation: name }: ImportItem,
  csv: CsvContents,
  { operation, given, encoding, catalogue, readings }: Reading,
): Promise<Omit<Preview, 'headerId'>> {
  const { first } = await peekBatch(csv.batches);
  const { mapping = {}, columnValues = {} } = given;
  const places = ownColumns(csv.header);
  const own = places.map((place) => csv.header[place] ?? '');
  const records = recordsOf(first).map((cells) => places.map((place) => cells[place] ?? ''));
  const reading = { line: csv.headerLine, mapping, samples: records.slice(0, sampledRows) };
  const columns = operation?.columns ?? [];
  const header: FileHeader = await readHeader(own, columns, reading, catalogue).catch((error) => {
    if (isPortingFailure(error) && !isDecline(error)) return mapHeader(own, columns, reading);
    throw error;
  });
  const { indexes, defaults, options = [], choices = new Map() } = header;
  const names = new Map([...indexes].map(([column, index]) => [index, column]));
  const optionAt = new Map(options.map((one) => [one.index, one]));
  const file = {
    header: own,
    columnIndexes: Object.fromEntries(indexes),
    earlier: secretPlaces(readings, csv, own.length),
  };
  const secret = findSecretColumns(file, records);
  const maskCells = createCellMask(file, records);
  return {
    importId,
    operation: name,
    encoding: encoding ?? null,
    problem: null,
    separator: csv.sheet === undefined ? csv.delimiter : null,
    sheet: csv.sheet ?? null,
    otherSheets: (csv.otherSheets ?? []).map(({ sheet }) => sheet),
    sheets: [...(csv.sheets ?? [])],
    settings: given,
    headerRow: csv.headerLine,
    columns: distinctNamesForMap(maskHeader(own, secret), places).map((name, index) => ({
      header: name,
      name: names.get(index) ?? optionAt.get(index)?.column ?? null,
      option: optionAt.get(index)?.option?.name ?? null,
      choices: [...(choices.get(index) ?? [])],
      secret: secret.has(index),
    })),
    missing: columns.flatMap((column) =>
      column.required &&
      !indexes.has(column.name) &&
      !options.some((option) => option.column === column.name) &&
      !defaults.has(column.name) &&
      !columnValues[column.name]
        ? [column.name]
        : [],
    ),
    rows: records.slice(0, shownRows).map((cells) => maskCells(cells, 'rejected')),
  };
}

// Reads the file of an import again with other settings: a copy of the file with them is a new import.

export const replanImport = endpoint(
  {
    at: 'POST /imports/{importId}/replan',
    role: 'uploader',
    summary: 'Read the file again with other settings',
    accepts: { path: importPath, body: readingSettings },
    status: 202,
    answer: z.object({ importId: z.string(), replaces: z.string() }),
    problems: ['state-changed', 'file-expired', 'unknown-column'],
  },
  async ({ path, body, caller, writeId }, writer: ApiWriter) => {
    const item = await findImport(writer, path.importId);
    await checkMayReadAgain(item, caller, writer);
    const { operation, state, approvedAt } = item;
    const isUnsent = (state === 'planned' || state === 'rejected') && !mayBeSent(item);
    if (!isUnsent || operation === null) {
      const detail = 'Only a file that waits for approval, or was rejected before, can be read again.';
      throw new ApiProblem('state-changed', detail, { changed: { state, approvedAt } });
    }
    const from = { bucket: item.bucket, key: item.key, versionId: item.versionId, etag: item.etag };
    const head = await writer.files.head(from);
    const metadata = metadataOf(operation, body, secretReadingsOf(item, head?.metadata));
    const upload = {
      operation,
      folder: writeId,
      fileName: fileNameOf(item.key),
      caller,
      details: { replaces: item.importId },
    };
    const importId = await putUpload(upload, writer, (place) =>
      writer.files.copy(from, place, metadata).catch((error: unknown) => {
        if (!isObjectGone(error)) throw error;
        throw new ApiProblem('file-expired', 'The file has expired. Upload it again.');
      }),
    );
    return { importId, replaces: item.importId };
  },
);
