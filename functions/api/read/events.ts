// What changed: small enough to be polled every few seconds, and answered 304 while nothing did.
import * as z from 'zod';
import { count, instant } from '#shared/domain/schemas.ts';
import { importStates } from '#shared/import/import.ts';
import { rowsSoFar } from '#shared/import/import-state.ts';
import { fileNameOf } from '#shared/read-models/file-name.ts';
import { readOutage } from '#shared/read-models/outage.ts';
import { outage } from '#shared/results/answers.ts';
import type { ReadDependencies } from '../context.ts';
import { endpoint } from '../http/endpoint.ts';

/** Changes with every change of one of these imports, and of the service. Its ETag answers If-None-Match with 304. */
const events = z.object({
  /** Of the newest imports, the last change first. */
  imports: z.array(
    z.object({
      importId: z.string(),
      file: z.string(),
      state: z.enum(importStates),
      changedAt: instant,
      actionRequired: count,
      /** Rows that the service declined so far: they are counted shortly after the change itself. */
      declined: z.optional(count),
    }),
  ),
  outage: outage.optional(),
});

const watchedImports = 50;

export const getEvents = endpoint(
  {
    at: 'GET /events',
    role: 'viewer',
    summary: 'What changed. Poll it with If-None-Match',
    accepts: {},
    answer: events,
    etag: true,
  },
  async (_call, dependencies: ReadDependencies) => {
    const { imports, resources } = dependencies;
    const [items, outage] = await Promise.all([
      imports.list(resources.account, { limit: watchedImports }),
      readOutage(dependencies),
    ]);
    const newest = items.toSorted((one, other) => (one.changedAt > other.changedAt ? -1 : 1));
    return {
      imports: newest.map((item) => ({
        importId: item.importId,
        file: fileNameOf(item.key),
        state: item.state,
        changedAt: item.changedAt,
        actionRequired: item.actionRequired,
        declined: rowsSoFar(item, 'declined'),
      })),
      ...(outage && { outage }),
    };
  },
);
