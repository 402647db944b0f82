// The environment of the functions, parsed once at start: a missing or wrong variable is one clear error, not a late undefined.
import * as z from 'zod/mini';
import english from 'zod/v4/locales/en.js';

const text = z.string().check(z.minLength(1));
const positiveInteger = z.coerce.number().check(z.int(), z.positive());

export const environmentSchema = z.object({
  INBOX_BUCKET: text,
  /** Plans: they hold PACs and expire soon. */
  WORK_BUCKET: text,
  /** What people fetch: results.csv, rejected.csv, issues.ndjson. */
  RESULTS_BUCKET: text,
  RESULTS_TABLE: text,
  INGEST_QUEUE_URL: z.url(),
  SUBMIT_QUEUE_URL: z.url(),
  REPORT_QUEUE_URL: z.url(),
  /** Name of the bus on which events are announced, and the source that they carry. */
  EVENT_BUS: text,
  EVENT_SOURCE: text,
  SERVICE_BASE_URL: z.url(),
  SERVICE_AUTH_URL: z.url(),
  SERVICE_ACCOUNT_ID: positiveInteger,
  SERVICE_SECRET_ARN: text,
  ACCOUNT_ZONE: text,
  CALLING_CODE: z.string().check(z.regex(/^[1-9]\d{0,2}$/)),
  MSISDN_FORMAT: z.enum(['national', 'e164', 'e164plus']),
  /** The hour of the account's day at which the service locks the next working day's ports. */
  LOCKING_HOUR: z.coerce.number().check(z.int(), z.minimum(0), z.maximum(23)),
  /** Whether lines with a bad PAC stay in their port until a person acts, or are taken out of it after a while. */
  ON_BAD_PAC: z.enum(['wait', 'evict']),
  EVICT_AFTER_HOURS: z.coerce.number().check(z.positive()),
  /** Separated by `;`; unset, they are the ones that the spec names. */
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
  CALL_TIMEOUT_SECONDS: positiveInteger,
  /** Of the whole stage, whatever number of environments there is. */
  CALLS_PER_SECOND: z.coerce.number().check(z.positive()),
  LEASE_SECONDS: positiveInteger,
  QUIET_SECONDS: positiveInteger,
  RETRY_WITHOUT_REFUSED_ROWS: z.stringbool({ truthy: ['true'], falsy: ['false'] }),
  /** Both unset on AWS; in a rehearsal the calendar starts at the origin (epoch ms) and runs at this speed. */
  CALENDAR_ORIGIN: z.optional(z.coerce.number()),
  CALENDAR_SPEED: z.optional(z.coerce.number().check(z.positive())),
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
  // zod/mini comes without words: from here on, whatever does not parse is told in English.
  z.config(english());
  const wanted = Object.fromEntries(names.map((name) => [name, true])) as { [Key in Name]: true };
  const parsed = z.pick(environmentSchema, wanted as never).safeParse(env);
  if (!parsed.success) throw new Error(`The function's environment is not complete:\n${z.prettifyError(parsed.error)}`);
  return parsed.data as Pick<Environment, Name>;
}
