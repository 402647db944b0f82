// Resolves a request whose outcome is unknown, or that has several ports: sync does it.
import type { AnswerOf } from '#shared/api/contract.ts';
import { type ResolveCommand, resolveAnswer } from '#shared/domain/requests/resolution.ts';
import type { WriteDependencies } from '../dependencies.ts';
import { ApiProblem, notFound } from '../http/api-problem.ts';
import type { Call } from '../http/parse-call.ts';
import { findImport } from '../read/find-import.ts';
import { recordAudit } from './record-audit.ts';

/** Sends sync the command; `busy` while another run is in progress. */
export const resolveWith =
  (callSync: (command: ResolveCommand) => Promise<unknown>): WriteDependencies['resolve'] =>
  async (resolution) => {
    const answer = await callSync({ resolve: resolution });
    return answer === 'busy' ? 'busy' : resolveAnswer.parse(answer);
  };

export async function resolveRequest(
  { path, body, caller }: Call<'resolveRequest'>,
  dependencies: WriteDependencies,
): Promise<AnswerOf<'resolveRequest'>> {
  const { request } = path;
  const { importId } = await findImport(dependencies, path.importId);
  if ((await dependencies.requests.get(importId, request)) === undefined) {
    throw notFound(`Import ${importId} has no request ${request}.`);
  }
  const { what, because } = body;
  const answer = await dependencies.resolve({
    ...{ importId, request, what, by: caller.name },
    ...(because && { because }),
  });
  if (answer === 'busy') {
    throw new ApiProblem('busy', 'Sync runs once at a time. Repeat the request.', { retryAfterSeconds: 5 });
  }
  if (!answer.resolved) throw new ApiProblem('resolution-declined', `${answer.why}. ${answer.advice}.`);
  const { state, portId, waitsFor = [] } = answer;
  const details = { request: String(request), resolution: what.kind };
  await recordAudit(importId, { action: 'resolved', caller, because, details }, dependencies);
  return { importId, request, state, portId, cancelling: waitsFor };
}
