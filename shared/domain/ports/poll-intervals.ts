// How often sync reads a port. The status table (port-status.ts) gives each status one of these rules.

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** The wait until the next read, in milliseconds: `factor` times the age of the last change, from `min` to `max`. */
export interface PollInterval {
  readonly factor: number;
  readonly min: number;
  readonly max: number;
}

/** Which interval applies depends on the days that are left until the port date. */
export interface PollRule {
  readonly beforePortDate: PollInterval;
  readonly fromPortDate: PollInterval;
}

const growing = (factor: number, min: number, max: number): PollInterval => ({ factor, min, max });
const every = (ms: number): PollInterval => growing(0, ms, ms);
const always = (interval: PollInterval): PollRule => ({ beforePortDate: interval, fromPortDate: interval });

/** No port waits longer than this for its next read. */
export const longestPollDays = 4;

export const pollRules = {
  /** The service checks PACs within minutes of a create or an amend. */
  validating: always(growing(1, minute, hour)),
  /** A person must correct a row: a change is likely soon after the last one. */
  actionRequired: always(growing(1, 2 * minute, 6 * hour)),
  submitted: { beforePortDate: growing(7, 15 * minute, day), fromPortDate: every(hour) },
  /** Nothing can stop a locked port: the next change comes on the port date. */
  locked: { beforePortDate: every(longestPollDays * day), fromPortDate: every(15 * minute) },
  /** The service provisions a port in several steps, each soon after the last one. */
  provisioning: always(growing(1, 15 * minute, hour)),
  /** The spec does not define how long such a status lasts. */
  unspecified: always(growing(1, 10 * minute, 6 * hour)),
} as const satisfies Readonly<Record<string, PollRule>>;

/** All actions take up to 24 hours (spec): a port that has not ended a day after its date waits for the operator. */
export const overdueInterval = growing(1, hour, 12 * hour);

/** Milliseconds until the next read of a port that last changed `ageMs` ago. */
export const waitMs = ({ factor, min, max }: PollInterval, ageMs: number): number =>
  Math.min(Math.max(ageMs * factor, min), max);
