// What an import sends, the hash that an approval names, and its requests.
import * as z from 'zod';
import { importStates } from '#shared/import/import.ts';
import { ownRows } from '#shared/request/packed-lines.ts';
import { type RequestItem, requestStates } from '#shared/request/request.ts';
import { planGroup } from '#shared/results/answers.ts';
import { forPage, readProblemGroups } from '#shared/results/findings.ts';
import { readPlanGroups, shownState } from '#shared/results/progress.ts';
import { mayBeSkipped } from '#shared/row/issue.ts';
import type { ResolutionItem } from '#shared/store/people.ts';
import { nameOfRequest, operationNames, partOf } from '#shared/text/identity.ts';
import { count, instant, ordinal } from '#shared/text/stored-values.ts';
import type { ApiReader } from '../context.ts';
import { findImport, readApprovalProblem } from '../find-import.ts';
import { endpoint, notFound } from '../http/endpoint.ts';
import { decodeCursor, encodeCursor, importPath, nextCursor, pageQuery, requestPath } from '../schemas.ts';

const plan = z.object({
  importId: z.string(),
  state: z.enum(importStates),
  /** Names exactly this plan; an approval repeats it. Null when there is no plan, or it has expired. */
  planHash: z.string().nullable(),
  rows: count,
  /** How many of these rows may be skipped: their number is in progress elsewhere, or locked. */
  mayBeSkipped: count,
  requestCount: count,
  /** Those with the most rows, at most 200. */
  groups: z.array(planGroup),
  groupCount: count,
  /** Why you may not approve it, apart from your role; null where you may. */
  reasonNotToApprove: z.string().nullable(),
  /** Warnings about rows, by code, with the most frequent messages and their lines. */
  warnings: z.array(
    z.object({
      code: z.string(),
      rows: count,
      messages: z.array(z.object({ message: z.string(), rows: count, lines: z.array(count) })),
    }),
  ),
});

const requestSummary = z.object({
  importId: z.string(),
  request: ordinal,
  /** `request 7`, or `part 3 of request 7` */
  name: z.string(),
  /** The declined request of which this sends some rows again. */
  partOf: z.optional(ordinal),
  operation: z.enum(operationNames),
  state: z.enum(requestStates),
  /** Ends the name of the port: search for it in the portal of the service. */
  token: z.string(),
  label: z.string(),
  /** Without the rows of its parts. */
  rows: count,
  portId: z.string().nullable(),
  portStatus: z.string().nullable(),
  /** Further ports of the same request. */
  duplicatePortIds: z.array(z.string()),
  ticket: z.string().nullable(),
  /** In state `scheduled`: the day on which it is sent. */
  sendOn: z.iso.date().optional(),
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

/** A file may have a group per row, and a Lambda response has at most 6 MB. */
const shownGroups = 200;

export const getPlan = endpoint(
  {
    at: 'GET /imports/{importId}/plan',
    role: 'viewer',
    summary: 'What an import sends, and the hash that an approval names',
    accepts: { path: importPath },
    answer: plan,
  },
  async ({ path, caller }, reader: ApiReader) => {
    const item = await findImport(reader, path.importId);
    const [groups, warnings, problem] = await Promise.all([
      readPlanGroups(reader, item),
      readProblemGroups(reader, item, 'warning'),
      readApprovalProblem(item, item.planHash, caller, reader),
    ]);
    return {
      importId: item.importId,
      state: shownState(item),
      planHash: item.planHash ?? null,
      rows: item.accepted,
      mayBeSkipped: warnings.groups.reduce((sum, { code, rows }) => sum + (mayBeSkipped.has(code) ? rows : 0), 0),
      requestCount: item.requestCount,
      reasonNotToApprove: problem?.reason ?? null,
      groups: groups.slice(0, shownGroups),
      groupCount: groups.length,
      warnings: warnings.groups.map(({ code, rows, messages }) => ({ code, rows, messages: messages.map(forPage) })),
    };
  },
);

const defaultPageSize = 100;
const position = z.strictObject({ after: z.int().nonnegative() });

export const listRequests = endpoint(
  {
    at: 'GET /imports/{importId}/requests',
    role: 'viewer',
    summary: 'The requests of an import',
    accepts: { path: importPath, query: pageQuery.extend({ state: z.enum(requestStates).optional() }) },
    answer: z.object({ requests: z.array(requestSummary), nextCursor }),
  },
  async ({ path, query }, reader: ApiReader) => {
    const { importId } = await findImport(reader, path.importId);
    const limit = query.limit ?? defaultPageSize;
    const after = decodeCursor(position, query.cursor)?.after ?? 0;
    const found: RequestItem[] = [];
    for await (const item of reader.requests.ofImport(importId, after)) {
      if (query.state === undefined || item.state === query.state) found.push(item);
      if (found.length > limit) break;
    }
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    return {
      requests: shown.map(requestSummaryOf),
      nextCursor: found.length > limit && last !== undefined ? encodeCursor({ after: last.request }) : null,
    };
  },
);

/** What a person last asked for in the API, and its result. Kept for a week. */
const asked = z.object({ at: z.string(), by: z.string(), what: z.enum(['adopt', 'resend', 'abandon', 'keep']) });
const resolving = z
  .discriminatedUnion('state', [
    asked.extend({ state: z.literal('waiting') }),
    /** `cancelling`: ports that the service is cancelling. Repeat the request once they are cancelled. */
    asked.extend({ state: z.literal('carried-out'), cancelling: z.array(z.string()) }),
    /** Nothing was changed. */
    asked.extend({ state: z.literal('declined'), why: z.string(), advice: z.string() }),
  ])
  .nullable();

export const getRequest = endpoint(
  {
    at: 'GET /requests/{importId}/{request}',
    role: 'viewer',
    summary: 'One request with what is known of its outcome',
    accepts: { path: requestPath },
    answer: requestSummary.extend({ resolving }),
  },
  async ({ path }, reader: ApiReader) => {
    const { importId } = await findImport(reader, path.importId);
    const [item, resolution] = await Promise.all([
      reader.requests.get(importId, path.request),
      reader.resolutions.get(importId, path.request),
    ]);
    if (item === undefined) throw notFound(`Import ${importId} has no request ${path.request}.`);
    return { ...requestSummaryOf(item), resolving: resolution === undefined ? null : resolvingOf(resolution) };
  },
);

function resolvingOf({ at, by, what, answer }: ResolutionItem): z.output<typeof resolving> {
  const asked = { at, by, what: what.kind };
  if (answer === undefined) return { ...asked, state: 'waiting' };
  if (answer.resolved) return { ...asked, state: 'carried-out', cancelling: answer.waitsFor ?? [] };
  return { ...asked, state: 'declined', why: answer.why, advice: answer.advice };
}

function requestSummaryOf(item: RequestItem): z.output<typeof requestSummary> {
  const { importId, request, operation, state, token, label, attempt, changedAt, error } = item;
  const parent = partOf(request);
  return {
    importId,
    request,
    name: nameOfRequest(request),
    ...(parent && { partOf: parent.request }),
    operation,
    state,
    token,
    label,
    attempt,
    changedAt,
    rows: ownRows(item),
    portId: item.portId ?? item.changedPortId ?? null,
    portStatus: item.portStatus ?? null,
    duplicatePortIds: item.duplicatePortIds ?? [],
    ticket: item.ticket ?? null,
    ...(item.sendOn && { sendOn: item.sendOn }),
    error:
      error === undefined
        ? null
        : { kind: error.kind, message: error.message, ...(error.status && { status: error.status }) },
    note: item.note ?? null,
    resolution: item.resolution ?? null,
  };
}
