// What is wrong with an import, in a few words for the list of imports.

import { count } from '#shared/domain/text/counted.ts';
import type { ImportItem } from '#shared/items/import.ts';

/** Empty where nothing is wrong; of a rejected file the reason, because its rows do not matter then. */
export function describeProblems(item: ImportItem): string {
  const { state, issues, rejected, duplicates = 0, skippedRows, actionRequired, requests } = item;
  const reason = state === 'rejected' && issues.find(({ severity }) => severity === 'error');
  if (reason) return reason.message;
  const { declined = 0 } = requests;
  const problems = [
    [rejected - duplicates, 'rejected'],
    [duplicates, duplicates === 1 ? 'duplicate' : 'duplicates'],
    [skippedRows, 'skipped'],
    [declined, declined === 1 ? 'request declined' : 'requests declined'],
    [actionRequired, 'action required'],
  ] as const;
  return problems.flatMap(([rows, text]) => (rows > 0 ? [`${count(rows)} ${text}`] : [])).join(', ');
}
