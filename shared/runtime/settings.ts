// The settings that the functions use: their schema and their defaults. infra/settings.ts adds those of the resources
// and checks all of them at the synthesis. Each group reaches the functions as one variable with its name.
import * as z from 'zod/mini';
import { approvalModes } from '#shared/import/approval.ts';
import { mostRowsPerRequest } from '#shared/text/identity.ts';
import { parseJson } from '#shared/text/stored-values.ts';
import { parseVariables } from './config.ts';

const positive = z.int().check(z.positive());

/** The porting service. Its secret is a resource. */
const service = z.object({
  baseUrl: z.url(),
  authUrl: z.url(),
  accountId: z.coerce.number().check(z.int(), z.positive()),
  /** By what imports know the service, if it has moved to another address: the first one. @default baseUrl */
  knownAs: z.optional(z.string().check(z.minLength(1))),
});

/** How the account at the porting service writes dates and numbers, and what happens to its rows. */
const account = z.object({
  zone: z._default(z.string(), 'Europe/London'),
  callingCode: z._default(z.string().check(z.regex(/^[1-9]\d{0,2}$/)), '44'),
  msisdnFormat: z._default(z.enum(['national', 'e164', 'e164plus']), 'national'),
  /** A row whose number was ported before is invalid (`error`), or is sent with a warning (`warning`). */
  alreadyPorted: z._default(z.enum(['error', 'warning']), 'error'),
  /** The service may lock a port from this hour of the working day before its date: the last chance to cancel. */
  lockingHour: z._default(z.int().check(z.minimum(0), z.maximum(23)), 16),
  /** Rows with an invalid PAC block their port until a person acts (`wait`), or are removed from it (`remove`). */
  onInvalidPac: z._default(z.enum(['wait', 'remove']), 'wait'),
  /** Hours from the port's last change to the removal; two hours before the lock it happens in any case. */
  removeBlockingAfterHours: z._default(positive, 24),
  /** Networks with bundle control, by networkNumber or name. @default - those that the specification names */
  bundleControlNetworks: z.optional(z.array(z.string()).check(z.minLength(1))),
});

const limits = z.object({
  rowsPerRequest: z._default(z.int().check(z.minimum(1), z.maximum(mostRowsPerRequest)), 100),
  /** 10 million rows of 140 characters are 1.4 GB. */
  fileBytes: z._default(positive, 2 * 1024 ** 3),
  fileRows: z._default(positive, 10_000_000),
  /** A file with a higher share of invalid rows is rejected as a whole. */
  toleratedFailurePercentage: z._default(z.number().check(z.minimum(0), z.maximum(100)), 100),
});

const submit = z.object({
  callTimeoutSeconds: z._default(z.int().check(z.minimum(1), z.maximum(60)), 15),
  /** Wait before sync searches for a request of unknown outcome: the service's list may lag (fault 45). */
  quietSeconds: z._default(positive, 240),
  /** Whether a declined request is sent again without the rows that the service named (spec gap 25). */
  retryWithoutDeclined: z._default(z.boolean(), true),
});

const retention = z.object({
  /** Items of the results table, from the day on which the import has ended at the latest. */
  recordDays: z._default(z.int().check(z.minimum(90), z.maximum(3650)), 730),
});

/** By their names in infra/settings.ts. */
export const functionSettings = {
  service,
  account,
  limits,
  submit,
  retention,
  /** Rate limit of calls to the service, for the whole environment. The specification names none: ask its operator. */
  callsPerSecond: z._default(z.number().check(z.minimum(1), z.maximum(1000)), 10),
  /**
   * `upload`: a file outside plan/ is sent at once, and a plan needs one approver. `one`: every file waits for an
   * approver. `two`: every file waits, and nobody whose input is in it can approve it.
   */
  approval: z.enum(approvalModes),
  /** Whether report also writes each finished import as Parquet, for queries. */
  analytics: z.boolean(),
};
export type SettingName = keyof typeof functionSettings;
export type FunctionSettings = { readonly [Name in SettingName]: z.infer<(typeof functionSettings)[Name]> };

/** @throws Error that names every setting which is missing or wrong */
export function readSettings(env: Readonly<Record<string, string | undefined>>): FunctionSettings {
  const groups = Object.entries(functionSettings).map(([name, schema]) => [name, json(schema)]);
  return parseVariables(env, z.object(Object.fromEntries(groups))) as FunctionSettings;
}

const json = (schema: z.ZodMiniType) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((value): unknown => parseJson(value) ?? null),
    ),
    schema,
  );

/**
 * The variables of all functions, without the settings that no function uses: a change of those deploys none. The
 * synthesis has checked the values, and some are known only at the deployment.
 */
export const settingVariables = (settings: FunctionSettings): Record<SettingName, string> =>
  Object.fromEntries(
    Object.entries(functionSettings).map(([name, schema]) => {
      const value: unknown = settings[name as SettingName];
      return [name, JSON.stringify(schema instanceof z.ZodMiniObject ? membersOf(schema.shape, value) : value)];
    }),
  ) as Record<SettingName, string>;

const membersOf = (shape: object, group: unknown): object =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, Reflect.get(group as object, name)]));
