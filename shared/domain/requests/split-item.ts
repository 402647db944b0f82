// The parts of a declined request that is sent again in halves (docs/decisions/0037). Lines are packed by `packLines`.
import * as z from 'zod/mini';
import { count } from '../schemas.ts';

export const splitItem = z.object({
  /** How often a part was halved, or sent again without the rows that were named. */
  steps: count,
  /** The part that is sent now. */
  current: z.string(),
  /** Parts that were not sent yet, the next one first. */
  waiting: z.array(z.string()),
  accepted: z.array(z.object({ lines: z.string(), ticket: z.string() })),
});
export type Split = z.infer<typeof splitItem>;
