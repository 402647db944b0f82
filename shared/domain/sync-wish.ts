// What a person asks of sync beside a run of the schedule, and what of its answer a person is told.
import * as z from 'zod/mini';

/** The run shows first that the service takes the secret as it is stored by now, by a new token; an older sync only runs. */
export const syncWish = z.object({ checkSecret: z.literal(true) });
export type SyncWish = z.infer<typeof syncWish>;

/** Members that an older sync does not answer are optional. */
export const syncAnswer = z.object({
  /** Another run is at work: this one did nothing. */
  skipped: z.boolean(),
  /** Ports that are due and wait for the next run. */
  left: z.int().check(z.nonnegative()),
  /** The service answered a call with a token that was got for the secret as stored. */
  secretChecked: z.optional(z.boolean()),
  /** Why the service could not be asked, in the step that failed first. */
  failure: z.optional(z.string()),
});
export type SyncAnswer = z.infer<typeof syncAnswer>;
