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
