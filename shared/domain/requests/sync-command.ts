// The command that starts a sync run outside of the schedule, and its answer.
import * as z from 'zod/mini';

/** The run first gets a new token with the stored secret. Older versions of sync ignore this. */
export const syncCommand = z.object({ checkSecret: z.literal(true) });
export type SyncCommand = z.infer<typeof syncCommand>;

/** Members that older versions of sync do not answer are optional. */
export const syncAnswer = z.object({
  /** Another run was in progress, so this one did nothing. */
  skipped: z.boolean(),
  /** Due ports that were left for the next run. */
  left: z.int().check(z.nonnegative()),
  /** The service answered a call with a token for the stored secret. */
  secretChecked: z.optional(z.boolean()),
  /** The failure of the first step that could not call the service. */
  failure: z.optional(z.string()),
});
export type SyncAnswer = z.infer<typeof syncAnswer>;
