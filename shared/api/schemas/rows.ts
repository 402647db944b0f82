// Rows of an import, page by page, and its findings in groups.
import * as z from 'zod';
import { issueCodes } from '#shared/domain/imports/issue.ts';
import { operationNames } from '#shared/domain/imports/operation-name.ts';
import { outcomes } from '#shared/domain/imports/outcome.ts';
import { count, instant } from '#shared/domain/schemas.ts';
import { issueAnswer, resultRow } from '#shared/read-models/answers.ts';
import { nextCursor, pageQuery } from './page.ts';
import { importIdText } from './path.ts';

const listOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z
    .string()
    .max(500)
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(values)).min(1));

export const rowsQuery = pageQuery.extend({
  /** One or more, separated by commas. */
  outcome: listOf(outcomes).optional(),
  /** Only rows with one of these findings, separated by commas. */
  code: listOf(issueCodes).optional(),
  /** Only rows with a finding about this column, by its name in the operation. */
  column: z.string().min(1).max(100).optional(),
  /** Only rows with this text in a cell, the status or the message, whatever the case. PACs are not searched. */
  text: z.string().min(1).max(100).optional(),
});

export const rowIssue = issueAnswer.omit({ line: true });

export const importRow = resultRow.omit({ columns: true }).extend({
  /** In the order of `columns`. A secret cell shows at most its last three characters. */
  cells: z.array(z.string()),
  issues: z.array(rowIssue),
  /** The operation whose correction file has the row. */
  correctedBy: z.enum(operationNames).nullable(),
});

export const fileColumn = z.object({
  /** As the file has it. */
  header: z.string(),
  /** The column of the operation; null for the user's own columns. */
  name: z.string().nullable(),
  secret: z.boolean(),
});

export const rowPage = z.object({
  columns: z.array(fileColumn),
  rows: z.array(importRow),
  nextCursor,
  /** The outcomes are of this moment. */
  asOf: instant,
});

export const problemsQuery = z.object({ severity: z.enum(['error', 'warning', 'notice']).optional() });

/** Findings of one code about one column. */
export const problemGroup = z.object({
  code: z.enum(issueCodes),
  column: z.string().nullable(),
  severity: z.enum(['error', 'warning', 'notice']),
  rows: count,
  /** The most frequent messages; findings with the same message can be fixed alike. */
  messages: z.array(z.object({ message: z.string(), rows: count, lines: z.array(count) })),
});
export const problemGroups = z.object({
  /** The most rows first, errors before warnings. */
  groups: z.array(problemGroup),
  /** More findings exist than were read. */
  isIncomplete: z.boolean(),
});

/** Cells by column name of the operation. */
const cells = z.record(z.string().min(1).max(100), z.string().max(2_000));
export const maxValidatedRows = 200;

export const validateBody = z.object({
  operation: z.string().min(1).max(50),
  rows: z.array(cells).min(1).max(maxValidatedRows),
  /**
   * The rows are from the file of this import: its order of dates and its column values apply, and a PAC that is not
   * given is the one of the file, which is not validated.
   */
  importId: importIdText.optional(),
  /** Values for whole columns. */
  columnValues: cells.optional(),
});
/** By row, in the order of the request. */
export const validateAnswer = z.object({
  rows: z.array(z.object({ isValid: z.boolean(), group: z.string().nullable(), issues: z.array(rowIssue) })),
});
