// A plan that there is never enough time for: its import says so, instead of being `planning` for ever.
import type { Imports } from '#shared/aws/imports.ts';
import type { Issue } from '#shared/domain/issue.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import type { OutOfTime } from './out-of-time.ts';

/** Deliveries of one message that may run out of time. Each began anew: one more would end like them. */
export const mostTries = 3;

export interface GiveUpDependencies {
  readonly imports: Pick<Imports, 'get' | 'update'>;
  /** The present instant, ISO 8601. */
  readonly now: () => string;
}

/** Refuses the import, unless another delivery has planned it. Answers it as it stands then. */
export async function giveUp(
  { importId, message, advice }: OutOfTime,
  { imports, now }: GiveUpDependencies,
): Promise<ImportItem | undefined> {
  const text = `${message}, each of the ${mostTries} times it was tried: ${advice}`;
  const issue: Issue = { line: 0, column: null, code: 'FILE_TOO_LARGE', severity: 'error', message: text };
  const changes: Partial<ImportItem> = { state: 'refused', issues: [issue], changedAt: now() };
  return (await imports.update(importId, changes, ['planning'])) ?? imports.get(importId);
}
