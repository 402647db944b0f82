// The answers of the read models. The command line and the API add to them, but never rename or remove a member.
import * as z from 'zod';
import { auditActions } from '#shared/import/approval.ts';
import { outcomes } from '#shared/outcome/outcome.ts';
import { requestStates } from '#shared/request/request.ts';
import { issueCodes } from '#shared/row/issue.ts';
import { operationNames } from '#shared/text/identity.ts';
import { count, instant, ordinal } from '#shared/text/stored-values.ts';

export const issueAnswer = z.object({
  /** 0: the whole file. */
  line: count,
  column: z.string().nullable(),
  code: z.enum(issueCodes),
  message: z.string(),
  severity: z.enum(['error', 'warning', 'notice']),
  /** What the cell names, where no list of the service has it. */
  unknownValue: z.optional(z.string()),
});

/** The requests of a plan that differ only in their rows. */
export const planGroup = z.object({
  group: z.string(),
  /** Why `auto` became this date. */
  dateReason: z.string().nullable(),
  rows: count,
  /** The number of rows of each request. */
  requestRows: z.array(ordinal),
  /** What its first rows are sent with, for each content of a request. Codes are masked. */
  samples: z.array(
    z.object({
      values: z.array(z.object({ name: z.string(), value: z.string() })),
      /** `subject` is the number or the SIM. */
      rows: z.array(z.object({ line: ordinal, subject: z.string() })),
    }),
  ),
});
export type PlanGroup = z.infer<typeof planGroup>;

/** How far an import is, counted in rows: a row of create-port is a number. */
export const importProgress = z.object({
  outcomes: z.partialRecord(z.enum(outcomes), count),
  /** The latest date of the ports in progress that require no action. */
  expectedDate: z.iso.date().optional(),
  /** Declined requests whose rows were sent again in parts, and their calls so far. */
  split: z.object({ requests: count, calls: count }).optional(),
});
export type ImportProgress = z.infer<typeof importProgress>;

/**
 * The function that read the file crashed: after this time the next run of sync reads the file again. Only while an
 * import waits for it; null where every attempt failed, and a person must redrive its message.
 */
export const redeliveryAt = z.optional(z.nullable(instant));

/** An outage of the service: since when, why the last call failed, and when the next one is due. */
const outage = z.object({ since: instant, reason: z.string(), nextAttemptAt: instant });

/** What interrupts every import. */
export const interruptions = z.object({
  outage: outage.optional(),
  /** Sync fails in each run, so what is shown may be old: since when, and the tasks of the last run that failed. */
  syncFailure: z.object({ since: instant, reason: z.string() }).optional(),
});
export type Interruptions = z.infer<typeof interruptions>;

/** The result of one row. */
export const resultRow = z.object({
  /** 0: the whole file, when it was rejected before its header was read. */
  line: count,
  outcome: z.enum(outcomes),
  portId: z.string(),
  status: z.string(),
  message: z.string(),
  whatToDo: z.string(),
  /** YYYY-MM-DD. Empty, like both times, before the service has it. */
  bookedDate: z.string(),
  /** Calendar time of the call, and of the first reading that showed the port complete. */
  submittedAt: z.string(),
  completedAt: z.string(),
  columns: z.record(z.string(), z.string()),
});
export type ResultRow = z.infer<typeof resultRow>;

/** A row that was declined or needs a new PAC; `columns` are those of the CSV to import. */
export const correctionRow = z.object({
  operation: z.enum(operationNames),
  line: ordinal,
  reason: z.string(),
  columns: z.record(z.string(), z.string()),
});
export type CorrectionRow = z.infer<typeof correctionRow>;

const statusChange = z.object({ at: instant, status: z.string(), was: z.string().optional() });

const portRow = z.object({
  line: ordinal,
  msisdn: z.string(),
  status: z.string(),
  message: z.string().optional(),
  whatToDo: z.string(),
  /** The numbers with an invalid PAC that block this row. */
  blockedBy: z.array(z.string()),
});

export const portDetails = z.object({
  portId: z.string(),
  name: z.string(),
  status: z.string(),
  importId: z.string(),
  request: ordinal,
  connectionDate: z.string(),
  rowCount: count,
  readyRows: count,
  blockingRows: count,
  concern: z.string().optional(),
  /** The service may lock the port from this time on; until then a cancel is certain to be in time. */
  cancelBy: z.optional(instant),
  readAt: instant,
  changedAt: instant,
  rows: z.array(portRow),
  events: z.array(statusChange),
});
export type PortDetails = z.infer<typeof portDetails>;

/** A port of the account, whether simporter created it or not. */
export const listedPort = z.object({
  portId: z.string(),
  name: z.string(),
  status: z.string(),
  /** YYYY-MM-DD */
  connectionDate: z.string(),
  rowCount: count,
  /** E.164 digits; null: they were not read yet. */
  numbers: z.array(z.string()).nullable(),
  /** The import that follows the port; null: it was made elsewhere. */
  importId: z.string().nullable(),
  readAt: instant,
});

/** A row of an import that a search has found. */
export const foundRow = z.object({
  importId: z.string(),
  file: z.string(),
  receivedAt: instant,
  line: ordinal,
  /** The first column that has the text, and its cell; null: it is in the status or the message. */
  column: z.string().nullable(),
  cell: z.string().nullable(),
  outcome: z.enum(outcomes),
  status: z.string(),
  message: z.string(),
  whatToDo: z.string(),
  portId: z.string(),
});

/** A port of simporter, as it was last read. */
export const portOfDay = z.object({
  portId: z.string(),
  importId: z.string(),
  name: z.string(),
  status: z.string(),
  /** YYYY-MM-DD */
  day: z.string(),
  /** Its numbers. */
  rowCount: count,
  /** Numbers that are ready, and that an invalid PAC of another number blocks. */
  blockedRows: count,
  /** Numbers that require an action. */
  actionRequired: count,
  /** The service may lock it from this time on; null: it can no longer be cancelled. */
  cancelBy: z.nullable(instant),
});

/** The sums of the ports of a day, without those that were cancelled. */
export const portDay = z.object({
  day: z.string(),
  ports: count,
  numbers: count,
  /** Of them: already ported, blocked, and in need of an action. */
  complete: count,
  blocked: count,
  actionRequired: count,
  /** The first time from which the service may lock one of the ports; null: none of them can be cancelled. */
  cancelBy: z.nullable(instant),
});

export const numberDetails = z.object({
  number: z.string(),
  outcome: z.enum(outcomes),
  status: z.string().nullable(),
  message: z.string().nullable(),
  whatToDo: z.string().nullable(),
  importId: z.string(),
  file: z.string().nullable(),
  line: ordinal,
  request: ordinal,
  requestState: z.enum(requestStates).nullable(),
  portId: z.string().nullable(),
  portStatus: z.string().nullable(),
  /** The port, if it was made elsewhere and adopted. */
  adoptedPort: z.string().nullable(),
  claimedAt: instant,
  /** The time of the call; null while nothing was sent. */
  submittedAt: z.nullable(instant),
  history: z.array(statusChange),
  earlierImports: z.array(z.object({ importId: z.string(), line: ordinal, claimedAt: instant })),
  /** Imports that tried to send the number again after it was ported, and did not. */
  laterImports: z.array(
    z.object({
      importId: z.string(),
      line: ordinal,
      claimedAt: instant,
      outcome: z.enum(outcomes),
      message: z.string(),
    }),
  ),
});
export type NumberDetails = z.infer<typeof numberDetails>;

const actionNumber = z.object({
  line: ordinal,
  msisdn: z.string(),
  status: z.string(),
  message: z.string().nullable(),
});

/** How to continue with what requires an action. */
export const solutions = [
  ...(['enter-pacs', 'keep-one-port', 'resolve', 'set-services', 'read-results', 'fix-rows', 'fix-declined'] as const),
] as const;

export const actionEntry = z.object({
  kind: z.enum(['port', 'request', 'held', 'mismatch', 'import', 'rejected']),
  /** The id of the port or of the import, or `IMPORT/REQUEST`. */
  id: z.string(),
  importId: z.string(),
  /** The name of its file; null where the import no longer exists. */
  file: z.nullable(z.string()),
  status: z.string(),
  /** Rows that the action is about. */
  rows: count,
  /** Rows that cannot continue before the action. */
  blockedRows: count,
  /** Which rows block which, or how many rows or requests were declined; empty where neither applies. */
  summary: z.string(),
  /** The service may lock the port from this time on; until then a cancel is certain to be in time. */
  cancelBy: z.nullable(instant),
  /** The rows of a port or a mismatch. */
  numbers: z.array(actionNumber),
  whatToDo: z.string(),
});

const mismatchedService = z.object({
  name: z.string(),
  type: z.string(),
  requested: z.string(),
  actual: z.string().nullable(),
});

const mismatchedSim = z.object({
  request: ordinal,
  portId: z.string(),
  line: ordinal,
  msisdn: z.string(),
  serialNumber: z.string(),
  services: z.array(mismatchedService),
});

/** Completed ports: compared, waiting to be compared, and no longer comparable; and the SIMs that differ. */
export const mismatchSummary = z.object({
  importId: z.string(),
  compared: count,
  waiting: count,
  unknown: count,
  sims: z.array(mismatchedSim),
});
export type MismatchSummary = z.infer<typeof mismatchSummary>;

/**
 * What a person did with an import. Absent facts are null. `by` is how they name themselves unless `isVerified`;
 * `principal` is an id of AWS or of the API's identity provider.
 */
export const auditEntry = z.object({
  at: instant,
  action: z.enum([...auditActions, 'approval-declined']),
  by: z.nullable(z.string()),
  principal: z.nullable(z.string()),
  isVerified: z.boolean(),
  sourceIp: z.nullable(z.string()),
  because: z.nullable(z.string()),
  details: z.record(z.string(), z.string()),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** What a SIM has now. */
export const simServices = z.object({
  /** As in the list. */
  sim: z.string(),
  /** null where it is not known. */
  serialNumber: z.string().nullable(),
  services: z.array(
    z.object({
      group: z.string(),
      name: z.string(),
      type: z.string(),
      /** null where the service has none. */
      value: z.string().nullable(),
      isReadOnly: z.boolean(),
    }),
  ),
  /** Why they could not be read; null where they were. */
  problem: z.string().nullable(),
});
