// Renews the time until which ingest works on an import, for as long as it does. After a crash the time passes.
import { attemptUntil, renewalMs } from '#shared/import/import-state.ts';
import { keepRenewing } from '#shared/runtime/clock.ts';
import type { IngestPipeline } from './ingest-pipeline.ts';

export async function holdAttempt<Result>(
  importId: string,
  work: () => Promise<Result>,
  { imports, wait, log, clocks }: IngestPipeline,
): Promise<Result> {
  const renew = () =>
    imports
      .update(importId, { attemptUntil: attemptUntil(clocks.wall()) }, ['planning', 'planned'])
      .catch((error: unknown) => log.warn('the attempt was not renewed', { importId, error }));
  const renewal = keepRenewing(renew, renewalMs, wait);
  try {
    return await work();
  } finally {
    await renewal.end();
  }
}
