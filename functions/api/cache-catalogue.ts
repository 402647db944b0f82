// Keeps the lookups of the porting service for some minutes: a person who fixes rows validates them one by one.
import type { Catalogue } from '#shared/operations/kit/catalogue.ts';
import type { Clock } from '#shared/runtime/clock.ts';

const keptMs = 5 * 60_000;

/** The catalogue keeps every lookup that it has made; a new one is opened when it is too old. */
export function cacheCatalogue(open: () => Catalogue, wall: Clock): () => Catalogue {
  let kept: { readonly catalogue: Catalogue; readonly until: number } | undefined;
  return () => {
    const now = wall();
    if (kept === undefined || kept.until <= now) kept = { catalogue: open(), until: now + keptMs };
    return kept.catalogue;
  };
}
