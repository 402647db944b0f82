// What an import item of the ledger contains about its file: findings, and how the file was read.
import * as z from 'zod/mini';
import { issueCodes } from '../imports/issue.ts';
import { count, ordinal } from '../schemas.ts';

export const issueItem = z.object({
  line: count,
  column: z.nullable(z.string()),
  code: z.enum(issueCodes),
  message: z.string(),
  severity: z.enum(['error', 'warning', 'notice']),
});

export const fileLayoutItem = z.object({
  headerLine: ordinal,
  delimiter: z.enum([',', ';', '\t', '|']),
  encoding: z.optional(z.enum(['utf-8', 'windows-1252', 'utf-16le', 'utf-16be'])),
  sheet: z.optional(z.string()),
});
