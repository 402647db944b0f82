// What a person may have meant: near misses, and characters that nobody sees.
import { error, type Finding } from './issue.ts';

// Suggests names that are similar to one that does not exist.

/**
 * The Damerau-Levenshtein distance of two texts (with swaps of neighbouring letters only), without case.
 * `limit` ends the count early: a larger distance is returned as `limit + 1`.
 */
export function editDistance(one: string, other: string, limit = Number.POSITIVE_INFINITY): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let rows: Rows = [
    Uint16Array.from({ length: b.length + 1 }, (_, column) => column),
    new Uint16Array(b.length + 1),
    new Uint16Array(b.length + 1),
  ];
  for (let row = 1; row <= a.length; row += 1) {
    rows = [rows[2], rows[0], rows[1]];
    if (fillRow(rows, a, b, row) > limit) return limit + 1;
  }
  return Math.min(rows[0][b.length] ?? 0, limit + 1);
}

/** Distances to each beginning of a text: those of a beginning of another one, of it without a letter, without two. */
type Rows = readonly [current: Uint16Array, before: Uint16Array, beforeThat: Uint16Array];

/** @returns the smallest distance of the row */
function fillRow([current, before, beforeThat]: Rows, a: string, b: string, row: number): number {
  const [letter, letterBefore] = [a.charCodeAt(row - 1), a.charCodeAt(row - 2)];
  current[0] = row;
  let smallest = row;
  for (let column = 1; column <= b.length; column += 1) {
    const other = b.charCodeAt(column - 1);
    const replaced = (before[column - 1] as number) + (letter === other ? 0 : 1);
    let distance = Math.min(replaced, (before[column] as number) + 1, (current[column - 1] as number) + 1);
    // There is no letter before the first one: its code is NaN, which equals nothing.
    if (letterBefore === other && letter === b.charCodeAt(column - 2)) {
      distance = Math.min(distance, (beforeThat[column - 2] as number) + 1);
    }
    current[column] = distance;
    if (distance < smallest) smallest = distance;
  }
  return smallest;
}

/** A longer text is no name. */
const longestCompared = 100;

/** Up to three similar candidates, the most similar first. A third of the letters may differ. */
export function closest(text: string, candidates: Iterable<string>): string[] {
  const wanted = text.trim();
  if (wanted.length > longestCompared) return [];
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

// Names characters that people cannot see or confuse with others, so that they can find and remove them.

const named: ReadonlyMap<number, string> = new Map([
  [0x00, 'NUL'],
  [0x09, 'tab'],
  [0x0a, 'line break'],
  [0x0d, 'carriage return'],
  [0xa0, 'no-break space'],
  [0xad, 'soft hyphen'],
  [0x200b, 'zero-width space'],
  [0x200c, 'zero-width non-joiner'],
  [0x200d, 'zero-width joiner'],
  [0x200e, 'left-to-right mark'],
  [0x200f, 'right-to-left mark'],
  [0x202a, 'left-to-right embedding'],
  [0x202c, 'end of directional formatting'],
  [0x202d, 'left-to-right override'],
  [0x202e, 'right-to-left override'],
  [0x2060, 'word joiner'],
  [0x2066, 'left-to-right isolate'],
  [0x2069, 'end of directional isolate'],
  [0xfeff, 'byte order mark'],
]);

const digitScripts: readonly (readonly [number, string])[] = [
  [0x0660, 'Arabic-Indic digit'],
  [0x06f0, 'Persian digit'],
  [0x0966, 'Devanagari digit'],
  [0xff10, 'full-width digit'],
];

/** What joins the parts of one emoji: of a family, and of the flag of England. */
const emojiParts =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})|(?<=\u{1F3F4})[\u{E0020}-\u{E007F}]+/gu;
// Line breaks and tabs are allowed in a quoted cell. Every other control or format character is a mistake.
const unwanted = /[^\P{Cc}\t\n\r]|\p{Cf}/u;
const unwantedInLine = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
/** The form of nearly every cell, which is cheap to check. */
const ordinary = /^[ -~]*$/;

/** `CELL_CONTROL_CHARACTER` for the first invisible or control character of a cell; undefined if there is none. */
export const checkCharacters = (text: string): Finding | undefined => findUnwanted(text, unwanted);

/** The same for a text of one line, such as a name: it must not have line breaks and tabs either. */
export const checkLine = (text: string): Finding | undefined => findUnwanted(text, unwantedInLine);

function findUnwanted(text: string, pattern: RegExp): Finding | undefined {
  if (ordinary.test(text)) return undefined;
  // As many characters stay, so that the place of the one that is found is right.
  const found = pattern.exec(text.replace(emojiParts, (part) => '-'.repeat(part.length)));
  if (found === null) return undefined;
  const place = [...text.slice(0, found.index)].length + 1;
  return error('CELL_CONTROL_CHARACTER', `Character ${place} is ${describeCharacter(found[0])}. Remove it`);
}

/** "U+200B (zero-width space)", "U+0667 (Arabic-Indic digit 7)", or the character itself where it is visible. */
export function describeCharacter(character: string): string {
  const codePoint = character.codePointAt(0) ?? 0;
  const code = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
  const name = named.get(codePoint) ?? digitName(codePoint);
  if (name !== undefined) return `${code} (${name})`;
  return /[\p{C}\p{Z}]/u.test(character) ? `${code} (not visible)` : `"${character}" (${code})`;
}

function digitName(codePoint: number): string | undefined {
  const script = digitScripts.find(([zero]) => codePoint >= zero && codePoint <= zero + 9);
  return script === undefined ? undefined : `${script[1]} ${codePoint - script[0]}`;
}

// Names that are the same.

/**
 * What two texts have in common that name the same: case, kinds and numbers of spaces, and the form in which Unicode
 * writes an accent do not matter.
 */
export const nameKey = (name: string): string =>
  (simpleName.test(name) ? name : name.normalize('NFC').trim().replace(/\s+/g, ' ')).toLowerCase();

/** The form of nearly every name: visible ASCII with single spaces inside. */
const simpleName = /^[!-~]+(?: [!-~]+)*$/;
