// Resolves a request whose outcome is unknown, or that has several ports: sync does it.
import * as z from 'zod';
import { type ResolveCommand, resolveAnswer } from '#shared/domain/requests/resolution.ts';
import { ordinal } from '#shared/domain/schemas.ts';
import { requestStates } from '#shared/items/request.ts';
import type { WriteDependencies } from '../dependencies.ts';
import { findImport } from '../find-import.ts';
import { ApiProblem, notFound } from '../http/api-problem.ts';
import { endpoint } from '../http/endpoint.ts';
import { because, requestPath, text } from '../schemas.ts';
import { recordAudit } from './record-audit.ts';

const portId = text(100, 1);

const resolveBody = z.object({
  what: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('adopt'), portId }),
    // `yes` prevents a number from being sent again by mistake.
    z.object({ kind: z.literal('resend'), yes: z.literal(true) }),
    z.object({ kind: z.literal('abandon') }),
    z.object({ kind: z.literal('keep'), portId, cancelOthers: z.boolean() }),
  ]),
  because,
});

const resolved = z.object({
  importId: z.string(),
  request: ordinal,
  state: z.enum(requestStates),
  portId: z.string().nullable(),
  /** Ports that the service is cancelling: repeat the request once they are cancelled. */
  cancelling: z.array(z.string()),
});

/** Sends sync the command; `busy` while another run is in progress. */
export const resolveWith =
  (callSync: (command: ResolveCommand) => Promise<unknown>): WriteDependencies['resolve'] =>
  async (resolution) => {
    const answer = await callSync({ resolve: resolution });
    return answer === 'busy' ? 'busy' : resolveAnswer.parse(answer);
  };

export const resolveRequest = endpoint(
  {
    at: 'POST /requests/{importId}/{request}/resolve',
    role: 'operator',
    summary: 'Resolve a request whose outcome is unknown',
    accepts: { path: requestPath, body: resolveBody },
    answer: resolved,
    problems: ['resolution-declined', 'busy'],
  },
  async ({ path, body, caller }, dependencies: WriteDependencies) => {
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
  },
);
