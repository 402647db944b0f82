// The text of a cell of a workbook: exactly what was entered, and never a number that lost digits.
import type { CellStyles } from '#shared/files/workbook/cell-text.ts';
import type { SharedTexts } from './shared-texts.ts';

export interface RawCell {
  /** The attribute `t`; a number where it is absent. */
  readonly type: string;
  /** The index of its style. */
  readonly style: string | undefined;
  /** The stored value; of a formula the value that the spreadsheet program last calculated. */
  readonly value: string;
  /** The text of an inline string. */
  readonly inline: string;
}

export interface CellFormats {
  readonly sharedTexts: SharedTexts;
  readonly styles: CellStyles;
  readonly startsIn1904: boolean;
}

/** A spreadsheet program keeps 15 digits of a number. */
const exactBelow = 1e15;
const dayMs = 86_400_000;
const firstDay = { 1900: Date.UTC(1899, 11, 30), 1904: Date.UTC(1904, 0, 1) };
/** Characters that XML cannot contain are stored as `_x000D_`. */
const escaped = /_x([0-9A-Fa-f]{4})_/g;

export function cellText(cell: RawCell, formats: CellFormats): string {
  switch (cell.type) {
    case 's':
      // An empty cell: Number('') is the index of the first text.
      return cell.value === '' ? '' : formats.sharedTexts.get(Number(cell.value));
    case 'inlineStr':
      return unescapeText(cell.inline);
    case 'b':
      return cell.value === '' ? '' : cell.value === '1' ? 'true' : 'false';
    // A formula with a text, an error such as #REF!, and an ISO date are texts already.
    case 'str':
      return unescapeText(cell.value);
    case 'e':
    case 'd':
      return cell.value;
    default:
      return numberText(cell, formats);
  }
}

export const unescapeText = (text: string): string =>
  text.includes('_x') ? text.replace(escaped, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) : text;

function numberText({ value, style }: RawCell, formats: CellFormats): string {
  const number = Number(value);
  if (value === '' || !Number.isFinite(number)) return value;
  if (style !== undefined && formats.styles.isDate(style)) return dateText(number, formats) ?? value;
  // Digits beyond the fifteenth are lost: the exponent shows it, so that no such number is used.
  if (Math.abs(number) >= exactBelow) return number.toExponential().toUpperCase();
  return String(Number.isInteger(number) ? number : Number(number.toPrecision(15)));
}

/** `2026-07-08`, with the time if there is one; undefined for a number that is no day. */
function dateText(serial: number, { startsIn1904 }: CellFormats): string | undefined {
  const seconds = Math.round(serial * 86_400);
  if (seconds < 86_400 || seconds > 2_958_465 * 86_400) return undefined;
  const text = new Date(firstDay[startsIn1904 ? 1904 : 1900] + (seconds / 86_400) * dayMs).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19);
}
