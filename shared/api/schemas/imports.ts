// Imports: the list, one import, its plan, requests, files and audit trail.
import * as z from 'zod';
import { type OperationName, operationNames } from '#shared/domain/imports/operation-name.ts';
import { importStates, requestStates } from '#shared/domain/requests/ledger.ts';
import { count, instant, ordinal } from '#shared/domain/schemas.ts';
import {
  importProgress,
  issueAnswer,
  outage,
  planGroup,
  redeliveryAt,
  auditEntry as shownEntry,
} from '#shared/read-models/answers.ts';
import { nextCursor, pageQuery } from './page.ts';
import { importPath } from './path.ts';

/** Who did something. `isVerified`: proven by a token or by AWS, not only claimed. */
const actor = z.object({ by: z.string(), isVerified: z.boolean() });

const tally = z.record(z.string(), count);

/** An import in a list. Numbers are counted in `outcomes`: the bar of the import. */
export const importSummary = z.object({
  importId: z.string(),
  operation: z.enum(operationNames).nullable(),
  state: z.enum(importStates),
  /** The name of the user's file. */
  file: z.string(),
  bytes: count,
  rows: count,
  accepted: count,
  rejected: count,
  warnings: count,
  skipped: count,
  requestCount: count,
  /** Requests by state, ports by status name. */
  requests: tally,
  ports: tally,
  actionRequired: count,
  /** Rows by outcome. */
  outcomes: importProgress.shape.outcomes,
  planOnly: z.boolean(),
  receivedAt: instant,
  changedAt: instant,
  uploadedBy: actor.nullable(),
  approvedAt: z.nullable(instant),
  requestedBy: z.object({ by: z.string(), because: z.string().optional() }).nullable(),
  /** Of an import that moves ports. */
  reschedules: z.object({ importId: z.string(), date: z.string() }).nullable(),
});

export const importsQuery = pageQuery.extend({ state: z.enum(importStates).optional() });
export const importList = z.object({ imports: z.array(importSummary), nextCursor });

export const importDetails = importSummary.extend({
  expectedDate: importProgress.shape.expectedDate,
  redeliveryAt,
  /** The last approval that had no effect, and why. */
  declinedApproval: z.object({ by: z.string(), at: instant, reason: z.string() }).nullable(),
  /** Findings about the file and the first ones about rows. */
  issues: z.array(issueAnswer),
  /** Rows of each correction file as last written, by operation. */
  corrections: tally,
  /** SIMs with other services than requested. */
  mismatches: count,
  outage: outage.optional(),
});

export const plan = z.object({
  importId: z.string(),
  state: z.enum(importStates),
  /** Names exactly this plan; an approval repeats it. Null when there is no plan, or it has expired. */
  planHash: z.string().nullable(),
  rows: count,
  requestCount: count,
  /** Those with the most rows, at most 200. */
  groups: z.array(planGroup),
  groupCount: count,
  /** Why you may not approve it, apart from your role; null where you may. */
  reasonNotToApprove: z.string().nullable(),
  /** Warnings about rows, by code. */
  warnings: z.array(z.object({ code: z.string(), rows: count, message: z.string() })),
});

export const requestPath = importPath.extend({
  request: z
    .string()
    .regex(/^[1-9]\d{0,6}$/, 'expected the number of a request')
    .transform(Number),
});

export const requestSummary = z.object({
  importId: z.string(),
  request: ordinal,
  operation: z.enum(operationNames),
  state: z.enum(requestStates),
  /** Ends the name of the port: search for it in the portal of the service. */
  token: z.string(),
  label: z.string(),
  rows: count,
  portId: z.string().nullable(),
  portStatus: z.string().nullable(),
  /** Further ports of the same request. */
  duplicatePortIds: z.array(z.string()),
  ticket: z.string().nullable(),
  attempt: count,
  error: z.object({ kind: z.string(), message: z.string(), status: z.int().optional() }).nullable(),
  note: z.string().nullable(),
  resolution: z
    .object({
      at: instant,
      by: z.string(),
      what: z.enum(['adopt', 'resend', 'abandon', 'keep']),
      because: z.string().optional(),
    })
    .nullable(),
  changedAt: instant,
});

export const requestsQuery = pageQuery.extend({ state: z.enum(requestStates).optional() });
export const requestList = z.object({ requests: z.array(requestSummary), nextCursor });

/** The name of a correction file, by the operation that it is imported with. */
export const correctionFile = (operation: OperationName) => `correct-${operation}` as const;

const tables = ['results', ...operationNames.map(correctionFile), 'mismatches-bar-service-config'] as const;

/**
 * Files without PACs. An upload and rejected.csv contain PACs, so they cannot be downloaded here. A workbook has the
 * rows of its CSV.
 */
export const downloadNames = [
  ...tables.flatMap((name) => [`${name}.xlsx`, `${name}.csv`] as const),
  'issues.ndjson',
] as const;
export const fileList = z.object({
  files: z.array(z.object({ name: z.enum(downloadNames), bytes: count, changedAt: instant })),
});
export const filePath = importPath.extend({ fileName: z.enum(downloadNames) });
export const downloadLink = z.object({ url: z.string(), fileName: z.string(), bytes: count, expiresAt: instant });

const auditEntry = z.object({
  at: instant,
  action: shownEntry.shape.action,
  actor,
  because: z.string().nullable(),
  /** What it was about, such as the new import or the request. */
  details: z.record(z.string(), z.string()),
});
/** Oldest first. */
export const auditTrail = z.object({ entries: z.array(auditEntry) });
