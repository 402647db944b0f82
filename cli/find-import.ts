// Which import a person means: by its id, by the beginning of it, or by the name of the file that was dropped.

import type { Imports } from '#shared/aws/imports.ts';
import { closest } from '#shared/domain/did-you-mean.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { usageFailure } from './failure.ts';
import { hint } from './hint.ts';
import type { Resources } from './resources.ts';

/** How far back names are looked up; an older import is found by its whole id. */
const remembered = 1_000;
const shownCandidates = 5;

export interface KnownImports {
  readonly imports: Pick<Imports, 'get' | 'list'>;
  readonly resources: Pick<Resources, 'account'>;
}

/** The last part of an inbox key: what the user's file was called. */
export const fileNameOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

const isNamed = ({ key }: ImportItem, given: string): boolean => key === given || fileNameOf(key) === fileNameOf(given);

/** It came to nothing, so the file is still that of the import before. */
const isRefusedMove = ({ reschedules, state }: ImportItem): boolean => reschedules !== undefined && state === 'refused';

/**
 * The import with this id, with an id that begins so, or the newest one of a file with this name or key.
 * @throws Failure (usage) when there is none, or more than one id begins so
 */
export async function findImport(target: KnownImports, given: string): Promise<ImportItem> {
  const exact = await target.imports.get(given);
  if (exact !== undefined) return exact;
  const known = await target.imports.list(target.resources.account, { limit: remembered });
  const named = known.find((item) => isNamed(item, given) && !isRefusedMove(item));
  const prefixed = known.filter(({ importId }) => importId.startsWith(given.toLowerCase()));
  if (prefixed.length > 1 && named === undefined) {
    const candidates = prefixed.slice(0, shownCandidates).map((item) => `${item.importId} (${fileNameOf(item.key)})`);
    throw usageFailure(
      `"${given}" begins ${prefixed.length} imports: ${candidates.join(', ')}.`,
      'Give more of the id.',
    );
  }
  const found = named ?? prefixed[0];
  if (found !== undefined) return found;
  const near = closest(
    given,
    known.flatMap(({ importId, key }) => [importId, fileNameOf(key)]),
  );
  throw usageFailure(
    `There is no import "${given}" here.`,
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `To see what there is: ${hint('imports')}`,
  );
}
