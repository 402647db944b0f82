// The environment variables of the functions, parsed once at start: a missing or wrong one is a clear error at once.
// Those with settings are in settings.ts.
import * as z from 'zod/mini';
import english from 'zod/v4/locales/en.js';

const text = z.string().check(z.minLength(1));
const positiveInteger = z.coerce.number().check(z.int(), z.positive());

export const environmentSchema = z.object({
  INBOX_BUCKET: text,
  /** Plans, which contain PACs and expire soon. */
  WORK_BUCKET: text,
  /** What users download: results.csv, rejected.csv, issues.ndjson. */
  RESULTS_BUCKET: text,
  RESULTS_TABLE: text,
  INGEST_QUEUE_URL: z.url(),
  COMMAND_QUEUE_URL: z.url(),
  SUBMIT_QUEUE_URL: z.url(),
  REPORT_QUEUE_URL: z.url(),
  /** The name of the bus to which events are published, and their source. */
  EVENT_BUS: text,
  EVENT_SOURCE: text,
  SERVICE_SECRET_ARN: text,
  /** What the console shows of the environment. */
  ENVIRONMENT_NAME: text,
  ENVIRONMENT_KIND: z.enum(['local', 'sandbox', 'production']),
  ENVIRONMENT_COLOUR: text,
  /** The name of the function that resolves requests. */
  SYNC_FUNCTION: text,
  LEASE_SECONDS: positiveInteger,
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
  const wanted = Object.fromEntries(names.map((name) => [name, true])) as { [Key in Name]: true };
  return parseVariables(env, z.pick(environmentSchema, wanted as never)) as Pick<Environment, Name>;
}

/** @throws Error that names every variable which is missing or wrong */
export function parseVariables<Value>(env: Readonly<Record<string, string | undefined>>, schema: z.ZodMiniType<Value>) {
  // zod/mini has no messages: this sets the English ones.
  z.config(english());
  const parsed = schema.safeParse(env);
  if (parsed.success) return parsed.data;
  throw new Error(`The environment variables of the function are incomplete:\n${z.prettifyError(parsed.error)}`);
}
