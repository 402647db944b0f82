// Fields that several items of the table have.
import * as z from 'zod/mini';
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

export const tally = z.record(z.string(), count);
/** Counts by name: `{ created: 12, declined: 1 }`. */
export type Tally = z.infer<typeof tally>;
