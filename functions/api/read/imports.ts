// The list of imports, one import, and what changed.
import * as z from 'zod';
import type { AuditEntry } from '#shared/import/approval.ts';
import { type ImportItem, importStates } from '#shared/import/import.ts';
import {
  activeStop,
  describeHold,
  isArchived,
  isOnlyValidated,
  redeliveryAfter,
  rowsSoFar,
} from '#shared/import/import-state.ts';
import { asksHowToRead, findChangeProblem, findReadingProblem, readingOf } from '#shared/import/reading.ts';
import {
  type ImportProgress,
  importProgress,
  interruptions,
  issueAnswer,
  redeliveryAt,
} from '#shared/results/answers.ts';
import { forPage } from '#shared/results/findings.ts';
import { type Part, readFirst, readParts, waitingParts } from '#shared/results/parts.ts';
import {
  readImportProgress,
  readInterruptions,
  shownState,
  stateBeside,
  storedProgress,
  withParts,
} from '#shared/results/progress.ts';
import { fileNameOf } from '#shared/results/results.ts';
import { operationNames, partKinds } from '#shared/text/identity.ts';
import { count, instant, ordinal } from '#shared/text/stored-values.ts';
import { describeAccount, isoTime } from '#shared/text/wording.ts';
import type { ApiReader } from '../context.ts';
import { findImport, requesterOf } from '../find-import.ts';
import { endpoint } from '../http/endpoint.ts';
import { decodeCursor, encodeCursor, importPath, nextCursor, pageQuery, tally, text, timeText } from '../schemas.ts';

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
  /** How often the file was read: a draft can be read again, and then has another plan. */
  reading: ordinal,
  /** Nothing of it is sent: it can be read again with other settings, and its rows can be changed in place. */
  canReadAgain: z.boolean(),
  /** It is `rejected` only until a person says how it is read: no row was validated so far. */
  asksHowToRead: z.boolean(),
  canChangeRows: z.boolean(),
  receivedAt: instant,
  changedAt: instant,
  uploadedBy: actor.nullable(),
  approvedAt: z.nullable(instant),
  requestedBy: z.object({ by: z.string(), because: z.string().optional() }).nullable(),
  isArchived: z.boolean(),
  /** Of which account it is, if the environment works for another one by now. */
  otherAccount: z.string().nullable(),
  /** Why nothing of it is sent or read: it is not over, and of another account. */
  held: z.string().nullable(),
  /** The first import, of which this one is a part. The outcomes of the first import have what its parts did. */
  partOf: z.object({ importId: z.string(), kind: z.enum(partKinds) }).nullable(),
  /** How many of its parts wait for an approval, by kind. */
  waitingParts: z.partialRecord(z.enum(partKinds), count),
  /** The import whose ports this one moves, and their new date. */
  reschedules: z.object({ importId: z.string(), date: z.string() }).nullable(),
  /** The port, made elsewhere, that the import follows. */
  adoptedPort: z.string().nullable(),
});

const importDetails = importSummary.extend({
  expectedDate: importProgress.shape.expectedDate,
  /** In state `scheduled`: the day on which the next rows are sent. */
  sendOn: z.iso.date().optional(),
  redeliveryAt,
  /** Declined requests whose rows were sent again in parts, and their calls. */
  split: importProgress.shape.split,
  /** The last approval that had no effect, and why. */
  declinedApproval: z.object({ by: z.string(), at: instant, reason: z.string() }).nullable(),
  /** The saved settings of its header. */
  readWith: z.object({ name: z.string(), by: z.string(), savedAt: instant }).nullable(),
  /** Values of whole columns, by column. */
  columnValues: z.record(z.string(), z.string()),
  /** What texts of a column mean, as a person said. */
  meanings: z.record(z.string(), z.record(z.string(), z.string())),
  /** Findings about the file and the first ones about rows. */
  issues: z.array(issueAnswer),
  /** Rows of each correction file as last written, by operation. */
  corrections: tally,
  /** SIMs with other services than requested. */
  mismatches: count,
  ...interruptions.shape,
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
  /** Part of the name of the file, of a file with rows of it, or of the person who uploaded it. */
  text: text(200, 1).optional(),
  /** Received at this time or later, and before this time. */
  since: timeText.optional(),
  before: timeText.optional(),
  /** The archived imports, which are in no other list. */
  archived: z.literal('true').optional(),
});

/** `skip`: how many of the imports before this time the pages so far have. They were received at one time. */
const position = z.strictObject({ before: z.iso.datetime(), skip: z.int().min(0).max(10_000).optional() });

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
    summary: 'The imports, newest first. Parts are in the entry of their first import',
    accepts: { query: pageQuery.extend(listFilter.shape) },
    answer: z.object({ imports: z.array(importSummary), nextCursor }),
    etag: true,
  },
  async ({ query }, reader: ApiReader) => {
    const { imports, audit, resources } = reader;
    const { account } = resources;
    const limit = query.limit ?? defaultPageSize;
    const from = decodeCursor(position, query.cursor) ?? { before: query.before };
    const { before, skip = 0 }: Partial<z.output<typeof position>> = from;
    const listed = await imports.list({ limit: skip + limit + 1, ...(before && { before }) });
    const page = listed.slice(skip);
    const items = page.slice(0, limit);
    const firsts = items.filter((item) => mayBeListed(item, query));
    const uploaders = await audit.uploaders(firsts.map(({ importId }) => importId));
    const entries = await Promise.all(
      firsts.map(async (item) => ({
        item,
        uploader: uploaders.get(item.importId),
        parts: await readParts(item, imports),
      })),
    );
    const shown = entries.filter((entry) => passes(entry, query));
    const last = items.at(-1);
    return {
      imports: shown.map((entry) => importSummaryOf(entry, storedProgress(entry.item), account)),
      nextCursor: page.length > limit && last && isSince(last, query) ? encodeCursor(placeBehind(items, from)) : null,
    };
  },
);

type Filter = z.output<typeof listFilter>;

const isSince = ({ receivedAt }: ImportItem, { since = '' }: Filter): boolean => receivedAt >= since;

/** A part is in the entry of its first import. */
const mayBeListed = (item: ImportItem, filter: Filter): boolean =>
  item.partOf === undefined &&
  !isOnlyValidated(item) &&
  isArchived(item) === (filter.archived === 'true') &&
  isSince(item, filter);

interface Entry {
  readonly item: ImportItem;
  readonly uploader: AuditEntry | undefined;
  readonly parts: readonly Part[];
}

/** Whoever looks for what waits for an approval finds the import of a part that does. */
function passes({ item, uploader, parts }: Entry, { text, state }: Filter): boolean {
  const files = [item, ...parts].map(({ key }) => fileNameOf(key));
  const names = [...files, uploader?.by ?? ''].map((name) => name.toLowerCase());
  const hasState = shownState(item) === state || (state === 'planned' && Object.keys(waitingParts(parts)).length > 0);
  return (
    (state === undefined || hasState) && (text === undefined || names.some((name) => name.includes(text.toLowerCase())))
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
    const [progress, interrupted, uploaders, parts] = await Promise.all([
      readProgress(item, reader),
      readInterruptions(reader),
      reader.audit.uploaders([item.importId]),
      readParts(item, reader.imports),
    ]);
    const redeliveryAt = redeliveryAfter(item, reader.wall());
    return {
      ...importSummaryOf({ item, uploader: uploaders.get(item.importId), parts }, progress, reader.resources.account),
      ...(redeliveryAt !== undefined && { redeliveryAt }),
      ...(item.state === 'scheduled' && { sendOn: item.sendOn }),
      ...(progress.split && { split: progress.split }),
      ...(progress.expectedDate && { expectedDate: progress.expectedDate }),
      declinedApproval: declinedApprovalOf(item),
      readWith: readWithOf(item),
      columnValues: { ...item.columnValues },
      meanings: { ...item.meanings },
      issues: item.issues.map(forPage),
      corrections: item.corrections ?? {},
      mismatches: item.mismatches?.sims ?? 0,
      stop: describeStop(item),
      ...interrupted,
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

/** Only report counts each row of a first import once, with what its corrections did (spec gap 40). */
const readProgress = async (item: ImportItem, reader: ApiReader): Promise<ImportProgress> =>
  withParts(item, await readImportProgress(reader, item));

function importSummaryOf(
  { item, uploader, parts }: Entry,
  { outcomes }: ImportProgress,
  account: string,
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
    reading: readingOf(item),
    canReadAgain: findReadingProblem(item) === undefined,
    asksHowToRead: asksHowToRead(item),
    canChangeRows: findChangeProblem(item) === undefined,
    receivedAt,
    changedAt,
    file: fileNameOf(item.key),
    skipped: item.skippedRows,
    uploadedBy: uploader === undefined ? null : { by: uploader.by, isVerified: true },
    approvedAt: item.approvedAt ?? null,
    requestedBy: requesterOf(item),
    isArchived: isArchived(item),
    otherAccount: item.account === account ? null : describeAccount(item.account),
    held: describeHold(item, account) ?? null,
    partOf: item.partOf ?? null,
    waitingParts: waitingParts(parts),
    reschedules: item.reschedules ?? null,
    adoptedPort: item.adoptedPort ?? null,
  };
}

const importParts = z.object({
  /** The import whose file all of them are about. */
  first: importSummary,
  /** Oldest first. */
  parts: z.array(importSummary),
});

export const listParts = endpoint(
  {
    at: 'GET /imports/{importId}/parts',
    role: 'viewer',
    summary: 'The history of an import: its corrections, moves, new PACs and cancellations',
    accepts: { path: importPath },
    answer: importParts,
    etag: true,
  },
  async ({ path }, reader: ApiReader) => {
    const first = await readFirst(reader.imports, await findImport(reader, path.importId));
    const parts = await readParts(first, reader.imports);
    const { account } = reader.resources;
    const uploaders = await reader.audit.uploaders([first, ...parts].map(({ importId }) => importId));
    const summaryOf = (item: ImportItem, parts: readonly Part[] = []) =>
      importSummaryOf({ item, uploader: uploaders.get(item.importId), parts }, storedProgress(item), account);
    return { first: summaryOf(first, parts), parts: parts.map((part) => summaryOf(part)) };
  },
);

// What changed: small enough to be polled every few seconds, and answered 304 while nothing did.

/** Changes with every change of one of these imports, and of the service. Its ETag answers If-None-Match with 304. */
const events = z.object({
  /** Changes of the newest imports, the last change first. */
  imports: z.array(
    z.object({
      importId: z.string(),
      file: z.string(),
      state: z.enum(importStates),
      changedAt: instant,
      asksHowToRead: z.boolean(),
      actionRequired: count,
      /** Rows that the service declined so far: they are counted shortly after the change itself. */
      declined: z.optional(count),
    }),
  ),
  ...interruptions.shape,
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
    const { imports } = reader;
    const [items, interrupted] = await Promise.all([
      imports.list({ limit: watchedImports }),
      readInterruptions(reader),
    ]);
    const newest = items.toSorted((one, other) => (one.changedAt > other.changedAt ? -1 : 1));
    return {
      imports: newest.map((item) => ({
        importId: item.importId,
        file: fileNameOf(item.key),
        state: shownState(item),
        changedAt: item.changedAt,
        asksHowToRead: asksHowToRead(item),
        actionRequired: item.actionRequired,
        declined: rowsSoFar(item, 'declined'),
      })),
      ...interrupted,
    };
  },
);
