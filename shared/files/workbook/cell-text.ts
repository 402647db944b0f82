// The text of a cell of a workbook: exactly what was entered, and never a number that lost digits.
import { fileTooLarge, invalidWorkbook, workbookLimits } from './open-archive.ts';
import { type Attribute, parseWholeXml } from './parse-xml.ts';

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

/** The program stored the cell as a date: perhaps one that it read from a text with day and month swapped. */
export const isDateCell = ({ type, style }: RawCell, { styles }: CellFormats): boolean =>
  type === 'd' || (type === 'n' && style !== undefined && styles.isDate(style));

export const unescapeText = (text: string): string =>
  text.includes('_x') ? text.replace(escaped, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) : text;

function numberText(cell: RawCell, formats: CellFormats): string {
  const { value, style } = cell;
  const number = Number(value);
  if (value === '' || !Number.isFinite(number)) return value;
  if (isDateCell(cell, formats)) return dateText(number, formats) ?? value;
  // Digits beyond the fifteenth are lost: the exponent shows it, so that no such number is used.
  if (Math.abs(number) >= exactBelow) return number.toExponential().toUpperCase();
  if (!Number.isInteger(number)) return String(Number(number.toPrecision(15)));
  const digits = style === undefined ? 0 : formats.styles.digitsOf(style);
  return number < 0 ? String(number) : String(number).padStart(digits, '0');
}

/** Seconds that a stored time may be below the one that was entered. */
const inexact = 1e-4;

/**
 * `2026-07-08`, with the time if there is one; undefined for a number that is no day. As in a spreadsheet program, the
 * last second of a day is not the next day.
 */
function dateText(serial: number, { startsIn1904 }: CellFormats): string | undefined {
  const seconds = Math.floor(serial * 86_400 + inexact);
  if (seconds < 86_400 || seconds > 2_958_465 * 86_400) return undefined;
  const text = new Date(firstDay[startsIn1904 ? 1904 : 1900] + (seconds / 86_400) * dayMs).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19);
}

// What the styles of a workbook mean for its cells: a number that is a date, a text that is struck out.

interface CellStyles {
  /** Whether the style with this index shows a number as a date. */
  readonly isDate: (style: string) => boolean;
  /** Whether the style with this index strikes its cell out. */
  readonly isStruckOut: (style: string) => boolean;
  /** How many digits the style with this index shows at least: `00004711` in the format 00000000. */
  readonly digitsOf: (style: string) => number;
}

export const noStyles: CellStyles = { isDate: () => false, isStruckOut: () => false, digitsOf: () => 0 };

/** By the indexes of the cell styles, which name their number format and their font. */
export async function readCellStyles(chunks: AsyncIterable<Uint8Array>): Promise<CellStyles> {
  /** What each of the user's own formats shows, by its id: many styles have one format. */
  const ownFormats = new Map<number, { readonly isDate: boolean; readonly digits: number }>();
  const struckFonts = new Set<number>();
  const dates = new Set<string>();
  const struckOut = new Set<string>();
  const digitsByStyle = new Map<string, number>();
  /** Conditional formats have fonts, too, and named styles have elements like those of cells. */
  let list: string | undefined;
  let fonts = 0;
  let styles = 0;
  const openers = new Map<string, (attribute: Attribute) => void>([
    ['numFmt', (format) => ownFormats.set(Number(format('numFmtId')), readFormat(format('formatCode') ?? ''))],
    ['fonts font', () => (fonts += 1)],
    ['fonts strike', (strike) => isOff(strike('val')) || struckFonts.add(fonts - 1)],
    [
      'cellXfs xf',
      (style) => {
        const format = Number(style('numFmtId') ?? 0);
        const { isDate, digits } = ownFormats.get(format) ?? { isDate: isBuiltInDate(format), digits: 0 };
        if (isDate) dates.add(String(styles));
        if (digits > 1) digitsByStyle.set(String(styles), digits);
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
  return {
    isDate: (style) => dates.has(style),
    isStruckOut: (style) => struckOut.has(style),
    digitsOf: (style) => digitsByStyle.get(style) ?? 0,
  };
}

const lists: ReadonlySet<string> = new Set(['fonts', 'cellXfs']);

/** `<strike val="0"/>` */
export const isOff = (value: string | undefined): boolean => value === '0' || value === 'false';

/** Those with a day (ECMA-376, 18.8.30). */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58);

const readFormat = (code: string) => ({
  isDate: isDateFormat(code),
  digits: /^0{2,30}(?=;|$)/.exec(code)?.[0].length ?? 0,
});

/** Whether a format of the user has a day or a year. */
function isDateFormat(code: string): boolean {
  if (code.length > workbookLimits.formatCharacters)
    throw invalidWorkbook('a number format in it is too long', 'save it as "CSV UTF-8"');
  const letters = code.replace(/"[^"]*(?:"|$)|\\.|_.|\*.|\[[^\]]*(?:\]|$)/g, '');
  return /[dy]/i.test(letters) && !/general/i.test(letters);
}

// The shared texts of a workbook in blocks of bytes: four million strings would take four times as much memory.

/** Longer than any text. */
const blockBytes = 1024 * 1024;
const textsPerBlock = 64 * 1024;
/** Ends each text: UTF-8 has no such byte. */
const end = 0xff;

/** A text may consist of parts, of which some are struck out. */
export const keptRun = 1;
export const struckRun = 2;

export class SharedTexts {
  readonly #blocks: Buffer[] = [];
  /** Used bytes of the last block. */
  #used = blockBytes;
  /** Where each text begins: its block, and its place there. */
  readonly #places: Uint32Array[] = [];
  #count = 0;
  /** Those with a struck-out part. */
  readonly #struck = new Map<number, number>();

  /** @throws FileError where all of them need too much memory */
  add(text: string, runs = keptRun): void {
    if ((runs & struckRun) !== 0) this.#struck.set(this.#count, runs);
    const length = Buffer.byteLength(text);
    if (this.#used + length + 1 > blockBytes) {
      this.#blocks.push(Buffer.allocUnsafeSlow(blockBytes));
      this.#used = 0;
    }
    if (this.#count % textsPerBlock === 0) this.#places.push(new Uint32Array(textsPerBlock));
    const blocks = this.#blocks.length;
    const { textMemory } = workbookLimits;
    if (blocks * blockBytes + this.#places.length * textsPerBlock * 4 > textMemory) {
      throw fileTooLarge(`the different texts of the workbook need more than ${textMemory / 1024 / 1024} MB`);
    }
    const place = (blocks - 1) * blockBytes + this.#used;
    (this.#places.at(-1) as Uint32Array)[this.#count % textsPerBlock] = place;
    const block = this.#blocks.at(-1) as Buffer;
    block.write(text, this.#used);
    block[this.#used + length] = end;
    this.#used += length + 1;
    this.#count += 1;
  }

  get count(): number {
    return this.#count;
  }

  /** Which parts the text has. */
  runsOf(index: number): number {
    return this.#struck.get(index) ?? keptRun;
  }

  /** '' where there is no such text. */
  get(index: number): string {
    const place =
      index < this.#count ? this.#places[Math.floor(index / textsPerBlock)]?.[index % textsPerBlock] : undefined;
    const block = place === undefined ? undefined : this.#blocks[Math.floor(place / blockBytes)];
    if (place === undefined || block === undefined) return '';
    const start = place % blockBytes;
    return block.toString('utf8', start, block.indexOf(end, start));
  }
}
