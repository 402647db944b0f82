// How files with a certain header are read, as a person saved it for everybody who uses the account.
// No item of the table contains a PAC (decision 2).
import * as z from 'zod/mini';
import { dateOrders } from '#shared/row/date-order.ts';
import { operationNames } from '#shared/text/identity.ts';
import { encoding, flag, type ItemKey, instant, isWellFormed, separator, text } from '#shared/text/stored-values.ts';

const written = (most: number, least = 0) => z.string().check(z.minLength(least), z.maxLength(most), isWellFormed);
const name = written(100, 1);

/** How a file is read, in an upload and as a person saves it. What is absent is detected. */
export const fileSettings = z.object({
  /** Values for whole columns, by column name. */
  columnValues: z.optional(z.record(name, written(500))),
  /** Names in the header to column names; an empty text keeps a column as the user's own. */
  mapping: z.optional(z.record(written(200, 1), written(100))),
  /** What texts in a column mean, by column name: the name or number of an item of the service. */
  meanings: z.optional(z.record(name, z.record(written(200, 1), written(200, 1)))),
  /** The row of the header, counted from 1. */
  headerRow: z.optional(z.int().check(z.minimum(1), z.maximum(1_000))),
  /** The name of the sheet, in a workbook. */
  sheet: z.optional(name),
  /** Sheets with the same header, read behind `sheet` as one file. */
  otherSheets: z.optional(z.array(name).check(z.maxLength(100))),
  /** Leaves out the rows of a workbook that are hidden or filtered out. */
  visibleRowsOnly: flag,
  encoding: z.optional(encoding),
  separator: z.optional(separator),
  /** The order of day, month and year in every date. */
  dateOrder: z.optional(z.enum(dateOrders)),
});
export type FileSettings = z.infer<typeof fileSettings>;

/** The limits of saved settings. All of an account fit into one answer of Lambda. */
export const savedLimits = { entries: 200, bytes: 16 * 1_024, settings: 500, allBytes: 4 * 1_024 * 1_024 };

export const savedSettings = z.object({
  /** The id of the operation and the header (shared/files/open-upload.ts). */
  savedId: text,
  operation: z.enum(operationNames),
  name: text,
  by: text,
  /** Ids of everyone who saved them: a renaming keeps the values of others. */
  authors: z.array(text),
  savedAt: instant,
  settings: fileSettings,
});
export type SavedSettings = z.infer<typeof savedSettings>;

/** How files with a certain header are read. */
export const savedSettingsPrefix = 'header#';
export const savedSettingsPk = (account: string): string => `saved#${account}`;
export const savedSettingsKey = (account: string, savedId: string): ItemKey => ({
  pk: savedSettingsPk(account),
  sk: `${savedSettingsPrefix}${savedId}`,
});
