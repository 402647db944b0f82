// The item of an import. Attribute names are for people who read the table in the AWS console.
// No item of the table contains a PAC (decision 2).
import * as z from 'zod/mini';
import { dateOrders } from '#shared/row/date-order.ts';
import { issueCodes } from '#shared/row/issue.ts';
import { operationNames, partKinds } from '#shared/text/identity.ts';
import {
  count,
  encoding,
  expiresAt,
  flag,
  type ItemKey,
  instant,
  optionalCount,
  optionalInstant,
  optionalText,
  ordinal,
  separator,
  tally,
  text,
} from '#shared/text/stored-values.ts';
import { savedSettings } from './saved-settings.ts';

/**
 * planning: the file is being read. planned: the plan is complete and waits for release or approval. rejected: nothing
 * of the file is submitted. submitting: some requests are still to be submitted. scheduled: all of these wait for the
 * day on which their date can be booked. stopped: a person stopped it before all of them were. in-progress: every
 * request is submitted, ports are polled. finished: every request has ended.
 */
export const importStates = [
  ...(['planning', 'planned', 'rejected', 'submitting', 'scheduled', 'stopped', 'in-progress', 'finished'] as const),
] as const;
export type ImportState = (typeof importStates)[number];

export const issueItem = z.object({
  line: count,
  column: z.nullable(z.string()),
  code: z.enum(issueCodes),
  message: z.string(),
  severity: z.enum(['error', 'warning', 'notice']),
});

export const fileLayoutItem = z.object({
  headerLine: ordinal,
  delimiter: separator,
  encoding: z.optional(encoding),
  sheet: z.optional(z.string()),
  otherSheets: z.optional(z.array(z.object({ sheet: z.string(), headerLine: ordinal }))),
  visibleRowsOnly: z.optional(z.boolean()),
});

const optionColumnItem = z.object({
  index: count,
  header: text,
  column: z.enum(['services', 'boltOns']),
  yes: z.optional(z.enum(['on', 'block', 'allow'])),
  /** @default - each cell is a list of entries */
  option: z.optional(
    z.object({
      what: z.enum(['service', 'bar', 'bolt-on']),
      name: text,
      numbers: z.array(z.int()),
      values: z.array(z.string()),
    }),
  ),
});

/** How changed cells name such a column: its cells are no cells of a column of the operation. */
export const optionKey = ({ column, header }: z.infer<typeof optionColumnItem>): string => `${column}: ${header}`;

/**
 * Who gave a command, in their own words, and why. `principal` comes from AWS: the id of a user, or of a role and its
 * session. It is absent where AWS names none.
 */
const requestedBy = z.object({
  by: text,
  because: optionalText,
  principal: optionalText,
});

/** Who did something: a person by the token of the console's provider, or a principal of AWS. '': nobody knows who. */
export const identity = z.object({ provider: z.enum(['console', 'aws']), id: text });
export type Identity = z.infer<typeof identity>;

/** Who set a mark, and when; `rows`: how many rows it was then. */
const putAway = z.object({ ...requestedBy.shape, at: instant, isUndone: flag, rows: optionalCount });
export type PutAway = z.infer<typeof putAway>;

/** until-resumed: requests that were not sent wait. for-good: they end. none: a person resumed the import. */
export const stopKinds = ['until-resumed', 'for-good', 'none'] as const;

const importStop = z.object({ ...requestedBy.shape, at: instant, kind: z.enum(stopKinds) });

export const importItem = z.object({
  importId: text,
  /** At the porting service (shared/text/identity.ts), since the import began. */
  account: text,
  operation: z.nullable(z.enum(operationNames)),
  state: z.enum(importStates),
  bucket: text,
  key: text,
  versionId: optionalText,
  etag: text,
  bytes: count,
  /** The plan is released only after a person approves it. */
  planOnly: z.boolean(),
  /** The import was made by `validate`: nobody asked to send it. */
  validation: z.optional(z.boolean()),
  expiresAt,
  /** Who uploaded the file and from where, by the event of S3; of the API where it uploaded the file for a person. */
  uploadedBy: z.optional(z.object({ principal: text, sourceIp: optionalText, isOfConsole: z.optional(z.boolean()) })),
  /** The last approval that had no effect, and why. */
  declinedApproval: z.optional(z.object({ ...requestedBy.shape, at: instant, reason: text })),
  /** Attempts to plan the file that were begun, without those that ended with an error. */
  planningStarts: optionalCount,
  /** How often sync announced the upload again because no message worked on the import, and when it last did. */
  rescues: z.optional(z.object({ times: count, at: instant })),
  /** The hash of the plan, once it is complete. An approval names it (shared/store/plans.ts). */
  planHash: optionalText,
  /** The hash of the rows that the plan sends. Imports with the same rows have the same. */
  contentHash: optionalText,
  approvedAt: optionalInstant,
  /** Who approved or rescheduled it. */
  requestedBy: z.optional(requestedBy),
  /** The last command of a person to stop or resume it. Submit reads it before each call. */
  stop: z.optional(importStop),
  /** Lists leave the import out. */
  archived: z.optional(putAway),
  /** Nobody will fix these rows: no action is required for them. */
  dismissedDeclined: z.optional(putAway),
  dismissedRejected: z.optional(putAway),
  /** The import of a later version of the same file, which existed before this one started. */
  supersededBy: optionalText,
  /** Wall time until which ingest works on the import. If it is not planned by then, its message is lost or hidden. */
  attemptUntil: optionalInstant,
  /** The last request that the release reached before its deadline: stored while `planned`, its message sent later. */
  releasedTo: optionalCount,
  /** This import moves ports of another import to `date`, a day or `auto`; its rows are rows of that import's file. */
  reschedules: z.optional(z.object({ importId: text, date: text })),
  /** This import follows a port that was made elsewhere. Its file was written from the rows of the port. */
  adoptedPort: optionalText,
  /** As its upload set it. @default - the setting of the environment */
  onInvalidPac: z.optional(z.enum(['wait', 'remove'])),
  /**
   * With a limit of numbers a day: after how many working days the days of the file and of its corrections repeat where
   * they have passed (shared/row/booking-window.ts).
   */
  dayCycle: z.optional(ordinal),
  /** The import that wrote the file of this one. */
  correctionOf: optionalText,
  /** The first import, of which this one is a part (shared/import/part.ts). */
  partOf: z.optional(z.object({ importId: text, kind: z.enum(partKinds) })),
  /** There are parts of this import. Set before the first one is recorded. */
  hasParts: flag,
  receivedAt: instant,
  changedAt: instant,
  /** Canonical column name to the index of its cell in the file; absent until ingest has read the header. */
  columnIndexes: z.optional(z.record(z.string(), count)),
  /** The same in files for people, where the file's own columns are first. @default - as in the file */
  columnIndexesForPeople: z.optional(z.record(z.string(), count)),
  /** Columns that are entries of `services` or `boltOns`, by their place in files for people. */
  optionColumns: z.optional(z.array(optionColumnItem)),
  /** The last time that the draft was read again, from 2 on, and what was changed (shared/results/changed-file.ts). */
  reading: z.optional(z.object({ count: ordinal, key: text, versionId: optionalText, etag: text })),
  /** How the file was read, so that its results are read in the same way. */
  layout: z.optional(fileLayoutItem),
  /**
   * The columns that this and earlier readings of the file called secret, by their places in files for people
   * (shared/files/secret-columns.ts).
   */
  secretReadings: z.optional(z.array(z.object({ columns: z.array(count), delimiter: separator, sheet: optionalText }))),
  /** The saved settings of its header, as they were when it was read. The settings of the upload take precedence. */
  readWith: z.optional(z.omit(savedSettings, { operation: true })),
  /**
   * The authors of the first file, whose cells this part has, where a second person approves. `authorsOf`
   * (shared/import/approval.ts) has everybody whose input is in the plan.
   */
  authors: z.optional(z.array(identity)),
  /** The order of day, month and year in the date columns that are not in the format YYYY-MM-DD. */
  dateOrders: z.optional(z.record(z.string(), z.enum(dateOrders))),
  /** A workbook counts the days of its dates from 1904 on. */
  startsIn1904: flag,
  /** Values for empty cells of whole columns, by canonical name. Values that may contain a PAC are left out. */
  columnValues: z.optional(z.record(z.string(), z.string())),
  /** What texts of a column mean, by canonical name. Those that may contain a PAC are left out. */
  meanings: z.optional(z.record(z.string(), z.record(z.string(), z.string()))),
  rows: count,
  accepted: count,
  rejected: count,
  /** Those of the rejected rows that only repeat an earlier row. */
  duplicates: optionalCount,
  /** Rows that people left out before the file was sent. */
  leftOut: optionalCount,
  warnings: count,
  requestCount: count,
  /** Findings about the file and the first ones about rows; `issues.ndjson` in the results bucket has all of them. */
  issues: z.array(issueItem),
  /** Requests by state, ports by status name, as of the last roll-up. */
  requests: tally,
  ports: tally,
  actionRequired: count,
  skippedRows: count,
  /** `scheduled`: the first day on which further rows are sent. In later states the last such day. */
  sendOn: z.optional(z.iso.date()),
  /** Accepted rows whose SIMs were not seen with their new services yet. */
  unconfirmedRows: optionalCount,
  /** Rows of each correction file as last written, by the operation of the file. */
  corrections: z.optional(tally),
  /** Requests of which the service declined all ten parts for one reason: `<request> <reason>` (decision 37). */
  undivided: z.optional(z.array(text)),
  /** Rows by outcome as of the last roll-up, without corrections. `split`: as in shared/results/answers.ts. */
  progress: z.optional(
    z.object({
      outcomes: tally,
      expectedDate: optionalText,
      split: z.optional(z.object({ requests: count, calls: count })),
    }),
  ),
  /** Rows by outcome with corrections, each row of the file once. */
  outcomes: z.optional(tally),
  /**
   * What results.csv has of the parts: the rows that are not shown, because another part answers them, and the latest
   * date of their ports, as in `progress`.
   */
  merged: z.optional(z.object({ parts: count, hidden: tally, expectedDate: optionalText })),
  /** SIMs with service mismatches; `revision` grows with every comparison. */
  mismatches: z.optional(z.object({ sims: count, revision: count })),
  /** Sum of the requests' revisions at the last roll-up. It only grows, so no older roll-up overwrites a newer one. */
  ledgerRevision: optionalCount,
  /** The same of the requests that have rows which large imports show at once (shared/outcome/rows-of-requests.ts). */
  finalRevision: optionalCount,
  /**
   * What results.csv contains since it was last written: the state and the revisions of the readings. When the item has
   * others, the file is written again.
   */
  reported: optionalText,
  /** Wall time until which report does not refresh a large import, while it has as many parts that decide rows. */
  throttled: z.optional(z.object({ until: instant, parts: count })),
  /** When the last delayed refresh message is due. */
  refreshAt: optionalInstant,
});
export type ImportItem = z.infer<typeof importItem>;

// The stop of an import, and who gave a command.

export type RequestedBy = z.infer<typeof requestedBy>;
export type StopKind = (typeof stopKinds)[number];
export type ImportStop = z.infer<typeof importStop>;

export const importPk = (importId: string): string => `import#${importId}`;

export const importKey = (importId: string): ItemKey => ({ pk: importPk(importId), sk: 'import' });

/** Of every account: an import is listed also where the environment works for another account by now. */
export const importsListed = 'imports';
