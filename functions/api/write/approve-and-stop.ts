// Approves, stops, resumes and puts away imports.
import * as z from 'zod';
import type { AuditEntry } from '#shared/import/approval.ts';
import type { ImportItem, StopKind } from '#shared/import/import.ts';
import { findArchiveProblem, findStopProblem, markOf, rowsSoFar, timeOfCommand } from '#shared/import/import-state.ts';
import type { ArchiveMessage } from '#shared/request/messages.ts';
import { readFirst, readParts } from '#shared/results/parts.ts';
import { count } from '#shared/text/stored-values.ts';
import type { ApiWriter } from '../context.ts';
import { findImport, readApprovalProblem, recordAudit, requesterOf } from '../find-import.ts';
import { ApiProblem, type Caller, endpoint } from '../http/endpoint.ts';
import { because, importPath, text } from '../schemas.ts';

// Approves exactly the plan that a person saw.

const approveBody = z.strictObject({
  /** As `GET /imports/{importId}/plan` answered it: exactly this plan is approved. */
  planHash: text(200, 1),
  because,
});

export const approveImport = endpoint(
  {
    at: 'POST /imports/{importId}/approve',
    role: 'approver',
    summary: 'Submit the plan of an import',
    accepts: { path: importPath, body: approveBody },
    status: 202,
    answer: z.object({ importId: z.string(), rows: count, requestCount: count }),
    problems: ['plan-changed', 'state-changed', 'second-person-required'],
  },
  async ({ path, body, caller, writeId }, writer: ApiWriter) => {
    const item = await findImport(writer, path.importId);
    const { importId, accepted, requestCount, state, approvedAt } = item;
    const { planHash, because } = body;
    const problem = await readApprovalProblem(item, planHash, caller, writer);
    if (problem !== undefined) {
      // The import of an approval that crashed after it was sent is no longer a plan.
      const recorded = approvedAt && (await writer.audit.approval(importId, planHash, caller.id));
      if (recorded && recorded.writeId === writeId) return { importId, rows: accepted, requestCount };
      const changed = {
        'state-changed': { state, approvedAt, requestedBy: requesterOf(item) },
        'plan-changed': { planHash: item.planHash ?? null, rows: accepted, requestCount },
        'second-person-required': undefined,
      }[problem.code];
      throw new ApiProblem(problem.code, `${problem.reason}.`, changed && { changed });
    }
    // Recorded first: ingest accepts the name in the command only if it finds the recorded approval.
    const details = { planHash, rows: String(accepted), requests: String(requestCount) };
    await recordAudit(importId, { action: 'approved', caller, because, writeId, details }, writer);
    const command = { approve: importId, plan: planHash, actorId: caller.id, by: caller.name };
    await writer.command({ ...command, ...(because && { because }) });
    return { importId, rows: accepted, requestCount };
  },
);

const answer = z.object({ importId: z.string() });

// Stops an import, and resumes it.

export const stopImport = endpoint(
  {
    at: 'POST /imports/{importId}/stop',
    role: 'approver',
    summary: 'Send nothing more of an import',
    accepts: {
      path: importPath,
      /** `end`: what is not sent yet never will be; otherwise it waits until the import is resumed. */
      body: z.strictObject({ end: z.boolean().optional(), because }),
    },
    status: 202,
    answer,
    problems: ['state-changed'],
  },
  async ({ path, body: { end = false, because }, caller }, writer: ApiWriter) => {
    const first = await checkMayStop(path.importId, end ? 'for-good' : 'until-resumed', writer);
    const { importId } = first;
    const details = { end: String(end) };
    await recordAudit(importId, { action: 'stopped', caller, because, details }, writer);
    await writer.command({ stop: importId, ...(end && { end }), ...commandOf(first, caller, because, writer) });
    return { importId };
  },
);

export const resumeImport = endpoint(
  {
    at: 'POST /imports/{importId}/resume',
    role: 'approver',
    summary: 'Send what a stopped import has not sent',
    accepts: { path: importPath, body: z.strictObject({ because }) },
    status: 202,
    answer,
    problems: ['state-changed'],
  },
  async ({ path, body: { because }, caller }, writer: ApiWriter) => {
    const first = await checkMayStop(path.importId, 'none', writer);
    const { importId } = first;
    await recordAudit(importId, { action: 'resumed', caller, because, details: {} }, writer);
    await writer.command({ resume: importId, ...commandOf(first, caller, because, writer) });
    return { importId };
  },
);

const commandOf = ({ stop }: ImportItem, { name }: Caller, because: string | undefined, { wall }: ApiWriter) => ({
  at: timeOfCommand(wall(), stop),
  by: name,
  ...(because && { because }),
});

async function checkMayStop(text: string, kind: StopKind, writer: ApiWriter): Promise<ImportItem> {
  const first = await readFirst(writer.imports, await findImport(writer, text));
  const problem = findStopProblem(first, await readParts(first, writer.imports), kind, writer.resources.account);
  if (problem === undefined) return first;
  throw new ApiProblem('state-changed', `${problem}.`, { changed: { state: first.state } });
}

// Archives an import that has ended, and dismisses the declined or rejected rows of an import.

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
  async ({ path, body: { undo = false, because }, caller }, writer: ApiWriter) => {
    const item = await findImport(writer, path.importId);
    const action = undo ? 'restored' : 'archived';
    const problem = findArchiveProblem(item, action);
    if (problem) throw new ApiProblem('state-changed', `${problem}.`, { changed: { state: item.state } });
    const command = { archive: item.importId, what: 'import', ...(undo && { isUndone: undo }) } as const;
    await give(command, item, { action, caller, because, details: {} }, writer);
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
  async ({ path, body, caller }, writer: ApiWriter) => {
    const item = await findImport(writer, path.importId);
    const { importId } = item;
    const rows = rowsSoFar(item, body.rows);
    const { because } = body;
    const details = { rows: body.rows };
    const given = { action: 'dismissed', caller, because, details } as const;
    await give({ archive: importId, what: body.rows, rows }, item, given, writer);
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
  item: ImportItem,
  given: Given,
  writer: ApiWriter,
): Promise<void> {
  await recordAudit(command.archive, given, writer);
  const { caller, because } = given;
  const at = timeOfCommand(writer.wall(), markOf(item, command.what));
  await writer.command({ ...command, at, by: caller.name, ...(because && { because }) });
}
