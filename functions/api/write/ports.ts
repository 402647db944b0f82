// Adopts a port, reads the list of ports, resolves a request, and shows the services of SIMs.
import * as z from 'zod';
import { readSimServices } from '#shared/operations/sim-services.ts';
import { simServices } from '#shared/results/answers.ts';
import { adoptionId } from '#shared/text/identity.ts';
import { ordinal } from '#shared/text/stored-values.ts';
import { isoTime } from '#shared/text/wording.ts';
import type { ApiWriter } from '../context.ts';
import { findImportToSend, recordAudit } from '../find-import.ts';
import { ApiProblem, endpoint, notFound } from '../http/endpoint.ts';
import { because, portPath, requestPath, text } from '../schemas.ts';

// Reads the list of ports again, and adopts a port that was made elsewhere. Sync does the first, ingest the second.

export const adoptPort = endpoint(
  {
    at: 'POST /ports/{portId}/adopt',
    role: 'approver',
    summary: 'Follow a port that was made elsewhere as an import, which is rejected where that is not possible',
    accepts: { path: portPath, body: z.strictObject({ because }) },
    status: 202,
    answer: z.object({ importId: z.string() }),
    problems: ['state-changed'],
  },
  async ({ path: { portId }, body: { because }, caller }, writer: ApiWriter) => {
    const { ports, resources, command } = writer;
    const importId = adoptionId(resources.account, portId);
    const port = await ports.get(portId);
    if (port?.importId === importId) return { importId };
    if (port !== undefined) {
      const detail = `Import ${port.importId} follows port ${portId} already.`;
      throw new ApiProblem('state-changed', detail, { changed: { import: port.importId } });
    }
    await recordAudit(importId, { action: 'adopted', caller, because, details: { port: portId } }, writer);
    await command({ adopt: portId, by: caller.name, ...(because && { because }) });
    return { importId };
  },
);

export const refreshPorts = endpoint(
  {
    at: 'POST /port-list',
    role: 'approver',
    summary: 'Read the list of ports from the service again. `readAt` of the list shows when it was',
    accepts: { body: z.strictObject({}) },
    status: 202,
    answer: z.object({ isAsked: z.literal(true) }),
  },
  async (_call, { startSync }: ApiWriter) => {
    await startSync({ listPorts: true });
    return { isAsked: true as const };
  },
);

// Resolves a request whose outcome is unknown, or that has several ports: sync does it, which may take minutes.

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
    problems: ['busy', 'state-changed'],
  },
  async ({ path, body: { what, because }, caller }, writer: ApiWriter) => {
    const { requests, resolutions, wall } = writer;
    const { request } = path;
    const { importId } = await findImportToSend(writer, path.importId);
    if ((await requests.get(importId, request)) === undefined) {
      throw notFound(`Import ${importId} has no request ${request}.`);
    }
    const at = isoTime(wall());
    const resolution = { importId, request, what, by: caller.name, ...(because && { because }), at };
    // Recorded first: a resolution that is carried out always has its entry.
    const details = { request: String(request), resolution: what.kind };
    await recordAudit(importId, { action: 'resolved', caller, because, details }, writer);
    const expiresAt = Math.floor(wall() / 1_000) + keptSeconds;
    if (!(await resolutions.ask({ ...resolution, expiresAt }))) {
      throw new ApiProblem('busy', 'Another resolution of the request is not carried out yet.', {
        retryAfterSeconds: 5,
      });
    }
    await writer.startSync({ resolve: resolution });
    return { importId, request };
  },
);

// The current services of a few SIMs, read from the service now.

const mostSims = 100;
const callsAtOnce = 10;
/** An HTTP API waits 30 seconds for an answer. A SIM takes up to two calls. */
const longestMs = 15_000;

const simServicesBody = z.strictObject({
  /** Serials of SIMs, or numbers that simporter ported. */
  sims: z.array(text(100, 1)).min(1).max(mostSims),
});

export const listSimServices = endpoint(
  {
    at: 'POST /sim-services',
    role: 'uploader',
    summary: 'The current services of SIMs',
    isQuery: true,
    accepts: { body: simServicesBody },
    /** In the order of the request. */
    answer: z.object({ sims: z.array(simServices) }),
    problems: [],
  },
  async ({ body }, { openCatalogue, account, wall }: ApiWriter) => {
    const until = wall() + longestMs;
    const source = { catalogue: openCatalogue(), callingCode: account.callingCode, callsAtOnce };
    return { sims: await readSimServices(body.sims, { ...source, isOver: () => wall() > until }) };
  },
);
