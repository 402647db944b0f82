// What every surface of the API and of the command line shows of each file: results, rejected rows, report, lists,
// actions, rows and counts. All of them are compared with the rows as they are in truth (decision 27).
import { isDeepStrictEqual } from 'node:util';
import type { S3Client } from '@aws-sdk/client-s3';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ApiReader } from '#functions/api/context.ts';
import type { Endpoint } from '#functions/api/http/endpoint.ts';
import { readEndpoints } from '#functions/api/read/endpoints.ts';
import { writeFiles } from '#functions/report/write-files.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { isArchived, isDismissed } from '#shared/import/import-state.ts';
import { type Outcome, sendableAgain } from '#shared/outcome/outcome.ts';
import { correctionOf, type RowResult } from '#shared/outcome/row-result.ts';
import type { Pipeline } from '#shared/pipeline/pipeline.ts';
import { writeAnalytics } from '#shared/results/analytics.ts';
import { openAnsweredRows } from '#shared/results/answered-rows.ts';
import { readCorrections } from '#shared/results/correction-rows.ts';
import { readPartRows, readRowParts } from '#shared/results/parts.ts';
import {
  countCorrected,
  readImportProgress,
  readRootProgress,
  shownState,
  storedProgress,
} from '#shared/results/progress.ts';
import { readOpenRows } from '#shared/results/rejected-rows.ts';
import { readResults } from '#shared/results/results.ts';
import { openStores } from '#shared/store/account.ts';
import type { Files, ObjectRef } from '#shared/store/files.ts';
import { analyticsKey, resultsIndexKey, resultsKey } from '#shared/store/object-keys.ts';
import { apiSettings } from '../support/api/api-settings.ts';
import { double } from '../support/double.ts';
import { memoryFiles } from '../support/in-memory/files.ts';
import { silentLog } from '../support/steps/test-pipeline.ts';
import { checkReadable, hasGoneFile } from './gone-uploads.ts';
import { isCutOff } from './invariants.ts';
import { account } from './network.ts';
import { buckets, table } from './pipeline.ts';
import {
  checkService,
  isInvalid,
  ledgerOf,
  rankOf,
  readTrueRows,
  type Service,
  type TrueRow,
  type TrueRows,
} from './true-rows.ts';
import type { World } from './world.ts';

/** What a surface shows of a file, by outcome or by line. */
type Shown = Readonly<Record<string, unknown>>;

interface Surface {
  /** Report writes what it shows, so it may be older than the ledger. */
  readonly isWritten: boolean;
  /** undefined: it shows nothing of the file yet. */
  readonly read: (first: ImportItem, reader: ApiReader) => Promise<Shown | undefined>;
  readonly expected: (rows: TrueRows, first: ImportItem) => Shown;
}

const countsOf = (outcomes: Iterable<string>): Shown => {
  const tally: Record<string, number> = {};
  for (const outcome of outcomes) tally[outcome] = (tally[outcome] ?? 0) + 1;
  return tally;
};

const allOutcomes = (rows: TrueRows): Shown => countsOf([...rows.values()].map(({ result }) => result.outcome));
const linesWith = (rows: TrueRows, show: (row: TrueRow) => string | null): Shown =>
  Object.fromEntries(
    [...rows].flatMap(([line, row]) => {
      const text = show(row);
      return text === null ? [] : [[line, text]];
    }),
  );
const rowText = ({ outcome, portId }: Pick<RowResult, 'outcome' | 'portId'>): string => `${outcome} ${portId}`;

/** The states of the import that lists and pages show: rows that are under way are not finished. */
const isUnderWay = (rows: TrueRows): boolean =>
  [...rows.values()].some(({ result }) => ['waiting', 'scheduled', 'in-progress'].includes(result.outcome));
const stateOf = (rows: TrueRows, { state }: ImportItem): string =>
  state === 'finished' && isUnderWay(rows) ? 'in-progress' : state;

// biome-ignore lint/suspicious/noExplicitAny: the check reads what it compares
type Answer = any;

const caller = { id: 'id-of-olga', name: 'olga@example.com', roles: ['operator'] } as const;

const ask = (
  { run }: Pick<Endpoint<ApiReader>, 'run'>,
  importId: string | undefined,
  reader: ApiReader,
  query: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  run({ path: importId ? { importId } : {}, query, body: async () => undefined, caller, writeId: '' }, reader);

async function eachRow(first: ImportItem, reader: ApiReader, show: (row: Answer) => string | null): Promise<Shown> {
  const { rows } = await ask(readEndpoints.listRows, first.importId, reader, { limit: '500' });
  return Object.fromEntries(
    rows.flatMap((row: Answer) => {
      const text = show(row);
      return text === null ? [] : [[row.line, text]];
    }),
  );
}

const inList = async (first: ImportItem, reader: ApiReader): Promise<Answer> => {
  const archived = isArchived(first) ? { archived: 'true' } : undefined;
  const { imports } = await ask(readEndpoints.listImports, undefined, reader, { limit: '200', ...archived });
  return imports.find(({ importId }: Answer) => importId === first.importId);
};

/** Of a file of the simulation. */
const mostLines = 500;

const countLarge = async (first: ImportItem, reader: ApiReader): Promise<Shown> => {
  const own = (await readImportProgress(reader, first)).outcomes;
  const rows = await readPartRows(first, await readRowParts(first, reader.imports), reader);
  return { ...(await countCorrected(reader, first, own, rows)) };
};

const beforeReport = (first: ImportItem, reader: ApiReader): ApiReader => {
  const index = resultsIndexKey(first.importId);
  const head = async (ref: ObjectRef) => (ref.key === index ? undefined : reader.files.head(ref));
  return { ...reader, files: { ...reader.files, head } };
};

const withState = (rows: TrueRows, first: ImportItem): Shown => ({ ...allOutcomes(rows), state: stateOf(rows, first) });

const surfaces = {
  'results of the command line': {
    isWritten: false,
    read: async (first, reader) => {
      const rows = await Array.fromAsync(readResults(reader, first));
      return Object.fromEntries(rows.map((row) => [row.line, rowText(row)]));
    },
    expected: (rows) => linesWith(rows, ({ result }) => rowText(result)),
  },
  'status of the command line': {
    isWritten: false,
    read: async (first, reader) => ({ ...(await readRootProgress(reader, first)).shown.outcomes }),
    expected: allOutcomes,
  },
  'rejected rows of the command line': {
    isWritten: false,
    read: async (first, reader) => ({ rejected: (await readOpenRows(reader, first)).item.rejected }),
    expected: (rows) => ({
      rejected: [...rows.values()].filter(({ own, result }) => isInvalid(own) && rankOf(result.outcome) < 2).length,
    }),
  },
  'corrections of the command line': {
    isWritten: false,
    read: async (first, reader) => {
      const found = await Array.fromAsync(readCorrections(reader, first));
      return Object.fromEntries(found.map(({ answer: { line, operation } }) => [line, operation]));
    },
    expected: (rows, { operation }) => linesWith(rows, ({ result }) => correctionOf(result, operation)),
  },
  'imports of the command line': {
    isWritten: true,
    read: async (first) => ({ ...storedProgress(first).outcomes, state: shownState(first) }),
    expected: withState,
  },
  'counts of a large import': {
    isWritten: true,
    read: countLarge,
    expected: allOutcomes,
  },
  'counts of a large import before report has written': {
    isWritten: false,
    read: (first, reader) => countLarge(first, beforeReport(first, reader)),
    expected: allOutcomes,
  },
  'rows that a correction may not send': {
    isWritten: false,
    read: async (first, reader) => {
      const isAnswer = (outcome: Outcome) => !sendableAgain.has(outcome);
      const lines = Array.from({ length: mostLines }, (_, index) => index + 1);
      const answers = await openAnsweredRows(first, reader, isAnswer, '');
      return Object.fromEntries([...(await answers.of(lines)).keys()].map((line) => [line, 'answered']));
    },
    expected: (rows) => linesWith(rows, ({ result }) => (sendableAgain.has(result.outcome) ? null : 'answered')),
  },
  'list of the API': {
    isWritten: true,
    read: async (first, reader) => {
      // The index may not have an import yet that was put away, or listed again.
      const { outcomes, state } = (await inList(first, reader)) ?? {};
      return { ...outcomes, state };
    },
    expected: withState,
  },
  'import of the API': {
    isWritten: true,
    read: async (first, reader) => {
      const { outcomes, state } = await ask(readEndpoints.getImport, first.importId, reader);
      return { ...outcomes, state };
    },
    expected: withState,
  },
  'rows of the API': {
    isWritten: true,
    read: (first, reader) => eachRow(first, reader, rowText),
    expected: (rows) => linesWith(rows, ({ result }) => rowText(result)),
  },
  'correction files': {
    isWritten: true,
    read: (first, reader) => eachRow(first, reader, ({ correctedBy }) => correctedBy),
    expected: (rows, { operation }) => linesWith(rows, ({ result }) => correctionOf(result, operation)),
  },
  'report of the API': {
    isWritten: true,
    read: async (first, reader) => (await ask(readEndpoints.getReport, first.importId, reader)).outcomes,
    expected: allOutcomes,
  },
  'rows for queries': {
    isWritten: true,
    read: async (first, reader) => {
      if (!(await hasRowsForQueries(first, reader))) return {};
      return (await ask(readEndpoints.getReport, first.importId, reader)).outcomes;
    },
    expected: (rows, first) => (stateOf(rows, first) === 'finished' ? allOutcomes(rows) : {}),
  },
  actions: {
    isWritten: true,
    read: readActions,
    expected: (rows, first) => {
      const results = [...rows.values()].map(({ result }) => result);
      const declined = isDismissed(first, 'declined')
        ? 0
        : (countsOf(results.map(({ outcome }) => outcome)).declined ?? 0);
      const ports = results.filter(({ outcome, portId }) => outcome === 'action-required' && portId !== '');
      return { declined, ports: [...new Set(ports.map(({ portId }) => portId))].sort() };
    },
  },
} as const satisfies Readonly<Record<string, Surface>>;

export type SurfaceName = keyof typeof surfaces;
export const surfaceNames = Object.keys(surfaces) as SurfaceName[];

/** Whether the Parquet file of the import is written; of a part never. */
async function hasRowsForQueries(item: ImportItem, { files, resources }: ApiReader): Promise<boolean> {
  const written = memoryFiles();
  const head = async (ref: ObjectRef) => (ref.key === analyticsKey(item) ? undefined : files.head(ref));
  let isOpened = false;
  const open: Files['open'] = (...place) => {
    isOpened = true;
    return written.open(...place);
  };
  // Only whether it is written: the loop ends with the first writing.
  const end = () => {
    throw new Error('enough');
  };
  await writeAnalytics(item, { files: double<Files>({ ...files, head, open }), resources }, end).catch(() => undefined);
  return isOpened;
}

/** Declined rows are listed for a week. */
const listedMs = 7 * 86_400_000;

async function readActions(first: ImportItem, reader: ApiReader): Promise<Shown | undefined> {
  if (reader.wall() - Date.parse(first.receivedAt) >= listedMs) return undefined;
  const { actions } = await ask(readEndpoints.listActions, undefined, reader);
  const parts = (await readRowParts(first, reader.imports)).map(({ importId }) => importId);
  const family = new Set([first.importId, ...parts]);
  const own = actions.filter(({ importId }: Answer) => family.has(importId));
  const declined = own.filter(({ kind }: Answer) => kind === 'import');
  const ports = own.filter(({ kind }: Answer) => kind === 'port');
  return {
    declined: declined.reduce((sum: number, { rows }: Answer) => sum + rows, 0),
    ports: ports.map(({ id }: Answer) => id).sort(),
  };
}

/** What reads the world without faults, and changes nothing of it. */
export function readerOn({ table: documents, bucket, timeline }: World): ApiReader {
  const clients = {
    s3: bucket as unknown as S3Client,
    table: documents as unknown as DynamoDBDocumentClient,
    sqs: undefined as never,
  };
  return {
    ...openStores(clients, { resultsTable: table, account }),
    resources: { account, callingCode: '44', resultsBucket: buckets.results, workBucket: buckets.work },
    links: { download: async () => '', uploadPart: async () => '' },
    recordRetentionDays: 730,
    wall: timeline.now,
    settings: apiSettings,
  };
}

const alone = ({ hasParts: _, merged: __, outcomes: ___, ...item }: ImportItem): ImportItem => item;

/** A reader that forgets the parts of the import: what a surface shows that does not fold. */
async function withoutParts(first: ImportItem, reader: ApiReader): Promise<ApiReader> {
  const written = memoryFiles();
  const { requests, ports, comparisons, resources } = reader;
  const pipeline = double<Pipeline>({
    requests,
    ports,
    comparisons,
    resources,
    files: double<Files>({ ...written, head: reader.files.head, read: reader.files.read }),
    log: silentLog,
  });
  await writeFiles(alone(first), [], () => undefined, pipeline);
  const isOwn = ({ key }: ObjectRef) => [resultsKey, resultsIndexKey].some((keyOf) => keyOf(first.importId) === key);
  const { imports, files } = reader;
  return {
    ...reader,
    imports: {
      ...imports,
      parts: async () => [],
      get: async (importId) => {
        const item = await imports.get(importId);
        return item && alone(item);
      },
      list: async (options) => (await imports.list(options)).map(alone),
    },
    files: {
      ...files,
      head: (ref) => (isOwn(ref) ? written : files).head(ref),
      read: (ref, range) => (isOwn(ref) ? written : files).read(ref, range),
    },
  };
}

export interface SurfaceCheck {
  /** Whether report has written everything that happened. */
  readonly isReported: boolean;
  readonly service: Service;
  /** A surface that forgets the parts. @default none */
  readonly forgets?: SurfaceName | undefined;
}

/** Every surface that differs from the ledger. */
export async function violationsOfSurfaces(world: World, check: SurfaceCheck): Promise<string[]> {
  const reader = readerOn(world);
  const ledger = ledgerOf(world);
  const filesLeft = { places: world.bucket.places(), uploadsLeft: world.bucket.written(buckets.inbox) };
  const violations: string[] = [];
  for (const first of ledger.imports) {
    if (first.partOf !== undefined || first.state === 'planning' || first.columnIndexes === undefined) continue;
    // Nothing is counted of a file that could not be read to its end.
    if (isCutOff(first)) continue;
    if (hasGoneFile(first, ledger.imports, filesLeft)) {
      violations.push(...(await checkReadable(first, (name) => surfaces[name].read(first, reader))));
      continue;
    }
    const rows = await readTrueRows(first, ledger, reader);
    if (rows.has(0)) continue;
    violations.push(...checkService(first, rows, ledger, check.service));
    for (const name of surfaceNames) violations.push(...(await checkSurface(name, first, rows, check, reader)));
  }
  return violations;
}

async function checkSurface(
  name: SurfaceName,
  first: ImportItem,
  rows: TrueRows,
  { isReported, forgets }: SurfaceCheck,
  reader: ApiReader,
): Promise<string[]> {
  const surface: Surface = surfaces[name];
  if (surface.isWritten && !(isReported && first.outcomes !== undefined)) return [];
  const isForgetful = forgets === name;
  const shown = await surface.read(
    isForgetful ? alone(first) : first,
    isForgetful ? await withoutParts(first, reader) : reader,
  );
  const expected = surface.expected(rows, first);
  if (shown === undefined || isDeepStrictEqual({ ...shown }, { ...expected })) return [];
  return [`I8 ${name} of ${first.importId}: ${JSON.stringify(shown)}, and the ledger has ${JSON.stringify(expected)}`];
}
