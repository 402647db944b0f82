// The answers of `--json`, one schema for each command. Scripts depend on them: members are added, never renamed.
import * as z from 'zod';
import { publishedEvent } from '#cli/commands/events.ts';
import { importStates } from '#shared/import/import.ts';
import { serviceCheck } from '#shared/request/messages.ts';
import { requestStates } from '#shared/request/request.ts';
import {
  actionEntry,
  auditEntry,
  correctionRow,
  foundRow,
  importProgress,
  interruptions,
  issueAnswer,
  listedPort,
  mismatchSummary,
  numberDetails,
  planGroup,
  portDay,
  portDetails,
  portOfDay,
  redeliveryAt,
  resultRow,
  simServices,
} from '#shared/results/answers.ts';
import { count, tally } from '#shared/text/stored-values.ts';

/** Every answer about an emulator or a stack states whether its porting service is a simulator. */
const withTarget = <Shape extends z.ZodRawShape>(answer: z.ZodObject<Shape>) =>
  answer.extend({ simulated: z.boolean() });

/** `validate FILE` */
export const validationJson = withTarget(
  z.object({
    importId: z.string(),
    state: z.enum(importStates),
    rows: count,
    accepted: count,
    rejected: count,
    warnings: count,
    requests: count,
    plan: z.array(planGroup),
    issues: z.array(issueAnswer),
  }),
);

const importOutcome = z.object({
  importId: z.string(),
  state: z.enum(importStates),
  rows: count,
  accepted: count,
  rejected: count,
  requests: tally,
  ports: tally,
});
/** Of an import that corrects another one, or is corrected. */
const chain = z.object({
  /** The import whose file was corrected, and the first one of the chain. */
  correctionOf: z.string().optional(),
  rootImportId: z.string().optional(),
  /** The rows of the first file with the latest outcome of each. */
  root: z.object({ importId: z.string(), rows: count, outcomes: importProgress.shape.outcomes }).optional(),
});

const importOutcomeWithProgress = importOutcome.extend({
  ...importProgress.shape,
  planOnly: z.boolean(),
  warnings: count,
  issues: z.array(issueAnswer),
});
/** `import FILE` and `approve IMPORT`, with and without `--watch`: the import at the end of the command. */
export const outcomeJson = withTarget(importOutcomeWithProgress.extend(chain.shape));

const importEntry = importOutcome.extend({
  operation: z.string().nullable(),
  file: z.string(),
  bytes: count,
  planOnly: z.boolean(),
  receivedAt: z.iso.datetime(),
  changedAt: z.iso.datetime(),
  warnings: count,
  skipped: count,
  requestCount: count,
  actionRequired: count,
  issues: z.array(issueAnswer),
  /** Its number and the address of its service. */
  account: z.string(),
  /** Lists leave it out. */
  archived: z.literal(true).optional(),
  /** The import of a later version of the same file. */
  supersededBy: z.string().optional(),
  /** Of an import that moves ports: their first import, and the requested date or `auto`. */
  reschedules: z.object({ importId: z.string(), date: z.string() }).optional(),
  /** Of an import that follows a port that was made elsewhere. */
  adoptedPort: z.string().optional(),
  /** Who approved it, moved the ports or adopted the port, and why. */
  requestedBy: z.object({ by: z.string(), because: z.string().optional() }).optional(),
});
/** `reschedule IMPORT`, `adopt PORT`, and each change that `start` prints */
export const importJson = withTarget(importEntry);

/** `status IMPORT`; `plan` while it waits for approval, `outage` while the service is unavailable. */
export const statusJson = withTarget(
  importEntry.extend({
    ...chain.shape,
    ...importProgress.shape,
    redeliveryAt,
    plan: z.array(planGroup).optional(),
    ...interruptions.shape,
  }),
);

/** `imports` */
export const importsJson = withTarget(z.object({ imports: z.array(importEntry), isComplete: z.boolean() }));

/** `results IMPORT`: one per row of the file, in the order of the file. */
export const resultJson = withTarget(resultRow);

/** `rejected IMPORT`: one per error, in the order of the file. */
export const issueJson = withTarget(issueAnswer);

/** `corrections IMPORT`: one per row that was declined or needs a new PAC. */
export const correctionJson = withTarget(correctionRow);

/** `port ID` */
export const portJson = withTarget(portDetails);

/** `ports` */
export const portsJson = withTarget(
  z.object({
    /** When the list was last read. */
    readAt: z.iso.datetime(),
    /** The last reading reached the end of the list. */
    isComplete: z.boolean(),
    /** How many ports fit; `ports` has as many as `--limit`. */
    found: count,
    ports: z.array(listedPort),
  }),
);

/** `ports --from --to` */
export const portDaysJson = withTarget(
  z.object({
    from: z.iso.date(),
    to: z.iso.date(),
    isComplete: z.boolean(),
    days: z.array(portDay),
    found: count,
    ports: z.array(portOfDay.extend({ numbers: z.array(z.string()) })),
  }),
);

/** `number MSISDN` */
export const numberJson = withTarget(numberDetails);

/** `number TEXT`, of a text that no import has sent as a number */
export const foundRowsJson = withTarget(
  z.object({
    text: z.string(),
    searched: count,
    withoutResults: count,
    isComplete: z.boolean(),
    rows: z.array(foundRow),
  }),
);

const numberLine = z.object({
  /** Of the file. */
  line: z.int().positive(),
  text: z.string(),
  /** E.164 digits; null: the text is no mobile number. */
  number: z.string().nullable(),
  /** null: no import has ported it. */
  outcome: numberDetails.shape.outcome.nullable(),
  status: z.string().nullable(),
  message: z.string().nullable(),
  whatToDo: z.string().nullable(),
  importId: z.string().nullable(),
  importLine: z.int().nullable(),
  file: z.string().nullable(),
  portId: z.string().nullable(),
});
/** `numbers FILE`: one per number, in the order of the file. */
export const numberLineJson = withTarget(numberLine);

/** `sim-services FILE`: one per SIM, in the order of the file. */
export const simServicesJson = withTarget(simServices.extend({ line: z.int() }));

/** `next` is the command that continues. */
const actionEntryJson = actionEntry.extend({ next: z.string().nullable() });

/** `actions` */
export const actionsJson = withTarget(
  z.object({
    actionRequired: z.array(actionEntryJson),
    /** More than 10,000 of one kind exist, and not all were read. */
    incomplete: z.literal(true).optional(),
    ...interruptions.shape,
  }),
);

/** `mismatches IMPORT` */
export const mismatchesJson = withTarget(mismatchSummary);

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

/** `reference-data [LIST]`: the entries of each list, with the columns of its file */
export const referenceDataJson = withTarget(
  z.object({ lists: z.record(z.string(), z.array(z.record(z.string(), z.string()))) }),
);

/** Any command with `--csv` */
export const writtenJson = withTarget(z.object({ written: z.array(z.string()) }));

/** `events`: one per line. */
export const eventJson = withTarget(publishedEvent);

const syncRun = z.object({
  /** false: another run was in progress, ports are left, or the service could not be called. */
  synced: z.boolean(),
  /** Another run was in progress, so this one did nothing. */
  alreadyRunning: z.boolean(),
  /** Due ports that wait for the next run. */
  portsLeft: count,
  /** The service accepted a new access token for the secret as it is stored. */
  secretChecked: z.boolean(),
  failure: z.string().optional(),
  ...interruptions.shape,
});
/** `sync` */
export const syncJson = withTarget(syncRun);

/** `doctor` */
export const doctorJson = withTarget(z.object({ checks: z.array(serviceCheck) }));

const resolvedRequest = z.object({
  importId: z.string(),
  request: z.int().positive(),
  resolution: z.enum(['adopt', 'resend', 'abandon', 'keep']),
  /** After the resolution. */
  state: z.enum(requestStates),
  portId: z.string().nullable(),
  /** Ports that the service is cancelling: run the same command again once they are cancelled. */
  cancelling: z.array(z.string()).optional(),
});
/** `resolve IMPORT/REQUEST` */
export const resolveJson = withTarget(resolvedRequest);

const redrivenQueues = z.object({
  /** `redriven` is 0 except for the queue that was named. */
  queues: z.array(z.object({ queue: z.string(), deadLettered: count, redriven: count })),
  /** With `redrive sync`: the run of sync. The records are deleted only when it is `synced`. */
  sync: syncRun.optional(),
});
/** `redrive` */
export const redriveJson = withTarget(redrivenQueues);

/** `upload-url NAME` */
export const uploadUrlJson = withTarget(
  z.object({
    url: z.url(),
    key: z.string(),
    headers: z.record(z.string(), z.string()),
    expiresAt: z.iso.datetime(),
  }),
);

/** `start`: first this line, then an `importJson` for each change, until Ctrl-C. */
export const startedJson = withTarget(
  z.object({
    endpoints: z
      .object({ s3: z.string(), sqs: z.string(), dynamodb: z.string(), lambda: z.string() })
      .catchall(z.string()),
    outputs: z.record(z.string(), z.string()),
    /** What an AWS client needs, with the access key. */
    environment: z.record(z.string(), z.string()),
    speed: z.number(),
  }),
);

/** `demo` */
export const demoJson = withTarget(
  z.object({
    import: importOutcomeWithProgress,
    outcomes: z.array(z.object({ outcome: z.string(), status: z.string(), rows: count })),
    rejected: z.array(issueAnswer),
    actionRequired: z.array(actionEntryJson),
    reports: z.array(z.string()),
    seconds: z.number(),
  }),
);

/** `audit IMPORT` */
export const auditJson = withTarget(z.object({ importId: z.string(), entries: z.array(auditEntry) }));

/** `forget MSISDN` */
export const forgetJson = withTarget(
  z.object({
    dryRun: z.boolean(),
    erased: z.array(
      z.object({
        what: z.enum(['item', 'file']),
        place: z.string(),
        how: z.enum(['deleted', 'changed']),
        isUnread: z.literal(true).optional(),
      }),
    ),
  }),
);
