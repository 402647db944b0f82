// A cell that names nothing must not hide what is wrong with the cells that depend on it. They are checked against
// everything that it may mean, and what is wrong in every case is reported.

import type { CellReader } from '#shared/operations/columns/cell-reader.ts';
import { closest } from '#shared/row/did-you-mean.ts';

/** Further candidates are not looked up: the first ones show the same mistakes. */
const mostCandidates = 10;

/** What a text that names none of the options may mean: any of them, the similar ones first. */
export function candidatesOf<Item extends { readonly name: string }>(text: string, options: readonly Item[]): Item[] {
  const similar = closest(text, new Set(options.map(({ name }) => name)));
  const isSimilar = ({ name }: Item) => similar.includes(name);
  return [...options.filter(isSimilar), ...options.filter((item) => !isSimilar(item))].slice(0, mostCandidates);
}

/**
 * The check of the only candidate. Of several candidates, the findings of the first in the columns in which each of
 * them has an error; then there is no value.
 */
export async function checkCandidates<Candidate, Value>(
  candidates: readonly Candidate[],
  cells: CellReader,
  check: (candidate: Candidate, cells: CellReader) => Promise<Value>,
): Promise<Value | undefined> {
  if (candidates.length === 1) return check(candidates[0] as Candidate, cells);
  const trials: CellReader[] = [];
  for (const candidate of candidates) {
    const trial = cells.withoutFindings();
    await check(candidate, trial);
    trials.push(trial);
  }
  const [first] = trials;
  const isWrongInEach = (column: string | null) => trials.every((trial) => trial.hasErrorAt(column));
  for (const { column, ...finding } of first?.findings ?? []) {
    if (finding.severity === 'error' && isWrongInEach(column)) cells.report(column, finding);
  }
  return undefined;
}
