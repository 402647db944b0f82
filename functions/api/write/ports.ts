// Reads the list of ports again, and adopts a port that was made elsewhere. Sync does the first, ingest the second.
import * as z from 'zod';
import { adoptionId } from '#shared/text/identity.ts';
import type { WriteDependencies } from '../context.ts';
import { ApiProblem } from '../http/api-problem.ts';
import { endpoint } from '../http/endpoint.ts';
import { recordAudit } from '../http/record-audit.ts';
import { because, portPath } from '../schemas.ts';

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
  async ({ path: { portId }, body: { because }, caller }, dependencies: WriteDependencies) => {
    const { ports, resources, command } = dependencies;
    const importId = adoptionId(resources.account, portId);
    const port = await ports.get(portId);
    if (port?.importId === importId) return { importId };
    if (port !== undefined) {
      const detail = `Import ${port.importId} follows port ${portId} already.`;
      throw new ApiProblem('state-changed', detail, { changed: { import: port.importId } });
    }
    await recordAudit(importId, { action: 'adopted', caller, because, details: { port: portId } }, dependencies);
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
  async (_call, { startSync }: WriteDependencies) => {
    await startSync({ listPorts: true });
    return { isAsked: true as const };
  },
);
