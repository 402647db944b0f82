// What people see of the cells of a row: no porting code, whichever column it is in. Only the upload, its plan and
// rejected.csv have the codes (docs/decisions/0044).
import { unguardFormula } from '#shared/csv/csv-row.ts';
import type { Outcome } from '#shared/domain/imports/outcome.ts';
import { canonicalPac, codeFamily, isCertainlyPac, maybePac } from '#shared/domain/numbers/pac.ts';
import { dateLike, maskCodes } from '#shared/domain/text/mask-codes.ts';
import { credentials, secretKinds } from '#shared/domain/text/redact.ts';
import { type Columns, findReferences, type References } from './find-references.ts';

/** A copy of the cells of a row, without the guards against formulas. */
export type MaskCells = (cells: readonly string[], outcome: Outcome) => string[];

/** The columns of these rows may be mixed up: a code may be where the number or the SIM belongs. */
const maybeMixedUp: ReadonlySet<Outcome> = new Set(['rejected', 'duplicate', 'not-sent']);

/** A column of the user's own that is named after codes: `Old PAC`, `porting_code_2`. */
const namesCode = /(?<![a-z])(?:pac|stac|rio|nutac)(?![a-z])|porting.?(?:code|auth)/i;

/** @param samples the first rows of the file: they show what its references have in common */
export function createCellMask(columns: Columns, samples: readonly (readonly string[])[] = []): MaskCells {
  const { header, columnIndexes } = columns;
  const names = new Map(Object.entries(columnIndexes).map(([name, index]) => [index, name]));
  const references = findReferences(columns, samples);
  const masks = header.map((title, index) => maskOf(names.get(index), title));
  return (cells, outcome) => {
    const texts = cells.map(unguardFormula);
    const row = { code: texts[columnIndexes.pac ?? -1] ?? '', isMixedUp: maybeMixedUp.has(outcome), references };
    return texts.map((text, index) => (text === '' ? '' : (masks[index] ?? maskText)(text, row)));
  };
}

/** The first row of a file without a header is there. */
export const maskHeader = (header: readonly string[]): string[] => header.map((title) => redactCodes(title));

interface RowCode {
  /** The cell of its column `pac`. */
  readonly code: string;
  readonly isMixedUp: boolean;
  readonly references: References;
}

type MaskCell = (text: string, row: RowCode) => string;

/** @param name of the operation; undefined for a column of the user's own */
function maskOf(name: string | undefined, title: string): MaskCell {
  if (name === 'pac') return maskCode;
  if (name === 'reference') return maskReference;
  if (name !== undefined) return (text, row) => (row.isMixedUp ? maskText(text, row) : text);
  return namesCode.test(title) ? maskNamed : maskText;
}

/** `ORD123456` is a reference where the row has another code, or needs none, and where those of other rows begin so. */
function maskReference(text: string, row: RowCode): string {
  const { code, isMixedUp, references } = row;
  const isUnusual = references.areKnown && isCertainlyPac(text);
  return isUnusual || (isMixedUp && !isCertainlyPac(code)) ? maskText(text, row) : maskKnown(text, code);
}

function maskText(text: string, { code, references }: RowCode): string {
  if (isCertainlyPac(text) && canonicalPac(text) === canonicalPac(code)) return maskCode(text);
  const visible = redactCodes(maskKnown(text, code), (found) => references.families.has(codeFamily(found) ?? ''));
  return visible !== text && isCertainlyPac(text) ? maskCode(text) : visible;
}

/** Without the code of the row itself, also in a text and of a country whose codes have no typical form. */
const maskKnown = (text: string, code: string): string =>
  maybePac(code) && /\d/.test(code) && canonicalPac(text).includes(canonicalPac(code)) ? maskCodes(text, [code]) : text;

/** The whole text without anything that looks like a porting code, except where `isKept` is true. */
function redactCodes(text: string, isKept: (found: string) => boolean = () => false): string {
  const shownAs = (shown: string) => (found: string, name: string) =>
    isName(found) || isKept(found) ? found : shown.replace('$1', () => name);
  let visible = text;
  for (const kind of secretKinds) {
    const { sign, shapes } = kind;
    if (kind === credentials || !sign.test(visible)) continue;
    for (const [shape, shown] of shapes) visible = visible.replace(shape, shownAs(shown));
  }
  return visible;
}

/** "3 Business SIM" has the length of a RIO. */
const isName = (text: string): boolean => canonicalPac(text).length === 12 && !/\d(?:.*\d){2}/.test(text);

/** Also a code of a country whose codes have no typical form; the day on which it expires is none. */
const maskNamed = (text: string): string =>
  maybePac(text) && !dateLike.test(text.trim()) ? maskCode(text) : redactCodes(text);

/** The last three characters let a person recognise the code. */
function maskCode(text: string): string {
  const code = text.trim();
  if (code === '' || code.startsWith('***')) return code;
  return code.length < 6 ? '***' : `***${code.slice(-3)}`;
}
