// Which problems each route can answer: those that follow from its shape, and its own.
import { contract, type RouteShapes } from '#shared/api/contract.ts';
import type { ProblemCode } from '#shared/api/problem.ts';
import { isWrite, type Route, type RouteName, routes } from '#shared/api/route-table.ts';

/** Beside the implied ones. */
const ownProblems: Partial<Record<RouteName, readonly ProblemCode[]>> = {
  getReferenceData: ['not-ready'],
  createUpload: ['file-too-large', 'unknown-column'],
  createUploadLinks: ['state-changed'],
  completeUpload: ['upload-incomplete'],
  abortUpload: ['state-changed'],
  validateRows: ['unknown-column', 'not-found', 'not-ready'],
  previewImport: ['file-expired'],
  replanImport: ['state-changed', 'file-expired', 'unknown-column'],
  listRows: ['file-expired'],
  createFileLink: ['not-ready'],
  approveImport: ['plan-changed', 'state-changed', 'second-person-required'],
  rescheduleImport: ['state-changed'],
  createCorrection: ['unknown-column', 'state-changed', 'line-not-unique', 'file-expired'],
  cancelRows: ['state-changed', 'line-not-unique', 'file-expired'],
  resolveRequest: ['resolution-declined', 'busy'],
  getReport: ['file-expired'],
  createReportLink: ['not-ready', 'file-expired'],
  moveCalendar: ['state-changed'],
};

/** Problems of every route. */
const everywhere: readonly ProblemCode[] = ['not-signed-in', 'role-required', 'too-many-requests', 'internal-error'];

export function routeProblems(name: RouteName): ProblemCode[] {
  const route: Route = routes[name];
  const { path, query, body }: RouteShapes = contract[name];
  const codes: ProblemCode[] = [...everywhere, ...(ownProblems[name] ?? [])];
  if (path ?? query ?? body) codes.push('invalid-request');
  if (path) codes.push('not-found');
  if (query && 'cursor' in query.shape) codes.push('invalid-cursor');
  if (body) codes.push('body-too-large', 'unsupported-content');
  if (isWrite(route)) codes.push('idempotency-key-required', 'idempotency-key-reused', 'request-in-progress');
  return codes;
}
