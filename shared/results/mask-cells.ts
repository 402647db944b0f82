// What people see of the cells of a row: no porting code, whichever column it is in. Only the upload, its plan and
// rejected.csv have the codes (docs/decisions/0002).

import { createUnguard } from '#shared/files/added-columns.ts';
import { findSecretColumns, isNamedForCodes, namesReference, type ReadColumns } from '#shared/files/secret-columns.ts';
import type { Outcome } from '#shared/outcome/outcome.ts';
import { isOwnText } from '#shared/row/own-text.ts';
import { canonicalPac, codeFamily, isCertainlyPac, maybePac } from '#shared/row/pac.ts';
import { codeMask, credentials, dateLike, secretKinds } from '#shared/row/redact.ts';

/** A copy of the cells of a row, without the guards against formulas. */
export type MaskCells = (cells: readonly string[], outcome: Outcome) => string[];

/** The columns of these rows may be mixed up: a code may be where the number or the SIM belongs. */
const maybeMixedUp: ReadonlySet<Outcome> = new Set(['rejected', 'duplicate', 'not-sent']);

/** @param samples the first rows of the file: they show what its references have in common */
export function createCellMask(columns: ReadColumns, samples: readonly (readonly string[])[] = []): MaskCells {
  const { header, columnIndexes } = columns;
  const names = new Map(Object.entries(columnIndexes).map(([name, index]) => [index, name]));
  const secret = findSecretColumns(columns, samples);
  const families = findReferences(columns, samples);
  const unguard = createUnguard(columns);
  const codePlaces = [...header.keys()].filter(
    (index) => secret.has(index) || (isOwnText(names.get(index)) && isNamedForCodes(header[index] ?? '')),
  );
  const masks = header.map((title, index) => (secret.has(index) ? maskCode : maskOf(names.get(index), title)));
  return (cells, outcome) => {
    const texts = unguard(cells);
    const code = visibleOf(texts[columnIndexes.pac ?? -1] ?? '');
    const codes = codePlaces.map((index) => visibleOf(texts[index] ?? '')).filter(mayBeKnown);
    const row = { code, maskKnown: codeMask(codes), isMixedUp: maybeMixedUp.has(outcome), families };
    return texts.map((text, index) => {
      if (text === '') return '';
      const visible = visibleOf(text);
      const masked = (masks[index] ?? maskText)(visible, row);
      return masked === visible ? text : masked;
    });
  };
}

const ordinary = /^[\x20-\x7e]*$/;
/** What a reader sees: without characters that have no width, and letters of other widths as usual ones. */
const visibleOf = (text: string): string =>
  ordinary.test(text)
    ? text
    : text.normalize('NFKC').replace(/[\p{Cf}\p{Cc}\p{Mn}\p{Me}\ufffd]/gu, (one) => (/\s/.test(one) ? ' ' : ''));

/** The first row of a file without a header is there. @param secret its columns with codes */
export function maskHeader(header: readonly string[], secret: ReadonlySet<number> = new Set()): string[] {
  const maskKnown = codeMask(header.filter((title, index) => secret.has(index) && mayBeKnown(title)));
  return header.map((title, index) =>
    secret.has(index) && /\d/.test(title) ? maskNamed(title) : redactCodes(maskKnown(title)),
  );
}

/** A word without a digit is not a code of any network, and a day is none. */
const mayBeKnown = (text: string): boolean => maybePac(text) && /\d/.test(text) && !dateLike.test(text.trim());

interface RowCode {
  /** The cell of its column `pac`. */
  readonly code: string;
  /** A text without the codes of the row, whatever stands beside them. */
  readonly maskKnown: (text: string) => string;
  readonly isMixedUp: boolean;
  /** The letters with which the references of the file begin. */
  readonly families: ReadonlySet<string>;
}

type MaskCell = (text: string, row: RowCode) => string;

/** @param name of the operation; undefined for a column of the user's own */
function maskOf(name: string | undefined, title: string): MaskCell {
  if (isOwnText(name)) return isNamedForCodes(title) ? maskNamed : maskText;
  return (text, row) => {
    if (row.isMixedUp) return maskText(text, row);
    const masked = row.maskKnown(text);
    // The digits of a valid number or SIM are no code.
    return masked === text || /^\+?\d+$/.test(canonicalPac(text)) ? text : masked;
  };
}

function maskText(text: string, { code, maskKnown, families }: RowCode): string {
  if (isCertainlyPac(text) && canonicalPac(text) === canonicalPac(code)) return maskCode(text);
  const isReference = (family = '') => families.has(family) && family !== codeFamily(code);
  const visible = redactCodes(maskKnown(text), (found) => isReference(codeFamily(found)));
  return visible !== text && isCertainlyPac(text) ? maskCode(text) : visible;
}

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

/** Masks also the codes of countries that have no typical form. The day on which a code expires is no code. */
const maskNamed = (text: string, row?: RowCode): string =>
  maybePac(text) && !dateLike.test(text.trim()) ? maskCode(text) : redactCodes(row?.maskKnown(text) ?? text);

/** The last two characters let a person recognise the code. */
function maskCode(text: string): string {
  const code = text.trim();
  if (code === '' || code.startsWith('***')) return code;
  return code.length < 6 ? '***' : `***${code.slice(-2)}`;
}

/** The number of rows that may have a reference in the column of PACs by mistake. */
const mostMixedUp = 0.2;

/**
 * What references begin with, in the form of `codeFamily`: `ORD123456` has the form of a PAC. A reference is recognised
 * by the name of its column, and by the letters that it shares with those of other rows. Real PACs share their letters
 * only within a network.
 */
function findReferences({ header, columnIndexes }: ReadColumns, samples: readonly (readonly string[])[]) {
  const { pac = -1, portType = -1 } = columnIndexes;
  // A row without its PAC may have it in the place of its reference.
  const needsNoCode = (cells: readonly string[]): boolean => pac < 0 || /^\W*migrat/i.test(cells[portType] ?? '');
  const rows = samples.filter((cells) => needsNoCode(cells) || /[A-Za-z]\W*\d/.test(cells[pac] ?? ''));
  const ofPacs = familyShares(samples, pac);
  const families = header.flatMap((title, index) => {
    const usual = namesReference(title) ? [...familyShares(rows, index)].find(([, share]) => share > 0.5) : undefined;
    return usual === undefined || (ofPacs.get(usual[0]) ?? 0) > mostMixedUp ? [] : [usual[0]];
  });
  return new Set(families);
}

/** The families of the values of a column, and how many of its values have each. */
function familyShares(rows: readonly (readonly string[])[], index: number): ReadonlyMap<string, number> {
  const values = rows.map((cells) => cells[index] ?? '').filter((cell) => cell.trim() !== '');
  const shares = new Map<string, number>();
  for (const value of values) {
    const family = codeFamily(value);
    if (family !== undefined) shares.set(family, (shares.get(family) ?? 0) + 1 / values.length);
  }
  return shares;
}
