// The name somebody meant, for messages about one that does not exist.

/**
 * Letters, swaps and slips between two texts (Damerau and Levenshtein, neighbouring swaps only), case ignored.
 * `limit` ends the count early: anything above it comes back as `limit + 1`.
 */
export function editDistance(one: string, other: string, limit = Number.POSITIVE_INFINITY): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      current.push(cheapest(a, b, row, column, beforeLast, last, current));
    }
    if (Math.min(...current) > limit) return limit + 1;
    [beforeLast, last] = [last, current];
  }
  return Math.min(last[b.length] ?? 0, limit + 1);
}

function cheapest(
  a: string,
  b: string,
  row: number,
  column: number,
  beforeLast: readonly number[],
  last: readonly number[],
  current: readonly number[],
): number {
  const at = (line: readonly number[], place: number) => line[place] ?? Number.POSITIVE_INFINITY;
  const same = a[row - 1] === b[column - 1];
  // Before the first letter there is none: it is like no letter of the other text.
  const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
  return Math.min(
    at(last, column) + 1,
    at(current, column - 1) + 1,
    at(last, column - 1) + (same ? 0 : 1),
    swapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
  );
}

/** Up to three candidates close enough to be meant, nearest first. A third of the letters may be wrong. */
export function closest(text: string, candidates: Iterable<string>, count = 3): string[] {
  const wanted = text.trim();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const near: { candidate: string; distance: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const distance = editDistance(wanted, candidate, limit);
    if (distance <= limit && distance < candidate.length) near.push({ candidate, distance });
  }
  return near
    .sort((one, other) => one.distance - other.distance)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** `: did you mean "UK Mobile A" or "UK Mobile B"?`, empty where nothing is close. */
export function didYouMean(text: string, candidates: Iterable<string>): string {
  const names = closest(text, candidates).map((name) => `"${name}"`);
  return names.length === 0 ? '' : `: did you mean ${names.join(' or ')}?`;
}
