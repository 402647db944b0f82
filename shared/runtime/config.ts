// The environment of the functions, parsed once at start: a missing or wrong variable is one clear error, not a late undefined.
import * as z from 'zod';

const seconds = z.coerce.number().int().positive();

export const environmentSchema = z.object({
  INBOX_BUCKET: z.string().min(1),
  /** Plans: they hold PACs and expire soon. */
  WORK_BUCKET: z.string().min(1),
  /** What people fetch: results.csv, rejected.csv, issues.ndjson. */
  RESULTS_BUCKET: z.string().min(1),
  RESULTS_TABLE: z.string().min(1),
  INGEST_QUEUE_URL: z.url(),
  SUBMIT_QUEUE_URL: z.url(),
  REPORT_QUEUE_URL: z.url(),
  /** Name of the bus on which events are announced, and the source that they carry. */
  EVENT_BUS: z.string().min(1),
  EVENT_SOURCE: z.string().min(1),
  SERVICE_BASE_URL: z.url(),
  SERVICE_AUTH_URL: z.url(),
  SERVICE_ACCOUNT_ID: z.coerce.number().int().positive(),
  SERVICE_SECRET_ARN: z.string().min(1),
  ACCOUNT_ZONE: z.string().min(1),
  CALLING_CODE: z.string().regex(/^[1-9]\d{0,2}$/),
  MSISDN_FORMAT: z.enum(['national', 'e164', 'e164plus']),
  /** The hour of the account's day at which the service locks the next working day's ports. */
  LOCKING_HOUR: z.coerce.number().int().min(0).max(23),
  /** Whether lines with a bad PAC stay in their port until a person acts, or are taken out of it after a while. */
  ON_BAD_PAC: z.enum(['wait', 'evict']),
  EVICT_AFTER_HOURS: z.coerce.number().positive(),
  /** Separated by `;`; unset, they are the ones that the spec names. */
  BUNDLE_CONTROL_NETWORKS: z
    .string()
    .min(1)
    .transform((text) => text.split(';'))
    .optional(),
  MAX_ROWS_PER_REQUEST: z.coerce.number().int().min(1).max(1000),
  MAX_FILE_BYTES: z.coerce.number().int().positive(),
  MAX_FILE_ROWS: z.coerce.number().int().positive(),
  TOLERATED_FAILURE_PERCENTAGE: z.coerce.number().min(0).max(100),
  CALL_TIMEOUT_SECONDS: seconds,
  /** Of the whole stage, whatever number of environments there is. */
  CALLS_PER_SECOND: z.coerce.number().positive(),
  LEASE_SECONDS: seconds,
  QUIET_SECONDS: seconds,
  RETRY_WITHOUT_REFUSED_ROWS: z.stringbool({ truthy: ['true'], falsy: ['false'] }),
  METRICS_NAMESPACE: z.string().min(1),
  /** Both unset on AWS; in a rehearsal the calendar starts at the origin (epoch ms) and runs at this speed. */
  CALENDAR_ORIGIN: z.coerce.number().optional(),
  CALENDAR_SPEED: z.coerce.number().positive().optional(),
});
export type Environment = z.infer<typeof environmentSchema>;
export type EnvironmentName = keyof Environment;

/**
 * Parses the variables that one function needs.
 * @throws Error that names every variable which is missing or wrong
 */
export function parseEnvironment<Name extends EnvironmentName>(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly Name[],
): Pick<Environment, Name> {
  const wanted = Object.fromEntries(names.map((name) => [name, true])) as { [Key in Name]: true };
  const parsed = environmentSchema.pick(wanted as never).safeParse(env);
  if (!parsed.success) throw new Error(`The function's environment is not complete:\n${z.prettifyError(parsed.error)}`);
  return parsed.data as Pick<Environment, Name>;
}
