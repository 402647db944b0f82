// What the styles of a workbook mean for its cells: a number that is a date, a text that is struck out.

import { workbookLimits } from '#shared/workbook/workbook-limits.ts';
import { invalidWorkbook } from './open-archive.ts';
import { type Attribute, parseWholeXml } from './parse-xml.ts';

export interface CellStyles {
  /** Whether the style with this index shows a number as a date. */
  readonly isDate: (style: string) => boolean;
  /** Whether the style with this index strikes its cell out. */
  readonly isStruckOut: (style: string) => boolean;
}

export const noStyles: CellStyles = { isDate: () => false, isStruckOut: () => false };

/** By the indexes of the cell styles, which name their number format and their font. */
export async function readCellStyles(chunks: AsyncIterable<Uint8Array>): Promise<CellStyles> {
  /** Whether each of the user's own formats is a date, by its id: many styles have one format. */
  const ownFormats = new Map<number, boolean>();
  const struckFonts = new Set<number>();
  const dates = new Set<string>();
  const struckOut = new Set<string>();
  /** Conditional formats have fonts, too, and named styles have elements like those of cells. */
  let list: string | undefined;
  let fonts = 0;
  let styles = 0;
  const openers = new Map<string, (attribute: Attribute) => void>([
    ['numFmt', (format) => ownFormats.set(Number(format('numFmtId')), isDateFormat(format('formatCode') ?? ''))],
    ['fonts font', () => (fonts += 1)],
    ['fonts strike', (strike) => isOff(strike('val')) || struckFonts.add(fonts - 1)],
    [
      'cellXfs xf',
      (style) => {
        const format = Number(style('numFmtId') ?? 0);
        if (ownFormats.get(format) ?? isBuiltInDate(format)) dates.add(String(styles));
        if (struckFonts.has(Number(style('fontId') ?? 0))) struckOut.add(String(styles));
        styles += 1;
      },
    ],
  ]);
  await parseWholeXml(chunks, {
    open: (name, attribute) => {
      if (lists.has(name)) list = name;
      (openers.get(name) ?? openers.get(`${list} ${name}`))?.(attribute);
    },
    close: (name) => {
      if (name === list) list = undefined;
    },
  });
  return { isDate: (style) => dates.has(style), isStruckOut: (style) => struckOut.has(style) };
}

const lists: ReadonlySet<string> = new Set(['fonts', 'cellXfs']);

/** `<strike val="0"/>` */
export const isOff = (value: string | undefined): boolean => value === '0' || value === 'false';

/** Those with a day (ECMA-376, 18.8.30). */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

/** Whether a format of the user has a day or a year. */
function isDateFormat(code: string): boolean {
  if (code.length > workbookLimits.formatCharacters) throw invalidWorkbook('a number format in it is too long');
  const letters = code.replace(/"[^"]*(?:"|$)|\\.|_.|\*.|\[[^\]]*(?:\]|$)/g, '');
  return /[dy]/i.test(letters) && !/general/i.test(letters);
}
