// Uploads: links that take exactly one file of exactly the announced size, below `plan/`: nothing is sent before
// a person approves the import.
import * as z from 'zod';
import { operationNames } from '#shared/domain/imports/operation-name.ts';
import { count, instant, ordinal } from '#shared/domain/schemas.ts';
import { numberText } from './path.ts';
import { fileColumn } from './rows.ts';

/** A name without folders, as the user's file has it. */
const fileName = z
  .string()
  .min(1)
  .max(200)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression excludes them
  .regex(/^[^./\\\u0000-\u001f\u007f][^/\\\u0000-\u001f\u007f]*$/, 'expected the name of a file without folders');

/** How a file is read. What is absent is detected. */
export const readingSettings = z.object({
  /** Values for whole columns, by column name. */
  columnValues: z.record(z.string().min(1).max(100), z.string().max(500)).optional(),
  /** Names in the header to column names; an empty text keeps a column as the user's own. */
  mapping: z.record(z.string().min(1).max(200), z.string().max(100)).optional(),
  /** The row of the header, counted from 1. */
  headerRow: z.int().min(1).max(1_000).optional(),
  /** Of a workbook: the name of the sheet. */
  sheet: z.string().min(1).max(100).optional(),
  encoding: z.enum(['utf-8', 'windows-1252', 'utf-16le', 'utf-16be']).optional(),
  separator: z.enum([',', ';', '\t', '|']).optional(),
  /** The order of day, month and year in every date. */
  dateOrder: z.enum(['dmy', 'mdy', 'ymd']).optional(),
  /** The most rows that may be rejected, in percent; 0 is all or nothing. */
  tolerate: z.number().min(0).max(100).optional(),
  /** Rows of one port: an invalid PAC blocks the other rows of its port. */
  maxRowsPerPort: z.int().min(1).max(1_000).optional(),
  /** Whether rows with invalid PACs stay in their port until a person acts, or are removed from it after some time. */
  onInvalidPac: z.enum(['wait', 'remove']).optional(),
  /** Whether rows whose PAC expires within 3 days after the connection date are in separate ports. */
  separateExpiringPacs: z.boolean().optional(),
});

export const newUpload = readingSettings.extend({
  operation: z.enum(operationNames),
  fileName,
  bytes: ordinal,
});

export const uploadPath = z.object({ uploadId: z.uuid() });

/** `PUT` exactly `bytes` bytes. */
const uploadLink = z.object({
  part: ordinal,
  url: z.string(),
  bytes: count,
  expiresAt: instant,
});

export const upload = z.object({
  uploadId: z.uuid(),
  fileName: z.string(),
  bytes: count,
  /** The size of every part but the last; a small file has one part. */
  partBytes: count,
  parts: ordinal,
  /** Parts that have arrived. */
  arrived: z.array(z.object({ part: ordinal, bytes: count })),
  /** Set once the upload is complete. */
  importId: z.string().nullable(),
  /** An upload that is not complete by then is discarded. */
  expiresAt: instant,
});

/** Ask for the links of the parts that have not arrived. At most 100 at a time: a link is valid for 15 minutes. */
export const linksBody = z.object({ parts: z.array(ordinal).min(1).max(100) });
export const uploadLinks = z.object({ links: z.array(uploadLink) });

/** The import exists within a second or two: poll `GET /imports/{importId}` while it answers 404. */
export const completedUpload = z.object({ uploadId: z.uuid(), importId: z.string() });

/** Another sheet or header row than the import was read with. */
export const previewQuery = z.object({
  sheet: z.string().min(1).max(100).optional(),
  headerRow: numberText.optional(),
});

/** How the file was read, and its first rows. PACs are masked. */
export const preview = z.object({
  importId: z.string(),
  operation: z.enum(operationNames).nullable(),
  /** null for a workbook. */
  separator: z.string().nullable(),
  encoding: z.string().nullable(),
  /** null for a CSV. */
  sheet: z.string().nullable(),
  /** All sheets of the workbook, in their order; empty for a CSV. */
  sheets: z.array(z.string()),
  headerRow: ordinal,
  columns: z.array(fileColumn),
  /** Required columns that the file does not have. */
  missing: z.array(z.string()),
  /** The first rows, in the order of `columns`. */
  rows: z.array(z.array(z.string())),
  /** Why the file cannot be read like this; null where it can. */
  problem: z.string().nullable(),
  /** What was set for the import. Repeat it in `replan` with what you change. */
  settings: readingSettings,
});

/** `importId` is the import that reads the same file with these settings: poll it while it answers 404. */
export const replanned = z.object({ importId: z.string(), replaces: z.string() });
