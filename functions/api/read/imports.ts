// The list of imports, one import, and what changed.
import * as z from 'zod';
import type { AuditEntry } from '#shared/import/approval.ts';
import { type ImportItem, importStates } from '#shared/import/import.ts';
import { activeStop, isArchived, isOnlyValidated, redeliveryAfter, rowsSoFar } from '#shared/import/import-state.ts';
import { type ImportProgress, importProgress, issueAnswer, outage, redeliveryAt } from '#shared/results/answers.ts';
import { forPage } from '#shared/results/findings.ts';
import {
  countedRequests,
  latestExpectedDate,
  progressOf,
  readImportProgress,
  readOutage,
} from '#shared/results/progress.ts';
import { fileNameOf } from '#shared/results/results.ts';
import { operationNames } from '#shared/text/identity.ts';
import { count, instant } from '#shared/text/stored-values.ts';
import { isoTime } from '#shared/text/wording.ts';
import type { ApiReader } from '../context.ts';
import { findImport, requesterOf } from '../find-import.ts';
import { endpoint } from '../http/endpoint.ts';
import { decodeCursor, encodeCursor, importPath, nextCursor, pageQuery, tally, text } from '../schemas.ts';

// The list of imports, and one import.

/** Who did something. `isVerified`: proven by a token or by AWS, not only claimed. */
const actor = z.object({ by: z.string(), isVerified: z.boolean() });

/** An import in a list. Numbers are counted in `outcomes`: the bar of the import. */
const importSummary = z.object({
  importId: z.string(),
  operation: z.enum(operationNames).nullable(),
  state: z.enum(importStates),
  /** The name of the user's file. */
  file: z.string(),
  bytes: count,
  rows: count,
  accepted: count,
  rejected: count,
  warnings: count,
  skipped: count,
  requestCount: count,
  /** Requests by state, ports by status name. */
  requests: tally,
  ports: tally,
  actionRequired: count,
  /** Rows by outcome. */
  outcomes: importProgress.shape.outcomes,
  planOnly: z.boolean(),
  receivedAt: instant,
  changedAt: instant,
  uploadedBy: actor.nullable(),
  approvedAt: z.nullable(instant),
  requestedBy: z.object({ by: z.string(), because: z.string().optional() }).nullable(),
  isArchived: z.boolean(),
  /** Of a correction: the first import, in whose outcomes its rows are counted. */
  countedIn: z.string().nullable(),
  /** Of an import that moves ports. */
  reschedules: z.object({ importId: z.string(), date: z.string() }).nullable(),
  /** The port, made elsewhere, that the import follows. */
  adoptedPort: z.string().nullable(),
});

const importDetails = importSummary.extend({
  expectedDate: importProgress.shape.expectedDate,
  /** In state `scheduled`: the day on which the next rows are sent. */
  sendOn: z.iso.date().optional(),
  redeliveryAt,
  /** Declined requests that were sent again in halves, and their calls. */
  split: importProgress.shape.split,
  /** The last approval that had no effect, and why. */
  declinedApproval: z.object({ by: z.string(), at: instant, reason: z.string() }).nullable(),
  /** The saved settings of its header. */
  readWith: z.object({ name: z.string(), by: z.string(), savedAt: instant }).nullable(),
  /** Values of whole columns, by column. */
  columnValues: z.record(z.string(), z.string()),
  /** Findings about the file and the first ones about rows. */
  issues: z.array(issueAnswer),
  /** Rows of each correction file as last written, by operation. */
  corrections: tally,
  /** SIMs with other services than requested. */
  mismatches: count,
  outage: outage.optional(),
  /** What was not sent waits (`until-resumed`), or a person ended it (`for-good`). */
  stop: z
    .object({
      by: z.string(),
      because: z.string().optional(),
      at: instant,
      kind: z.enum(['until-resumed', 'for-good']),
    })
    .nullable(),
});

const defaultPageSize = 50;

const listFilter = z.object({
  state: z.enum(importStates).optional(),
  /** Part of the name of the file, or of the person who uploaded it. */
  text: text(200, 1).optional(),
  /** Received at this time or later, and before this time. */
  since: z.iso.datetime().optional(),
  before: z.iso.datetime().optional(),
  /** The archived imports, which are in no other list. */
  archived: z.literal('true').optional(),
});

/** `skip`: how many of the imports before this time the pages so far have. They were received at one time. */
const position = z.object({ before: z.iso.datetime(), skip: z.int().min(0).max(10_000).optional() });

function placeBehind(items: readonly ImportItem[], { before, skip = 0 }: Partial<z.output<typeof position>>) {
  const last = items.at(-1)?.receivedAt ?? '';
  const next = isoTime(Date.parse(last) + 1);
  const ofLast = items.filter(({ receivedAt }) => receivedAt === last).length;
  return { before: next, skip: ofLast + (next === before ? skip : 0) };
}

export const listImports = endpoint(
  {
    at: 'GET /imports',
    role: 'viewer',
    summary: 'The imports, newest first',
    accepts: { query: pageQuery.extend(listFilter.shape) },
    answer: z.object({ imports: z.array(importSummary), nextCursor }),
    etag: true,
  },
  async ({ query }, reader: ApiReader) => {
    const { imports, audit, resources } = reader;
    const limit = query.limit ?? defaultPageSize;
    const from = decodeCursor(position, query.cursor) ?? { before: query.before };
    const { before, skip = 0 }: Partial<z.output<typeof position>> = from;
    const listed = await imports.list(resources.account, { limit: skip + limit + 1, ...(before && { before }) });
    const page = listed.slice(skip);
    const items = page.slice(0, limit);
    const uploaders = await audit.uploaders(items.map(({ importId }) => importId));
    const shown = items.filter((item) => passes(item, uploaders.get(item.importId), query));
    const last = items.at(-1);
    return {
      imports: shown.map((item) => importSummaryOf(item, storedProgress(item), uploaders.get(item.importId))),
      nextCursor: page.length > limit && last && isSince(last, query) ? encodeCursor(placeBehind(items, from)) : null,
    };
  },
);

type Filter = z.output<typeof listFilter>;

const isSince = ({ receivedAt }: ImportItem, { since = '' }: Filter): boolean => receivedAt >= since;

function passes(item: ImportItem, uploader: AuditEntry | undefined, filter: Filter): boolean {
  const { text, state, archived } = filter;
  const names = [fileNameOf(item.key), uploader?.by ?? ''].map((name) => name.toLowerCase());
  return (
    !isOnlyValidated(item) &&
    isArchived(item) === (archived === 'true') &&
    (state === undefined || shownState(item) === state) &&
    isSince(item, filter) &&
    (text === undefined || names.some((name) => name.includes(text.toLowerCase())))
  );
}

export const getImport = endpoint(
  {
    at: 'GET /imports/{importId}',
    role: 'viewer',
    summary: 'One import and how far it is',
    accepts: { path: importPath },
    answer: importDetails,
    etag: true,
  },
  async ({ path }, reader: ApiReader) => {
    const item = await findImport(reader, path.importId);
    const [progress, outage, uploaders] = await Promise.all([
      readProgress(item, reader),
      readOutage(reader),
      reader.audit.uploaders([item.importId]),
    ]);
    const redeliveryAt = redeliveryAfter(item, reader.wall());
    return {
      ...importSummaryOf(item, progress, uploaders.get(item.importId)),
      ...(redeliveryAt && { redeliveryAt }),
      ...(item.state === 'scheduled' && { sendOn: item.sendOn }),
      ...(progress.split && { split: progress.split }),
      ...(progress.expectedDate && { expectedDate: progress.expectedDate }),
      declinedApproval: declinedApprovalOf(item),
      readWith: readWithOf(item),
      columnValues: { ...item.columnValues },
      issues: item.issues.map(forPage),
      corrections: item.corrections ?? {},
      mismatches: item.mismatches?.sims ?? 0,
      stop: describeStop(item),
      ...(outage && { outage }),
    };
  },
);

function describeStop(item: ImportItem): z.output<typeof importDetails>['stop'] {
  const stop = activeStop(item);
  if (stop === undefined) return null;
  const { by, because, at, kind } = stop;
  return { by, ...(because && { because }), at, kind };
}

function readWithOf({ readWith }: ImportItem): z.output<typeof importDetails>['readWith'] {
  if (readWith === undefined) return null;
  const { name, by, savedAt } = readWith;
  return { name, by, savedAt };
}

function declinedApprovalOf({ declinedApproval }: ImportItem): z.output<typeof importDetails>['declinedApproval'] {
  if (declinedApproval === undefined) return null;
  const { by, at, reason } = declinedApproval;
  return { by, at, reason };
}

/** Of a first import only report counts each row once, with what its corrections did (spec gap 40). */
async function readProgress(item: ImportItem, reader: ApiReader): Promise<ImportProgress> {
  const isLive = item.requestCount <= countedRequests;
  return isLive ? withCorrections(item, await readImportProgress(reader, item)) : storedProgress(item);
}

const storedProgress = (item: ImportItem): ImportProgress => withCorrections(item, item.progress ?? progressOf(item));

const withCorrections = ({ hasCorrections, outcomes, merged }: ImportItem, own: ImportProgress): ImportProgress =>
  hasCorrections && outcomes !== undefined
    ? { ...own, outcomes, expectedDate: latestExpectedDate([own, merged]) }
    : own;

/**
 * The state of an import as people see it: one with rows under way is not finished. A correction may send some of its
 * rows, and the outcomes may be read later than the item.
 */
export const stateBeside = (
  { waiting = 0, scheduled = 0, 'in-progress': moving = 0 }: ImportProgress['outcomes'],
  state: ImportItem['state'],
) => (state === 'finished' && waiting + scheduled + moving > 0 ? 'in-progress' : state);

/** As report has counted its rows. */
export const shownState = (item: ImportItem) => stateBeside(storedProgress(item).outcomes, item.state);

function importSummaryOf(
  item: ImportItem,
  { outcomes }: ImportProgress,
  uploader: AuditEntry | undefined,
): z.output<typeof importSummary> {
  const { importId, operation, state, bytes, rows, accepted, rejected, warnings } = item;
  const { requestCount, requests, ports, actionRequired, planOnly, receivedAt, changedAt } = item;
  return {
    importId,
    operation,
    bytes,
    rows,
    accepted,
    rejected,
    warnings,
    outcomes,
    state: stateBeside(outcomes, state),
    requestCount,
    requests,
    ports,
    actionRequired,
    planOnly,
    receivedAt,
    changedAt,
    file: fileNameOf(item.key),
    skipped: item.skippedRows,
    uploadedBy: uploader === undefined ? null : { by: uploader.by, isVerified: true },
    approvedAt: item.approvedAt ?? null,
    requestedBy: requesterOf(item),
    isArchived: isArchived(item),
    countedIn: item.rootImportId ?? null,
    reschedules: item.reschedules ?? null,
    adoptedPort: item.adoptedPort ?? null,
  };
}

// What changed: small enough to be polled every few seconds, and answered 304 while nothing did.

/** Changes with every change of one of these imports, and of the service. Its ETag answers If-None-Match with 304. */
const events = z.object({
  /** Of the newest imports, the last change first. */
  imports: z.array(
    z.object({
      importId: z.string(),
      file: z.string(),
      state: z.enum(importStates),
      changedAt: instant,
      actionRequired: count,
      /** Rows that the service declined so far: they are counted shortly after the change itself. */
      declined: z.optional(count),
    }),
  ),
  outage: outage.optional(),
});

const watchedImports = 50;

export const getEvents = endpoint(
  {
    at: 'GET /events',
    role: 'viewer',
    summary: 'What changed. Poll it with If-None-Match',
    accepts: {},
    answer: events,
    etag: true,
  },
  async (_call, reader: ApiReader) => {
    const { imports, resources } = reader;
    const [items, outage] = await Promise.all([
      imports.list(resources.account, { limit: watchedImports }),
      readOutage(reader),
    ]);
    const newest = items.toSorted((one, other) => (one.changedAt > other.changedAt ? -1 : 1));
    return {
      imports: newest.map((item) => ({
        importId: item.importId,
        file: fileNameOf(item.key),
        state: shownState(item),
        changedAt: item.changedAt,
        actionRequired: item.actionRequired,
        declined: rowsSoFar(item, 'declined'),
      })),
      ...(outage && { outage }),
    };
  },
);
