// Nothing is sent unseen: an import is listed while it, or a part in its entry, is under way.
import type { ImportItem } from '#shared/import/import.ts';
import type { Outcome } from './outcome.ts';

const isUnderWay = ({ state, planOnly, approvedAt }: ImportItem): boolean =>
  ['submitting', 'scheduled', 'stopped', 'in-progress'].includes(state) ||
  (state === 'planned' && !(planOnly && approvedAt === undefined));

/** Once every command of a person was handled. */
export function checkListed({ items }: Pick<Outcome, 'items'>): string[] {
  const imports = items.filter(({ sk }) => sk === 'import') as unknown as ImportItem[];
  return imports.flatMap((item) => {
    if (item.archived === undefined || item.archived.isUndone === true) return [];
    const family = imports.filter(
      ({ importId, partOf }) => importId === item.importId || partOf?.importId === item.importId,
    );
    return family
      .filter(isUnderWay)
      .map(({ importId, state }) => `I4 import ${item.importId} is archived, and ${importId} of it is ${state}`);
  });
}
