// What people see of the cells of a row: no porting code, whichever column it is in. Only the upload, its plan and
// rejected.csv have the codes (docs/decisions/0044).
import { unguardFormula } from '#shared/csv/csv-row.ts';
import type { Outcome } from '#shared/domain/imports/outcome.ts';
import { canonicalPac, isCertainlyPac, maybePac } from '#shared/domain/numbers/pac.ts';
import { dateLike, maskCodes } from '#shared/domain/text/mask-codes.ts';
import { redactSecrets } from '#shared/domain/text/redact.ts';

export interface Columns {
  readonly header: readonly string[];
  /** Canonical column name to the index of its cell. */
  readonly columnIndexes: Readonly<Record<string, number>>;
}

/** A copy of the cells of a row, without the guards against formulas. */
export type MaskCells = (cells: readonly string[], outcome: Outcome) => string[];

/** The columns of these rows may be mixed up: a code may be where the number or the SIM belongs. */
const maybeMixedUp: ReadonlySet<Outcome> = new Set(['rejected', 'duplicate', 'not-sent']);

/** A column of the user's own that is named after codes: `Old PAC`, `porting_code_2`. */
const namesCode = /(?<![a-z])(?:pac|stac|rio|nutac)(?![a-z])|porting.?(?:code|auth)/i;

export function createCellMask({ header, columnIndexes }: Columns): MaskCells {
  const names = new Map(Object.entries(columnIndexes).map(([name, index]) => [index, name]));
  const masks = header.map((title, index) => maskOf(names.get(index), title));
  return (cells, outcome) => {
    const texts = cells.map(unguardFormula);
    const row = { code: texts[columnIndexes.pac ?? -1] ?? '', isMixedUp: maybeMixedUp.has(outcome) };
    return texts.map((text, index) => (text === '' ? '' : (masks[index] ?? maskText)(text, row)));
  };
}

interface RowCode {
  /** The cell of its column `pac`. */
  readonly code: string;
  readonly isMixedUp: boolean;
}

type MaskCell = (text: string, row: RowCode) => string;

/** @param name of the operation; undefined for a column of the user's own */
function maskOf(name: string | undefined, title: string): MaskCell {
  if (name === 'pac') return maskCode;
  if (name === 'reference') return maskReference;
  if (name !== undefined) return (text, { isMixedUp }) => (isMixedUp ? maskText(text) : text);
  return namesCode.test(title) ? maskNamed : maskText;
}

/** `ORD123456` is a reference where the row has another code, or needs none. */
function maskReference(text: string, { code, isMixedUp }: RowCode): string {
  if (isMixedUp && !isCertainlyPac(code)) return maskText(text);
  return code !== '' && canonicalPac(text).includes(canonicalPac(code)) ? maskCodes(text, [code]) : text;
}

function maskText(text: string): string {
  const visible = redactSecrets(text);
  return visible !== text && isCertainlyPac(text) ? maskCode(text) : visible;
}

/** Also a code of a country whose codes have no typical form; the day on which it expires is none. */
const maskNamed = (text: string): string =>
  maybePac(text) && !dateLike.test(text.trim()) ? maskCode(text) : redactSecrets(text);

/** The last three characters let a person recognise the code. */
function maskCode(text: string): string {
  const code = text.trim();
  if (code === '' || code.startsWith('***')) return code;
  return code.length < 6 ? '***' : `***${code.slice(-3)}`;
}
