// Suggests names that are similar to one that does not exist.
import { describeCharacter } from '#shared/domain/text/cell-text.ts';

/**
 * The Damerau-Levenshtein distance of two texts (with swaps of neighbouring letters only), without case.
 * `limit` ends the count early: a larger distance is returned as `limit + 1`.
 */
export function editDistance(one: string, other: string, limit = Number.POSITIVE_INFINITY): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= b.length; column++) current.push(cheapest(a, b, row, column, rows));
    if (Math.min(...current) > limit) return limit + 1;
  }
  return Math.min(rows[a.length]?.[b.length] ?? 0, limit + 1);
}

/** The distance of the first `row` letters of `a` to the first `column` letters of `b`, from the shorter beginnings. */
function cheapest(a: string, b: string, row: number, column: number, rows: readonly (readonly number[])[]): number {
  const at = (line: number, place: number) => rows[line]?.[place] ?? Number.POSITIVE_INFINITY;
  const same = a[row - 1] === b[column - 1];
  // There is no letter before the first one, so it equals no letter of the other text.
  const swapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
  return Math.min(
    at(row - 1, column) + 1,
    at(row, column - 1) + 1,
    at(row - 1, column - 1) + (same ? 0 : 1),
    swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
  );
}

/** Up to three similar candidates, the most similar first. A third of the letters may differ. */
export function closest(text: string, candidates: Iterable<string>): string[] {
  const wanted = text.trim();
  const limit = Math.max(1, Math.floor(wanted.length / 3));
  const near: { candidate: string; distance: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const distance = editDistance(wanted, candidate, limit);
    if (distance <= limit && distance < candidate.length) near.push({ candidate, distance });
  }
  return near
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/**
 * `: did you mean "UK Mobile A" or "UK Mobile B"?`; empty where no candidate is similar. A text that looks like a
 * candidate is distinguished by its character: `. Character 3 is U+00A0 (no-break space). Type "UK Mobile A" again`.
 */
export function didYouMean(text: string, candidates: Iterable<string>): string {
  const names = closest(text, candidates);
  const twin = names.flatMap((name) => lookAlike(text, name) ?? [])[0];
  if (twin !== undefined) return twin;
  return names.length === 0 ? '' : `: did you mean ${names.map((name) => `"${name}"`).join(' or ')}?`;
}

const printable = /[ -~]/;
const invisible = /\p{Cf}/u;

/** What distinguishes two texts that look the same: a character that is not ASCII, where the name has another. */
function lookAlike(text: string, name: string): string | undefined {
  const [written, meant] = [[...text], [...name]];
  let found: number | undefined;
  let at = 0;
  for (const [place, character] of written.entries()) {
    if (character === meant[at]) {
      at += 1;
      continue;
    }
    if (printable.test(character) || (!invisible.test(character) && !looksLike(character, meant[at]))) return undefined;
    found ??= place;
    if (!invisible.test(character)) at += 1;
  }
  if (found === undefined || at < meant.length) return undefined;
  return `. Character ${found + 1} is ${describeCharacter(written[found] ?? '')}. Type "${name}" again`;
}

/** A space of another kind, or a letter of another alphabet in the place of an ASCII letter. */
const looksLike = (character: string, other = ''): boolean =>
  (/\s/.test(character) && other === ' ') ||
  (/\p{L}/u.test(character) && !/\p{Script=Latin}/u.test(character) && /[a-z]/i.test(other));
