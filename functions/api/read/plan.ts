// What an import sends, the hash that an approval names, and its requests.
import * as z from 'zod';
import type { AnswerOf } from '#shared/api/contract.ts';
import { type ApprovalProblem, findApprovalProblem, uploaderOf } from '#shared/domain/imports/approval.ts';
import type { ImportItem, RequestItem } from '#shared/domain/requests/ledger.ts';
import { readPlanGroups } from '#shared/read-models/plan-groups.ts';
import { readProblemGroups } from '#shared/read-models/problem-groups.ts';
import type { ReadDependencies } from '../dependencies.ts';
import { notFound } from '../http/api-problem.ts';
import type { Caller } from '../http/caller.ts';
import { decodeCursor, encodeCursor } from '../http/cursor.ts';
import type { Call } from '../http/parse-call.ts';
import { findImport } from './find-import.ts';

/** A file may have a group per row: an answer of Lambda has at most 6 MB, and nobody reads so many. */
const shownGroups = 200;

export async function getPlan(
  { path, caller }: Call<'getPlan'>,
  dependencies: ReadDependencies,
): Promise<AnswerOf<'getPlan'>> {
  const item = await findImport(dependencies, path.importId);
  const [groups, warnings, problem] = await Promise.all([
    readPlanGroups(dependencies, item.importId),
    readProblemGroups(dependencies, item, 'warning'),
    readApprovalProblem(item, item.planHash, caller, dependencies),
  ]);
  return {
    importId: item.importId,
    state: item.state,
    planHash: item.planHash ?? null,
    rows: item.accepted,
    requestCount: item.requestCount,
    reasonNotToApprove: problem?.reason ?? null,
    groups: groups.slice(0, shownGroups),
    groupCount: groups.length,
    warnings: warnings.groups.map(({ code, rows, messages }) => ({ code, rows, message: messages[0]?.message ?? '' })),
  };
}

/** Why this person may not approve the plan with this hash; undefined where they may. */
export async function readApprovalProblem(
  item: ImportItem,
  planHash: string | undefined,
  caller: Caller,
  { settings, audit }: ReadDependencies,
): Promise<ApprovalProblem | undefined> {
  const entry = (await audit.uploaders([item.importId])).get(item.importId);
  return findApprovalProblem({
    ...{ mode: settings.approval, item, planHash, uploader: uploaderOf(item, entry) },
    approver: { provider: 'console', id: caller.id },
  });
}

const defaultPageSize = 100;
const position = z.object({ after: z.int().nonnegative() });

export async function listRequests(
  { path, query }: Call<'listRequests'>,
  dependencies: ReadDependencies,
): Promise<AnswerOf<'listRequests'>> {
  const { importId } = await findImport(dependencies, path.importId);
  const limit = query.limit ?? defaultPageSize;
  const after = decodeCursor(position, query.cursor)?.after ?? 0;
  const found: RequestItem[] = [];
  for await (const item of dependencies.requests.ofImport(importId, after)) {
    if (query.state === undefined || item.state === query.state) found.push(item);
    if (found.length > limit) break;
  }
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    requests: shown.map(requestSummaryOf),
    nextCursor: found.length > limit && last !== undefined ? encodeCursor({ after: last.request }) : null,
  };
}

export async function getRequest(
  { path }: Call<'getRequest'>,
  dependencies: ReadDependencies,
): Promise<AnswerOf<'getRequest'>> {
  const { importId } = await findImport(dependencies, path.importId);
  const item = await dependencies.requests.get(importId, path.request);
  if (item === undefined) throw notFound(`Import ${importId} has no request ${path.request}.`);
  return requestSummaryOf(item);
}

function requestSummaryOf(item: RequestItem): AnswerOf<'getRequest'> {
  const { importId, request, operation, state, token, label, attempt, changedAt, error } = item;
  return {
    ...{ importId, request, operation, state, token, label, attempt, changedAt },
    rows: item.rowCount,
    portId: item.portId ?? item.changedPortId ?? null,
    portStatus: item.portStatus ?? null,
    duplicatePortIds: item.duplicatePortIds ?? [],
    ticket: item.ticket ?? null,
    error:
      error === undefined
        ? null
        : { kind: error.kind, message: error.message, ...(error.status && { status: error.status }) },
    note: item.note ?? null,
    resolution: item.resolution ?? null,
  };
}
