// Names characters that people cannot see or confuse with others, so that they can find and remove them.
import { error, type Finding } from '#shared/row/issue.ts';

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
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D(?=\p{Extended_Pictographic})|(?<=\u{1F3F4}[\u{E0020}-\u{E007F}]*)[\u{E0020}-\u{E007F}]/gu;
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
