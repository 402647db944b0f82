// The environment variables of the functions, parsed once at start: a missing or wrong one is a clear error at once.
import * as z from 'zod/mini';
import english from 'zod/v4/locales/en.js';
import { approvalModes } from '#shared/domain/imports/approval.ts';

const text = z.string().check(z.minLength(1));
const flag = z.stringbool({ truthy: ['true'], falsy: ['false'] });
const positiveInteger = z.coerce.number().check(z.int(), z.positive());

export const environmentSchema = z.object({
  INBOX_BUCKET: text,
  /** Plans, which contain PACs and expire soon. */
  WORK_BUCKET: text,
  /** What users download: results.csv, rejected.csv, issues.ndjson. */
  RESULTS_BUCKET: text,
  RESULTS_TABLE: text,
  INGEST_QUEUE_URL: z.url(),
  SUBMIT_QUEUE_URL: z.url(),
  REPORT_QUEUE_URL: z.url(),
  /** The name of the bus to which events are published, and their source. */
  EVENT_BUS: text,
  EVENT_SOURCE: text,
  SERVICE_BASE_URL: z.url(),
  SERVICE_AUTH_URL: z.url(),
  SERVICE_ACCOUNT_ID: positiveInteger,
  SERVICE_SECRET_ARN: text,
  ACCOUNT_ZONE: text,
  CALLING_CODE: z.string().check(z.regex(/^[1-9]\d{0,2}$/)),
  MSISDN_FORMAT: z.enum(['national', 'e164', 'e164plus']),
  /** What a row is whose number was ported before. */
  ALREADY_PORTED: z.enum(['error', 'warning']),
  /** The hour of the account's day at which the service locks the ports of the next working day. */
  LOCKING_HOUR: z.coerce.number().check(z.int(), z.minimum(0), z.maximum(23)),
  /**
   * Whether rows with an invalid PAC stay in their port until a person acts, or are removed from it after some time.
   */
  ON_INVALID_PAC: z.enum(['wait', 'remove']),
  REMOVE_BLOCKING_AFTER_HOURS: z.coerce.number().check(z.positive()),
  /** Separated by `;`. @default - the networks that the spec names */
  BUNDLE_CONTROL_NETWORKS: z.optional(
    z.pipe(
      text,
      z.transform((text) => text.split(';')),
    ),
  ),
  MAX_ROWS_PER_REQUEST: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1000)),
  MAX_FILE_BYTES: positiveInteger,
  MAX_FILE_ROWS: positiveInteger,
  TOLERATED_FAILURE_PERCENTAGE: z.coerce.number().check(z.minimum(0), z.maximum(100)),
  /** What the console shows of the environment. */
  ENVIRONMENT_NAME: text,
  ENVIRONMENT_KIND: z.enum(['local', 'sandbox', 'production']),
  ENVIRONMENT_COLOUR: text,
  /** Whether the porting service is the simulator. */
  SIMULATED: flag,
  /** Which files wait for an approver, and whether it must be a second person. */
  APPROVAL: z.enum(approvalModes),
  /** The name of the function that resolves requests. */
  SYNC_FUNCTION: text,
  CALL_TIMEOUT_SECONDS: positiveInteger,
  /** Of all functions and their environments together. */
  CALLS_PER_SECOND: z.coerce.number().check(z.positive()),
  LEASE_SECONDS: positiveInteger,
  QUIET_SECONDS: positiveInteger,
  RETRY_WITHOUT_DECLINED_ROWS: flag,
  SPLIT_DECLINED_REQUESTS: flag,
  /** Days after which DynamoDB may delete the items of an import, from its upload. */
  RECORD_RETENTION_DAYS: z.optional(positiveInteger),
  /** Unset on AWS. On one machine the calendar can differ from wall time: the file states how. */
  CALENDAR_FILE: z.optional(text),
});
export type Environment = z.infer<typeof environmentSchema>;
export type EnvironmentName = keyof Environment;

/** Parses the variables that one function needs. @throws Error that names every variable which is missing or wrong */
export function parseEnvironment<Name extends EnvironmentName>(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly Name[],
): Pick<Environment, Name> {
  // zod/mini comes without texts: from here on its errors are in English.
  z.config(english());
  const wanted = Object.fromEntries(names.map((name) => [name, true])) as { [Key in Name]: true };
  const parsed = z.pick(environmentSchema, wanted as never).safeParse(env);
  if (!parsed.success)
    throw new Error(`The environment variables of the function are incomplete:\n${z.prettifyError(parsed.error)}`);
  return parsed.data as Pick<Environment, Name>;
}
