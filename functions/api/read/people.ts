// Shows who did what with an import, and who works on its rows.
import * as z from 'zod';
import { type AuditEntry, auditEntry as shownEntry } from '#shared/results/answers.ts';
import { readAuditTrail } from '#shared/results/audit-trail.ts';
import { instant, ordinal } from '#shared/text/stored-values.ts';
import type { ApiReader } from '../context.ts';
import { findImport } from '../find-import.ts';
import { endpoint } from '../http/endpoint.ts';
import { importPath } from '../schemas.ts';

// Who did what with an import.

/** Who did something. `isVerified`: proven by a token or by AWS, not only claimed. */
const actor = z.object({ by: z.string(), isVerified: z.boolean() });

const auditEntry = z.object({
  at: instant,
  action: shownEntry.shape.action,
  actor,
  because: z.string().nullable(),
  /** What it was about, such as the new import or the request. */
  details: z.record(z.string(), z.string()),
});

/** Oldest first. */
const auditTrail = z.object({ entries: z.array(auditEntry) });

type Entry = z.output<typeof auditEntry>;

export const listAudit = endpoint(
  {
    at: 'GET /imports/{importId}/audit',
    role: 'viewer',
    summary: 'Who did what with an import',
    accepts: { path: importPath },
    answer: auditTrail,
  },
  async ({ path }, reader: ApiReader) => {
    const item = await findImport(reader, path.importId);
    return { entries: (await readAuditTrail(reader, reader.audit, item)).map(answerOf) };
  },
);

const answerOf = ({ at, action, by, principal, isVerified, because, details }: AuditEntry): Entry => ({
  at,
  action,
  because,
  details,
  actor: { by: by ?? principal ?? 'unknown', isVerified },
});

// Who has changed invalid rows of an import without sending them yet.

const draftSummary = z.object({
  draftId: z.string(),
  by: z.string(),
  isYours: z.boolean(),
  savedAt: instant,
  /** Rows with a change. */
  rows: ordinal,
});

export const listDrafts = endpoint(
  {
    at: 'GET /imports/{importId}/drafts',
    role: 'uploader',
    summary: 'Changes of invalid rows that were not sent yet, by person',
    accepts: { path: importPath },
    answer: z.object({ drafts: z.array(draftSummary) }),
  },
  async ({ path, caller }, reader: ApiReader) => {
    const { importId } = await findImport(reader, path.importId);
    const items = await reader.drafts.ofImport(importId);
    return {
      drafts: items
        .filter(({ rows }) => rows > 0)
        .sort((one, other) => other.savedAt.localeCompare(one.savedAt))
        .map(({ draftId, by, actorId, savedAt, rows }) => ({
          draftId,
          by,
          savedAt,
          rows,
          isYours: actorId === caller.id,
        })),
    };
  },
);
