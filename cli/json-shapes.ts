// What `--json` answers, one schema for each command. Scripts rely on these: members are added, never renamed or dropped.
import * as z from 'zod';
import { issueCodes } from '#shared/domain/issue.ts';
import { importStates, requestStates, tally } from '#shared/domain/ledger.ts';
import { outcomes } from '#shared/domain/outcome.ts';

const rows = z.int().nonnegative();

/** In `validate` and `status`; `rejected IMPORT` answers one line of JSON for each, in the order of the file. */
export const issueJson = z.object({
  line: z.int().nonnegative(),
  column: z.string().nullable(),
  code: z.enum(issueCodes),
  message: z.string(),
  severity: z.enum(['error', 'warning', 'notice']),
});

/** The requests of a plan that share everything but their rows: how many rows each has, and why their day was chosen. */
export const planGroupJson = z.object({
  group: z.string(),
  why: z.string().nullable(),
  rows,
  requestRows: z.array(z.int().positive()),
});
export type PlanGroupJson = z.infer<typeof planGroupJson>;

/** `validate FILE` */
export const validationJson = z.object({
  importId: z.string(),
  state: z.enum(importStates),
  rows,
  accepted: rows,
  rejected: rows,
  warnings: rows,
  requests: z.int().nonnegative(),
  plan: z.array(planGroupJson),
  issues: z.array(issueJson),
});

/** `import FILE` and `approve IMPORT`, with and without `--watch`: the import as it stood at the end of the command. */
export const outcomeJson = z.object({
  importId: z.string(),
  state: z.enum(importStates),
  rows,
  accepted: rows,
  rejected: rows,
  requests: tally,
  ports: tally,
});
export type OutcomeJson = z.infer<typeof outcomeJson>;

/** Each entry of `imports` */
export const importJson = outcomeJson.extend({
  operation: z.string().nullable(),
  file: z.string(),
  bytes: z.int().nonnegative(),
  planOnly: z.boolean(),
  receivedAt: z.iso.datetime(),
  changedAt: z.iso.datetime(),
  warnings: rows,
  withdrawn: rows,
  requestCount: z.int().nonnegative(),
  attention: z.int().nonnegative(),
  issues: z.array(issueJson),
  /** Of an import that moves ports: the import they were in, and the day or `auto` that was asked for. */
  reschedules: z.object({ importId: z.string(), date: z.string() }).optional(),
  /** Who approved it, or wanted the ports moved, and why. */
  asked: z.object({ by: z.string(), because: z.string().optional() }).optional(),
});
export type ImportJson = z.infer<typeof importJson>;

/** In `status` and `attention` while the service is down: since when no call comes to anything, and why the last one did not. */
export const outageJson = z.object({ since: z.iso.datetime(), because: z.string() });
export type OutageJson = z.infer<typeof outageJson>;

/** `status IMPORT`; `plan` as long as it waits for approval. */
export const statusJson = importJson.extend({
  plan: z.array(planGroupJson).optional(),
  outage: outageJson.optional(),
});

/** `imports` */
export const importsJson = z.object({ imports: z.array(importJson) });

/** `results IMPORT`: one line of JSON for each line of the file, in the order of the file. */
export const resultJson = z.object({
  line: z.int().positive(),
  outcome: z.enum(outcomes),
  portId: z.string(),
  status: z.string(),
  message: z.string(),
  whatToDo: z.string(),
  columns: z.record(z.string(), z.string()),
});
export type ResultJson = z.infer<typeof resultJson>;

/** `corrections IMPORT`: one line of JSON for each line that a new PAC would mend; `columns` are those of the CSV to send. */
export const correctionJson = z.object({
  operation: z.enum(['update-port', 'create-port']),
  line: z.int().positive(),
  reason: z.string(),
  columns: z.record(z.string(), z.string()),
});
export type CorrectionJson = z.infer<typeof correctionJson>;

const portEventJson = z.object({ at: z.iso.datetime(), status: z.string(), was: z.string().optional() });

const portRowJson = z.object({
  line: z.int().positive(),
  msisdn: z.string(),
  status: z.string(),
  message: z.string().optional(),
  whatToDo: z.string(),
  heldBy: z.array(z.string()),
});

/** `port ID` */
export const portJson = z.object({
  portId: z.string(),
  name: z.string(),
  status: z.string(),
  importId: z.string(),
  request: z.int().positive(),
  connectionDate: z.string(),
  rowCount: z.int().nonnegative(),
  goodLines: z.int().nonnegative(),
  badLines: z.int().nonnegative(),
  concern: z.string().optional(),
  /** The last moment at which a cancel is sure to be in time. */
  cancelBy: z.iso.datetime().optional(),
  lookedAt: z.iso.datetime(),
  changedAt: z.iso.datetime(),
  rows: z.array(portRowJson),
  events: z.array(portEventJson),
});
export type PortJson = z.infer<typeof portJson>;

/** `number MSISDN` */
export const numberJson = z.object({
  number: z.string(),
  outcome: z.enum(outcomes),
  status: z.string().nullable(),
  message: z.string().nullable(),
  whatToDo: z.string().nullable(),
  importId: z.string(),
  file: z.string().nullable(),
  line: z.int().positive(),
  request: z.int().positive(),
  requestState: z.enum(requestStates).nullable(),
  portId: z.string().nullable(),
  portStatus: z.string().nullable(),
  claimedAt: z.iso.datetime(),
  history: z.array(portEventJson),
  formerImports: z.array(z.object({ importId: z.string(), line: z.int().positive(), claimedAt: z.iso.datetime() })),
});
export type NumberJson = z.infer<typeof numberJson>;

export const attentionEntryJson = z.object({
  kind: z.enum(['port', 'request', 'drift', 'import']),
  id: z.string(),
  importId: z.string(),
  status: z.string(),
  held: z.int().nonnegative(),
  /** "3 good lines held by 1 bad one"; "2 requests refused"; empty where neither is. */
  summary: z.string(),
  /** The last moment at which a cancel is sure to be in time. */
  cancelBy: z.iso.datetime().nullable(),
  /** The command to go on with. */
  next: z.string().nullable(),
  numbers: z.array(
    z.object({
      line: z.int().positive(),
      msisdn: z.string(),
      status: z.string(),
      message: z.string().nullable(),
    }),
  ),
  whatToDo: z.string(),
});
export type AttentionEntryJson = z.infer<typeof attentionEntryJson>;

const driftedServiceJson = z.object({
  name: z.string(),
  type: z.string(),
  asked: z.string(),
  set: z.string().nullable(),
});

/** `drift IMPORT`: ports compared, still to be compared, and not comparable any more; and the SIMs that differ. */
export const driftJson = z.object({
  importId: z.string(),
  compared: z.int().nonnegative(),
  waiting: z.int().nonnegative(),
  unknown: z.int().nonnegative(),
  sims: z.array(
    z.object({
      request: z.int().positive(),
      portId: z.string(),
      line: z.int().positive(),
      msisdn: z.string(),
      serialNumber: z.string(),
      services: z.array(driftedServiceJson),
    }),
  ),
});
export type DriftJson = z.infer<typeof driftJson>;

/** `attention` */
export const attentionJson = z.object({
  attention: z.array(attentionEntryJson),
  /** There is more than was read. */
  more: z.literal(true).optional(),
  outage: outageJson.optional(),
});

/** `template OPERATION` */
export const templateJson = z.object({
  operation: z.string(),
  columns: z.array(
    z.object({
      name: z.string(),
      required: z.boolean(),
      aliases: z.array(z.string()),
      help: z.string(),
      example: z.string(),
    }),
  ),
  csv: z.string(),
});

/** `results` and `rejected` with `--csv` */
export const writtenJson = z.object({ written: z.array(z.string()) });

/** `events`: one line of JSON for each, as a rule on the bus sees it; docs/events.md has the members of `detail`. */
export const eventJson = z.object({
  id: z.string(),
  'detail-type': z.string(),
  source: z.string(),
  time: z.iso.datetime(),
  detail: z.looseObject({ version: z.int(), id: z.string(), at: z.iso.datetime(), importId: z.string() }),
});
export type EventJson = z.infer<typeof eventJson>;

/** `sync`: `synced` is false where another run was at work, something is left, or the service could not be asked. */
export const syncJson = z.object({
  synced: z.boolean(),
  skipped: z.boolean(),
  /** Ports that are due and wait for the next run. */
  left: z.int().nonnegative(),
  /** The service answered a call with a token that was got for the secret as stored. */
  secretChecked: z.boolean(),
  failure: z.string().optional(),
  outage: outageJson.optional(),
});
export type SyncJson = z.infer<typeof syncJson>;

/** `decide IMPORT/REQUEST`: what was decided, and the state that the request is in by now. */
export const decideJson = z.object({
  importId: z.string(),
  request: z.int().positive(),
  decision: z.enum(['adopt', 'send-again', 'give-up', 'keep']),
  state: z.enum(requestStates),
  portId: z.string().nullable(),
  /** Ports that are being cancelled: the same decision once more settles them. */
  waitsFor: z.array(z.string()).optional(),
});
export type DecideJson = z.infer<typeof decideJson>;

/** `redrive`; `givenBack` is 0 but for the queue that was named. */
export const redriveJson = z.object({
  queues: z.array(z.object({ queue: z.string(), putAside: z.int().nonnegative(), givenBack: z.int().nonnegative() })),
  /** With `redrive sync`: the run; unless it is `synced`, the records stay. */
  sync: syncJson.optional(),
});
export type RedriveJson = z.infer<typeof redriveJson>;

/** `upload-url NAME` */
export const uploadUrlJson = z.object({ url: z.url(), key: z.string(), expiresAt: z.iso.datetime() });

/** `start`: first this line, then one of `importJson` for each change, until Ctrl-C. */
export const startedJson = z.object({
  endpoints: z.record(z.string(), z.string()),
  outputs: z.record(z.string(), z.string()),
  speed: z.number(),
});

/** `demo` */
export const demoJson = z.object({
  import: outcomeJson,
  outcomes: z.array(z.object({ outcome: z.string(), status: z.string(), rows })),
  rejected: z.array(issueJson),
  attention: z.array(attentionEntryJson),
  reports: z.array(z.string()),
  seconds: z.number(),
});
