// Resolves a request whose outcome is unknown, or that has several ports: sync does it, which may take minutes.
import * as z from 'zod';
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { ordinal } from '#shared/domain/schemas.ts';
import type { WriteDependencies } from '../context.ts';
import { findImport } from '../find-import.ts';
import { ApiProblem, notFound } from '../http/api-problem.ts';
import { endpoint } from '../http/endpoint.ts';
import { recordAudit } from '../http/record-audit.ts';
import { because, requestPath, text } from '../schemas.ts';

const portId = text(100, 1);

const resolveBody = z.strictObject({
  what: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('adopt'), portId }),
    // `yes` prevents a number from being sent again by mistake.
    z.strictObject({ kind: z.literal('resend'), yes: z.literal(true) }),
    z.strictObject({ kind: z.literal('abandon') }),
    z.strictObject({ kind: z.literal('keep'), portId, cancelOthers: z.boolean() }),
  ]),
  because,
});

const keptSeconds = 7 * 86_400;

export const resolveRequest = endpoint(
  {
    at: 'POST /requests/{importId}/{request}/resolve',
    role: 'operator',
    summary: 'Resolve a request whose outcome is unknown. `resolving` of the request shows the result',
    accepts: { path: requestPath, body: resolveBody },
    status: 202,
    answer: z.object({ importId: z.string(), request: ordinal }),
    problems: ['busy'],
  },
  async ({ path, body: { what, because }, caller }, dependencies: WriteDependencies) => {
    const { requests, resolutions, wall } = dependencies;
    const { request } = path;
    const { importId } = await findImport(dependencies, path.importId);
    if ((await requests.get(importId, request)) === undefined) {
      throw notFound(`Import ${importId} has no request ${request}.`);
    }
    const at = isoTime(wall());
    const resolution = { importId, request, what, by: caller.name, ...(because && { because }), at };
    // Recorded first: a resolution that is carried out always has its entry.
    const details = { request: String(request), resolution: what.kind };
    await recordAudit(importId, { action: 'resolved', caller, because, details }, dependencies);
    const expiresAt = Math.floor(wall() / 1_000) + keptSeconds;
    if (!(await resolutions.ask({ ...resolution, expiresAt }))) {
      throw new ApiProblem('busy', 'Another resolution of the request is not carried out yet.', {
        retryAfterSeconds: 5,
      });
    }
    await dependencies.startSync({ resolve: resolution });
    return { importId, request };
  },
);
