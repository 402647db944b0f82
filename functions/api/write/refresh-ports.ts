// Reads the list of ports again: sync does it, which may take minutes.

import * as z from 'zod';
import type { WriteDependencies } from '../dependencies.ts';
import { endpoint } from '../http/endpoint.ts';

export const refreshPorts = endpoint(
  {
    at: 'POST /port-list',
    role: 'approver',
    summary: 'Read the list of ports from the service again. `readAt` of the list shows when it was',
    accepts: { body: z.object({}) },
    status: 202,
    answer: z.object({ isAsked: z.literal(true) }),
  },
  async (_call, { startSync }: WriteDependencies) => {
    await startSync({ listPorts: true });
    return { isAsked: true as const };
  },
);
