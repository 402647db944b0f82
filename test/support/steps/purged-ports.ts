// A service that has purged some ports.
import type { SyncPipeline } from '#functions/sync/run.ts';
import { NotFound } from '#shared/service/errors.ts';
import type { Rig } from './submit-and-sync.ts';

/** It does not know these ports, and knows every other. */
export function withoutPorts(rig: Rig, ...portIds: string[]): SyncPipeline['client'] {
  const { client } = rig.syncParts();
  const refusal = { message: 'not found', fieldErrors: [], msisdns: [] };
  const gone = (id: string) => Promise.reject(new NotFound(refusal, { call: `GET /port/${id}`, status: 404 }));
  return { ...client, port: (id: string) => (portIds.includes(id) ? gone(id) : client.port(id)) };
}
