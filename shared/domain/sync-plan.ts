// Which calls a sync run makes: a page of the list shows 50 ports at once, a direct look shows one. Pure, so that the
// bound on calls can be proven without a service.

/** Pages hold at most 50 ports (spec, Limits). */
export const pageSize = 50;

/** So few ports are asked for directly, without learning how long the list is. */
const fewPorts = 2;

export interface ListProgress {
  /** Ports that are due and were not seen yet. */
  readonly remaining: number;
  /** Pages that were not read yet; undefined before the first page has told how many there are. */
  readonly pagesLeft: number | undefined;
}

/**
 * Whether to read one more page, or to ask for what remains port by port. Either way no more calls follow than
 * `min(pages left, ports remaining)`, so that a run never makes more than min(pages, due) + changed + 2.
 */
export function nextCall({ remaining, pagesLeft }: ListProgress): 'page' | 'direct' | 'done' {
  if (remaining === 0) return 'done';
  if (pagesLeft === undefined) return remaining > fewPorts ? 'page' : 'direct';
  return pagesLeft > 0 && pagesLeft < remaining ? 'page' : 'direct';
}

/** Lists of up to so many pages are read in their order: a run gets to their end. */
const shortList = 100;
/** As often as sync runs (infra/config.ts): each run begins at another place. */
const stepMs = 5 * 60_000;
const goldenRatio = (Math.sqrt(5) - 1) / 2;

/**
 * The page to go on with after the first has told how many there are; from there on to the last, and then from the second.
 * A run that ends before a long list does leaves pages unread. Were the next to begin at the same place, the ports on them
 * would never be looked at; multiples of the golden ratio always fall into the largest gap that is left (fault 49).
 */
export function secondPage(totalPages: number, wallMs: number): number {
  if (totalPages <= shortList) return 2;
  const place = (Math.floor(wallMs / stepMs) * goldenRatio) % 1;
  return 2 + Math.floor(place * (totalPages - 1));
}

/** The page after `page`, round the end of the list; the first is never read twice. */
export const pageAfter = (page: number, totalPages: number): number => (page >= totalPages ? 2 : page + 1);
