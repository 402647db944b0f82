// Uploads: links that take exactly one file of exactly the announced size, below `plan/`: nothing is sent before
// a person approves the import.
import * as z from 'zod';
import { operationNames } from '#shared/domain/imports/operation-name.ts';
import { count, instant, ordinal } from './common.ts';

/** A name without folders, as the user's file has it. */
const fileName = z
  .string()
  .min(1)
  .max(200)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression excludes them
  .regex(/^[^./\\\u0000-\u001f\u007f][^/\\\u0000-\u001f\u007f]*$/, 'expected the name of a file without folders');

export const newUpload = z.object({
  operation: z.enum(operationNames),
  fileName,
  bytes: ordinal,
  /** Values for whole columns, by column name. */
  columnValues: z.record(z.string().min(1).max(100), z.string().max(500)).optional(),
  /** The most rows that may be rejected, in percent; 0 is all or nothing. */
  tolerate: z.number().min(0).max(100).optional(),
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
