// The items of a port as it was read: the port, its rows and its history.
import * as z from 'zod/mini';
import { count, instant, ordinal } from '../domain/schemas.ts';
import { expiresAt, optionalCount, optionalInstant, optionalText, text } from './fields.ts';

export const portRowState = z.object({
  line: ordinal,
  msisdn: text,
  status: text,
  message: optionalText,
});
/** One row of a port as last read; `line` is its line in the CSV, `msisdn` is E.164 digits. */
export type PortRowState = z.infer<typeof portRowState>;

export const portItem = z.object({
  portId: text,
  account: z.int(),
  importId: text,
  request: ordinal,
  name: text,
  /** `statusName` exactly as the service wrote it. */
  status: text,
  connectionDate: text,
  rowCount: count,
  /** Rows that are ready, and rows that block them (spec: "only when all lines are PacValid or Cancelled"). */
  readyRows: count,
  blockingRows: count,
  /** Rows that need action. */
  actionRequired: count,
  /** The cancellation deadline in calendar time; absent once the port can no longer be cancelled. */
  cancelBy: optionalInstant,
  /** What is wrong with the port as a whole, in words. */
  concern: optionalText,
  /** Other ports with the same numbers: a person must choose which port stays. */
  duplicatePortIds: z.optional(z.array(text)),
  /** Consecutive reads that the service answered with 404 (spec gap 33). */
  missingReads: count,
  /** Consecutive failed reads while the service answered other calls. */
  failedReads: optionalCount,
  /** Calendar time at which the last successful read began: the answer of an earlier read never overwrites it. */
  readAt: instant,
  /** Calendar time at which the rows were last read: the list does not show them. */
  rowsReadAt: optionalInstant,
  /** Calendar time of the next read; absent once the port has ended. */
  dueAt: optionalInstant,
  changedAt: instant,
  expiresAt,
});
export type PortItem = z.infer<typeof portItem>;

export const portEvent = z.object({
  portId: text,
  at: instant,
  status: text,
  was: optionalText,
  /** The owner of the port, for announce, which reads only this item. */
  importId: optionalText,
  request: z.optional(ordinal),
  expiresAt,
});
export type PortEvent = z.infer<typeof portEvent>;
