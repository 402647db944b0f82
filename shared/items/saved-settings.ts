// How files with a certain header are read, as a person saved it for everybody who uses the account.
// No item of the table contains a PAC (decision 44).
import * as z from 'zod/mini';
import { dateOrders } from '../domain/dates/date-order.ts';
import { operationNames } from '../domain/imports/operation-name.ts';
import { instant, ordinal } from '../domain/schemas.ts';
import { encoding, flag, optionalText, separator, text } from './fields.ts';

const texts = z.optional(z.record(z.string(), z.string()));

/** The settings of an upload that describe its file. What is absent is detected. */
const fileSettings = z.object({
  columnValues: texts,
  mapping: texts,
  headerRow: z.optional(ordinal),
  sheet: optionalText,
  otherSheets: z.optional(z.array(text)),
  visibleRowsOnly: flag,
  encoding: z.optional(encoding),
  separator: z.optional(separator),
  dateOrder: z.optional(z.enum(dateOrders)),
});
export type FileSettings = z.infer<typeof fileSettings>;

export const savedSettings = z.object({
  /** The id of the operation and the header (shared/workbook/header-id.ts). */
  savedId: text,
  operation: z.enum(operationNames),
  name: text,
  by: text,
  savedAt: instant,
  settings: fileSettings,
});
export type SavedSettings = z.infer<typeof savedSettings>;
