// Which function answers which route.
import type { AnswerOf } from '#shared/api/contract.ts';
import type { RouteName } from '#shared/api/route-table.ts';
import type { MountedHandlers } from './app.ts';
import type { ReadDependencies, WriteDependencies } from './dependencies.ts';
import type { Call } from './http/parse-call.ts';
import { listAudit } from './read/audit.ts';
import { getEnvironment, getMe } from './read/environment.ts';
import { getEvents } from './read/events.ts';
import { createFileLink, listFiles } from './read/files.ts';
import { getImport, listImports } from './read/imports.ts';
import { getNumber, getPort, listActions } from './read/numbers.ts';
import { type FileAnswer, getReferenceData, getTemplate, listOperations } from './read/operations.ts';
import { getPlan, getRequest, listRequests } from './read/plan.ts';
import { createReportLink, getReport } from './read/report.ts';
import { listProblems, listRows } from './read/rows.ts';
import { approveImport } from './write/approve.ts';
import { createCorrection } from './write/correct.ts';
import { previewImport } from './write/preview.ts';
import { replanImport } from './write/replan.ts';
import { cancelRows, rescheduleImport } from './write/reschedule.ts';
import { resolveRequest } from './write/resolve.ts';
import { abortUpload, completeUpload, createUpload, createUploadLinks, getUpload } from './write/uploads.ts';
import { validateRows } from './write/validate.ts';

/** Answers a file where the contract has no JSON answer. */
export type HandlerOf<Name extends RouteName, Dependencies> = (
  call: Call<Name>,
  dependencies: Dependencies,
) => Promise<AnswerOf<Name> extends undefined ? FileAnswer | undefined : AnswerOf<Name>>;

type Handlers<Names extends RouteName, Dependencies> = { readonly [Name in Names]: HandlerOf<Name, Dependencies> };

export const readHandlers = {
  getMe,
  getEnvironment,
  listOperations,
  getTemplate,
  getReferenceData,
  listImports,
  getImport,
  listRows,
  listProblems,
  getPlan,
  listRequests,
  listFiles,
  createFileLink,
  listAudit,
  getNumber,
  getPort,
  listActions,
  getRequest,
  getReport,
  createReportLink,
  getEvents,
} satisfies Partial<Handlers<RouteName, ReadDependencies>>;

export const writeHandlers = {
  createUpload,
  getUpload,
  createUploadLinks,
  completeUpload,
  abortUpload,
  validateRows,
  previewImport,
  replanImport,
  approveImport,
  rescheduleImport,
  createCorrection,
  cancelRows,
  resolveRequest,
} satisfies Partial<Handlers<RouteName, WriteDependencies>>;

/** The handlers with what they need, as the app mounts them. */
export function bindHandlers<Dependencies>(
  // biome-ignore lint/suspicious/noExplicitAny: each handler takes the call of one route
  handlers: Readonly<Record<string, (call: any, dependencies: Dependencies) => Promise<unknown>>>,
  dependencies: Dependencies,
): MountedHandlers {
  const bound = Object.entries(handlers).map(([name, handle]) => [name, (call: unknown) => handle(call, dependencies)]);
  return Object.fromEntries(bound);
}
