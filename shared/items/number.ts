// The item of a number: one claim, so that no number is in two requests at once.
import * as z from 'zod/mini';
import { instant, ordinal } from '../domain/schemas.ts';
import { expiresAt, optionalText, text } from './fields.ts';

/** The last reading of one row. Written only when the row starts or stops to need action, or has ended. */
export const latestReading = z.object({
  portId: text,
  status: text,
  message: optionalText,
  /** Calendar time at which the read began: an earlier read never overwrites it. */
  readAt: instant,
  /** The row has ended: the number is free for another import. */
  ended: z.boolean(),
});
export type LatestReading = z.infer<typeof latestReading>;

/** A port of a number that is complete. `at`: calendar time at which it was read to be complete. */
export const portedNumber = z.object({ importId: text, line: ordinal, at: instant });
export type PortedNumber = z.infer<typeof portedNumber>;

/** The claim of a number: the row that it belongs to. Its current state is read from that request and its port. */
export const numberItem = z.object({
  number: text,
  importId: text,
  request: ordinal,
  line: ordinal,
  claimedAt: instant,
  latest: z.optional(latestReading),
  /** The latest complete port by an earlier claim. */
  ported: z.optional(portedNumber),
  expiresAt,
});
export type NumberItem = z.infer<typeof numberItem>;
