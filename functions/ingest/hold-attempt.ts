// Renews the time until which ingest works on an import, as long as it does. After a crash the time passes.
import { attemptUntil, renewalMs } from '#shared/domain/imports/ingest-attempt.ts';
import type { IngestPipeline } from './dependencies.ts';

export async function holdAttempt<Result>(
  importId: string,
  work: () => Promise<Result>,
  { imports, wait, log, clocks }: IngestPipeline,
): Promise<Result> {
  let isOver = false;
  let renewing: Promise<unknown> = Promise.resolve();
  const renew = () =>
    imports
      .update(importId, { attemptUntil: attemptUntil(clocks.wall()) }, ['planning', 'planned'])
      .catch((error: unknown) => log.warn('the attempt was not renewed', { importId, error }));
  const keep = async (): Promise<void> => {
    for (await wait(renewalMs); !isOver; await wait(renewalMs)) {
      renewing = renew();
      await renewing;
    }
  };
  void keep();
  try {
    return await work();
  } finally {
    isOver = true;
    await renewing;
  }
}
