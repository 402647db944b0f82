// Shows the first rows of an upload, as it was read or with another sheet or header row.
import * as z from 'zod';
import { ownColumns } from '#shared/files/added-columns.ts';
import { peekBatch, recordsOf, sampledRows } from '#shared/files/column-values.ts';
import type { CsvContents, FileLayout, OpenedCsv, RecordBatch } from '#shared/files/csv/record-batch.ts';
import { createHeaderTest, distinctNamesForMap } from '#shared/files/header-words.ts';
import { columnIndexesOf, mapHeader } from '#shared/files/map-header.ts';
import { detectHeader, headerIdOf, openUpload } from '#shared/files/open-upload.ts';
import { orderAnswer, recogniseDates } from '#shared/files/recognise-dates.ts';
import { findSecretColumns, type SecretReading, secretPlaces } from '#shared/files/secret-columns.ts';
import {
  defaultSettings,
  describesFile,
  secretReadingsOf,
  type UploadSettings,
} from '#shared/files/upload-settings.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { readingOf } from '#shared/import/reading.ts';
import type { Catalogue } from '#shared/operations/catalogue.ts';
import { type FileHeader, readHeader } from '#shared/operations/columns/option-columns.ts';
import type { Column, Operation } from '#shared/operations/operation.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { issueAnswer } from '#shared/results/answers.ts';
import { objectOf, openFile, readSettings } from '#shared/results/changed-file.ts';
import { forPage, messageForPage } from '#shared/results/findings.ts';
import { createCellMask, maskHeader } from '#shared/results/mask-cells.ts';
import { dateOrders } from '#shared/row/date-order.ts';
import type { Issue } from '#shared/row/issue.ts';
import { redactText } from '#shared/row/redact.ts';
import { isDecline, isPortingFailure } from '#shared/service/errors.ts';
import { operationNames } from '#shared/text/identity.ts';
import { ordinal } from '#shared/text/stored-values.ts';
import { truncate } from '#shared/text/wording.ts';
import type { ApiWriter } from '../context.ts';
import { checkMayReadAgain, findImport, mayReadAgain } from '../find-import.ts';
import { ApiProblem, endpoint } from '../http/endpoint.ts';
import { fileColumn, importPath, numberText, text } from '../schemas.ts';
import { readingSettings, settingsBody } from './reading-settings.ts';

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
  /** The reading that has these settings and rows. */
  reading: ordinal,
  operation: z.enum(operationNames).nullable(),
  /** null for a workbook. */
  separator: z.string().nullable(),
  encoding: z.string().nullable(),
  /** null for a CSV. */
  sheet: z.string().nullable(),
  /** The sheets that are read behind it as one file. */
  otherSheets: z.array(z.string()),
  /** All sheets of the workbook, in their order; empty for a CSV. */
  sheets: z.array(
    z.object({
      name: z.string(),
      headerRow: ordinal,
      /** It has a header of the operation. */
      isSuitable: z.boolean(),
      /**
       * The first cells of the header and of the first rows of each of several sheets. Empty in a preview of another
       * sheet or header row, and for a person who may not read the file in another way.
       */
      rows: z.array(z.array(z.string())),
    }),
  ),
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
  /** What a person must say of the columns that the file has, before its rows are validated. */
  questions: z.array(issueAnswer.pick({ code: true, column: true, message: true })),
  /**
   * The columns with a date of two meanings, and an example. `order` is null where a person must choose it; `problem`:
   * what else is wrong with the dates of the column.
   */
  dates: z.array(
    z.object({
      header: z.string(),
      order: z.enum(dateOrders).nullable(),
      example: z.string(),
      problem: z.string().nullable(),
    }),
  ),
  /** The first rows, in the order of `columns`. */
  rows: z.array(z.array(z.string())),
  /** Why the file cannot be read like this; null where it can. */
  problem: z.string().nullable(),
  /** The id of the detected header. Settings are saved under it. null: it cannot be read, or may contain a PAC. */
  headerId: z.string().nullable(),
  /** What was set for the import. Repeat it in `settings` of a reading with what you change. */
  settings: readingSettings,
});

const shownRows = 20;
const shownRowsOfSheet = 3;
const shownSheets = 20;
const shownCellsOfSheet = 8;
const longestCellOfSheet = 40;
/** All rows of a larger file are not read for the order of its dates. */
const wholeFileBytes = 1024 * 1024;
const longestMs = 10_000;
type Preview = z.output<typeof preview>;

export const previewImport = endpoint(
  {
    at: 'GET /imports/{importId}/preview',
    role: 'uploader',
    summary: 'The first rows of a file, and its columns',
    isSlow: true,
    accepts: { path: importPath, query: previewQuery },
    answer: preview,
    problems: ['file-expired', 'file-too-large'],
  },
  async ({ path, query, caller }, writer: ApiWriter) => {
    const item = await findImport(writer, path.importId);
    if (Object.keys(query).length > 0) await checkMayReadAgain(item, caller, writer);
    const operation = operationNamed(item.operation ?? '');
    const head = await writer.files.head(objectOf(item));
    if (head === undefined) throw new ApiProblem('file-expired', 'The file has expired. Upload it again.');
    const settings = (await readSettings(item, writer.files)) ?? defaultSettings;
    const isHeader = operation && createHeaderTest(operation.columns, settings.mapping);
    const layout = layoutOf(settings, query);
    const read = () => writer.files.read(objectOf(item));
    const checkTime = createTimeLimit(writer);
    const isWhole = head.bytes <= wholeFileBytes;
    const options = { ...layout, isHeader, rows: isWhole ? 'all' : 'first', checkTime } as const;
    // What people changed is of the rows as they were read last.
    const isAsRead = Object.keys(query).length === 0;
    const open = async () => (isAsRead ? openFile(item, writer.files, options) : openUpload(await read(), options));
    const opened = await open();
    const given = settingsBody(item.operation ?? '', settings);
    if (!opened.ok) return unreadable(item, opened.issue.message, given);
    try {
      const catalogue = writer.openCatalogue();
      const readings = secretReadingsOf(item, head.metadata);
      const reading = {
        operation,
        given,
        encoding: layout.encoding,
        catalogue,
        readings,
        showsSheets: isAsRead && (await mayReadAgain(item, caller, writer)),
        readAll: isWhole ? open : undefined,
      };
      const isDetected = isAsRead && !describesFile(settings);
      const findHeaderId = async ({ header }: CsvContents): Promise<string | null> => {
        if (operation === undefined) return null;
        if (isDetected) return headerIdOf(operation.name, header);
        return item.readWith?.savedId ?? (await detectHeader(await read(), operation, checkTime)).headerId;
      };
      return { ...(await describe(item, opened.value, reading)), headerId: await findHeaderId(opened.value) };
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

const unreadable = (item: ImportItem, problem: string, settings: Preview['settings']): Preview => ({
  importId: item.importId,
  reading: readingOf(item),
  operation: item.operation,
  separator: null,
  encoding: null,
  sheet: null,
  headerRow: 1,
  columns: [],
  missing: [],
  otherSheets: [],
  sheets: [],
  questions: [],
  dates: [],
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
  /** Also the first rows of the other sheets. */
  readonly showsSheets: boolean;
  /** undefined: the file is too large to be read from its start to its end. */
  readonly readAll: (() => Promise<OpenedCsv>) | undefined;
}

async function describe(item: ImportItem, csv: CsvContents, reading: Reading): Promise<Omit<Preview, 'headerId'>> {
  const { operation, given, encoding, catalogue, readings } = reading;
  const { first } = await peekBatch(csv.batches);
  const { columnValues = {} } = given;
  const mapping = { ...csv.added, ...given.mapping };
  const places = ownColumns(csv.header);
  const own = places.map((place) => csv.header[place] ?? '');
  const records = recordsOf(first).map((cells) => places.map((place) => cells[place] ?? ''));
  const samples = records.slice(0, sampledRows);
  const options = { line: csv.headerLine, mapping, samples, hasSheets: csv.otherSheets !== undefined };
  const columns = operation?.columns ?? [];
  const header: FileHeader = await readHeader(own, columns, options, catalogue).catch((error) => {
    if (isPortingFailure(error) && !isDecline(error)) return mapHeader(own, columns, options);
    throw error;
  });
  const { indexes } = header;
  const file = {
    header: own,
    columnIndexes: Object.fromEntries(indexes),
    earlier: secretPlaces(readings, csv, own.length),
  };
  const secret = findSecretColumns(file, records);
  const named = distinctNamesForMap(maskHeader(own, secret), places);
  const dateColumns = new Map(
    named.flatMap((name, place) => (secret.has(place) ? [] : [[name, places[place] ?? place]])),
  );
  const dates = await findDates(item, dateColumns, { csv, first }, reading);
  const asked = header.issues.filter(({ code, severity }) => severity === 'error' && code !== 'HEADER_MISSING_COLUMN');
  const maskCells = createCellMask(file, records);
  return {
    importId: item.importId,
    reading: readingOf(item),
    operation: item.operation,
    encoding: encoding ?? null,
    problem: null,
    separator: csv.sheet === undefined ? csv.delimiter : null,
    sheet: csv.sheet ?? null,
    otherSheets: (csv.otherSheets ?? []).map(({ sheet }) => sheet),
    sheets: await describeSheets(csv, mapping, reading),
    questions: asked.map(questionOf),
    dates,
    settings: given,
    headerRow: csv.headerLine,
    columns: describeColumns(named, header, secret),
    missing: missingColumns(columns, header, columnValues),
    rows: records.slice(0, shownRows).map((cells) => maskCells(cells, 'rejected')),
  };
}

function describeColumns(
  named: readonly string[],
  { indexes, options = [], choices = new Map() }: FileHeader,
  secret: ReadonlySet<number>,
): Preview['columns'] {
  const names = new Map([...indexes].map(([column, index]) => [index, column]));
  const optionAt = new Map(options.map((one) => [one.index, one]));
  return named.map((name, index) => ({
    header: name,
    name: names.get(index) ?? optionAt.get(index)?.column ?? null,
    option: optionAt.get(index)?.option?.name ?? null,
    choices: [...(choices.get(index) ?? [])],
    secret: secret.has(index),
  }));
}

const missingColumns = (
  columns: readonly Column[],
  { indexes, defaults, options = [] }: FileHeader,
  columnValues: Readonly<Record<string, string>>,
): string[] =>
  columns.flatMap(({ name, required }) =>
    required &&
    !indexes.has(name) &&
    !options.some((option) => option.column === name) &&
    !defaults.has(name) &&
    !columnValues[name]
      ? [name]
      : [],
  );

/** The header of a file without one may be a code. */
const questionOf = ({ code, column, message }: Issue): Preview['questions'][number] =>
  forPage({ code, column: column && redactText(column), message: redactText(message) });

/**
 * As ingest recognises them, where the whole file is read. Of a larger one, only what ingest has asked is a question.
 * @param columns any of which a person may choose for a date, with their places
 */
async function findDates(
  item: ImportItem,
  columns: ReadonlyMap<string, number>,
  { csv, first }: { readonly csv: CsvContents; readonly first: RecordBatch | undefined },
  { given, readAll }: Reading,
): Promise<Preview['dates']> {
  const ofDates = [...columns.keys()].map((name) => ({ name, isDate: true }));
  const file = { indexes: columns, contents: csv, first };
  const { orders, issues, ambiguous } = await recogniseDates(ofDates, file, given.dateOrder, 'first', async () => {
    const again = await readAll?.();
    return again?.ok ? again.value : undefined;
  });
  const isKnown = readAll !== undefined || item.issues.some(({ code }) => code === 'DATE_ORDER_AMBIGUOUS');
  const found = Object.entries(ambiguous).map(([header, { text: example }]) => {
    const problem = issues.find(({ column, severity }) => column === header && severity === 'error')?.message;
    const order = orders[header] ?? null;
    const isMore = problem !== undefined && !problem.includes(orderAnswer);
    return { header, order, example, problem: isMore ? messageForPage(redactText(problem)) : null };
  });
  return found.filter(({ order }) => isKnown || order !== null);
}

type Sheet = Preview['sheets'][number];

/** Names in the file to names of columns. */
type Mapping = Readonly<Record<string, string>>;

async function describeSheets(
  { sheets = [], again }: CsvContents,
  mapping: Mapping,
  reading: Reading,
): Promise<Sheet[]> {
  const described: Sheet[] = [];
  for (const [index, name] of sheets.entries()) {
    const isShown = sheets.length > 1 && index < shownSheets && reading.showsSheets;
    const layout = { sheet: name, otherSheets: undefined, headerLine: undefined };
    const opened = isShown ? await again?.(layout) : undefined;
    const found = opened?.ok
      ? await describeSheet(opened.value, mapping, reading)
      : { headerRow: 1, isSuitable: false, rows: [] };
    described.push({ name, ...found });
  }
  return described;
}

async function describeSheet(
  csv: CsvContents,
  mapping: Mapping,
  { operation, readings }: Reading,
): Promise<Omit<Sheet, 'name'>> {
  const { header, headerLine: headerRow } = csv;
  const { first } = await peekBatch(csv.batches);
  const records = recordsOf(first).map((cells) => [...cells]);
  await csv.close();
  const columns = operation?.columns ?? [];
  const indexes = columnIndexesOf(header, columns, mapping);
  const earlier = secretPlaces(readings, csv, header.length);
  const file = { header, columnIndexes: Object.fromEntries(indexes), earlier };
  const maskCells = createCellMask(file, records);
  const rows = records.slice(0, shownRowsOfSheet).map((cells) => maskCells(cells, 'rejected'));
  const all = [maskHeader(header, findSecretColumns(file, records)), ...rows];
  return {
    headerRow,
    isSuitable: operation !== undefined && createHeaderTest(columns, mapping)(header),
    rows: all.map((cells) => cells.slice(0, shownCellsOfSheet).map((cell) => truncate(cell, longestCellOfSheet))),
  };
}
