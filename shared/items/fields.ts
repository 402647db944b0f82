// Fields that several items of the table have.
import * as z from 'zod/mini';
import { longestScheduledDays } from '#shared/row/booking-window.ts';
import { count, instant } from '../domain/schemas.ts';

export const text = z.string();
export const optionalText = z.optional(text);
export const optionalInstant = z.optional(instant);
export const optionalCount = z.optional(count);
export const flag = z.optional(z.boolean());
/** Of a CSV. */
export const encoding = z.enum(['utf-8', 'windows-1252', 'utf-16le', 'utf-16be']);
export const separator = z.enum([',', ';', '\t', '|']);

/**
 * When DynamoDB may delete the item, in seconds since 1970. All items of an import have that of the import.
 * @default - never
 */
export const expiresAt = z.optional(count);

/** A plan waits for its approval, its requests until their date can be booked, and its ports for that date. */
const longestLifeDays = 45 + longestScheduledDays + 90;

/**
 * Of an import that begins now, or of what a person does with it: the time that items are kept follows the day on which
 * the import has ended at the latest, so that nothing in progress is deleted.
 * @param now in milliseconds since 1970
 * @param recordDays for how long items are kept
 */
export const expiryOf = (now: number, recordDays: number): number =>
  Math.floor(now / 1_000) + (longestLifeDays + recordDays) * 86_400;

export const tally = z.record(z.string(), count);
/** Counts by name: `{ created: 12, declined: 1 }`. */
export type Tally = z.infer<typeof tally>;
