// Who has changed invalid rows of an import without sending them yet.
import * as z from 'zod';
import { instant, ordinal } from '#shared/domain/schemas.ts';
import type { ReadDependencies } from '../context.ts';
import { findImport } from '../find-import.ts';
import { endpoint } from '../http/endpoint.ts';
import { importPath } from '../schemas.ts';

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
  async ({ path, caller }, dependencies: ReadDependencies) => {
    const { importId } = await findImport(dependencies, path.importId);
    const items = await dependencies.drafts.ofImport(importId);
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
