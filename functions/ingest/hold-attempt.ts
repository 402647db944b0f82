// Renews the time until which ingest works on an import, as long as it does. After a crash the time passes.
import { attemptUntil, renewalMs } from '#shared/domain/imports/ingest-attempt.ts';
import type { Log } from '#shared/runtime/logger.ts';
import type { Imports } from '#shared/store/tables/imports.ts';

export interface HoldDependencies {
  readonly imports: Imports;
  /** The present instant of wall time, ISO 8601. */
  readonly now: () => string;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly log: Log;
}

export async function holdAttempt<Result>(
  importId: string,
  work: () => Promise<Result>,
  { imports, now, wait, log }: HoldDependencies,
): Promise<Result> {
  let isOver = false;
  let renewing: Promise<unknown> = Promise.resolve();
  const renew = () =>
    imports
      .update(importId, { attemptUntil: attemptUntil(Date.parse(now())) }, ['planning', 'planned'])
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
