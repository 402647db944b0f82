// Archives an import that has ended, and dismisses the declined or rejected rows of an import.
import * as z from 'zod';
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import type { AuditEntry } from '#shared/domain/imports/audit-entry.ts';
import { findArchiveProblem, rowsSoFar } from '#shared/import/import-state.ts';
import type { ArchiveMessage } from '#shared/request/messages.ts';
import type { WriteDependencies } from '../context.ts';
import { findImport } from '../find-import.ts';
import { ApiProblem } from '../http/api-problem.ts';
import type { Caller } from '../http/caller.ts';
import { endpoint } from '../http/endpoint.ts';
import { recordAudit } from '../http/record-audit.ts';
import { because, importPath, text } from '../schemas.ts';

const answer = z.object({ importId: z.string() });

export const archiveImport = endpoint(
  {
    at: 'POST /imports/{importId}/archive',
    role: 'uploader',
    summary: 'Leave an import out of lists, or list it again',
    /** `undo`: list it again. */
    accepts: { path: importPath, body: z.strictObject({ undo: z.boolean().optional(), because }) },
    status: 202,
    answer,
    problems: ['state-changed'],
  },
  async ({ path, body: { undo = false, because }, caller }, dependencies: WriteDependencies) => {
    const item = await findImport(dependencies, path.importId);
    const action = undo ? 'restored' : 'archived';
    const problem = findArchiveProblem(item, action);
    if (problem) throw new ApiProblem('state-changed', `${problem}.`, { changed: { state: item.state } });
    const command = { archive: item.importId, what: 'import', ...(undo && { isUndone: undo }) } as const;
    await give(command, { action, caller, because, details: {} }, dependencies);
    return { importId: item.importId };
  },
);

export const dismissRows = endpoint(
  {
    at: 'POST /imports/{importId}/dismiss',
    role: 'uploader',
    summary: 'Require no action for the declined or rejected rows of an import',
    accepts: {
      path: importPath,
      body: z.strictObject({ rows: z.enum(['declined', 'rejected']), because: text(200, 1) }),
    },
    status: 202,
    answer,
  },
  async ({ path, body, caller }, dependencies: WriteDependencies) => {
    const item = await findImport(dependencies, path.importId);
    const { importId } = item;
    const rows = rowsSoFar(item, body.rows);
    const { because } = body;
    const details = { rows: body.rows };
    const given = { action: 'dismissed', caller, because, details } as const;
    await give({ archive: importId, what: body.rows, rows }, given, dependencies);
    return { importId };
  },
);

interface Given {
  readonly action: AuditEntry['action'];
  readonly caller: Caller;
  readonly because: string | undefined;
  readonly details: Readonly<Record<string, string>>;
}

async function give(
  command: Omit<ArchiveMessage, 'at' | 'by' | 'because'>,
  given: Given,
  dependencies: WriteDependencies,
): Promise<void> {
  await recordAudit(command.archive, given, dependencies);
  const { caller, because } = given;
  const at = isoTime(dependencies.wall());
  await dependencies.command({ ...command, at, by: caller.name, ...(because && { because }) });
}
