// The XML of a sheet whose cells are texts, with dropdown lists for columns.
import { columnLetters } from '#shared/csv/column-letters.ts';

export interface TextSheet {
  readonly header: readonly string[];
  /** In batches. */
  readonly rows: AsyncIterable<readonly (readonly string[])[]>;
  /** Values to choose from, by the index of the column. Other values can be entered as well. */
  readonly choices?: ReadonlyMap<number, readonly string[]>;
  /** The number of rows below the others that have dropdown lists, too. */
  readonly rowsToFillIn?: number;
}

/** A spreadsheet program opens no larger sheet, and no longer cell. */
export const sheetLimits = { rows: 1_048_576, columns: 16_384, cellCharacters: 32_767 } as const;

/** The rows do not fit into a workbook. */
export class UnwritableWorkbook extends Error {
  override readonly name = 'UnwritableWorkbook';
}

const namespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const textStyle = 1;
const headerStyle = 2;
const columnWidth = 20;

/** In pieces. @throws UnwritableWorkbook */
export async function* textSheetXml({ header, rows, choices, rowsToFillIn = 0 }: TextSheet): AsyncGenerator<string> {
  const { columns } = sheetLimits;
  if (header.length > columns) throw new UnwritableWorkbook(`A workbook has at most ${columns} columns`);
  const width = Math.max(1, header.length);
  yield `<worksheet xmlns="${namespace}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols><col min="1" max="${width}" width="${columnWidth}" style="${textStyle}" customWidth="1"/></cols><sheetData>`;
  yield rowXml(1, header, headerStyle);
  let last = 1;
  for await (const batch of rows) {
    if (last + batch.length > sheetLimits.rows) throw tooManyRows();
    let xml = '';
    for (const cells of batch) {
      last += 1;
      xml += rowXml(last, cells, textStyle);
    }
    if (xml !== '') yield xml;
  }
  const all = `A1:${columnLetters(width - 1)}${last}`;
  yield `</sheetData>${dropDowns(choices ?? new Map(), last + rowsToFillIn)}` +
    `<ignoredErrors><ignoredError sqref="${all}" numberStoredAsText="1"/></ignoredErrors></worksheet>`;
}

/** One column for each list. */
export function listSheetXml(lists: readonly (readonly string[])[]): string {
  const longest = Math.max(...lists.map((values) => values.length));
  const rows = Array.from({ length: longest }, (_, row) =>
    rowXml(
      row + 1,
      lists.map((values) => values[row] ?? ''),
      textStyle,
    ),
  );
  return `<worksheet xmlns="${namespace}"><sheetData>${rows.join('')}</sheetData></worksheet>`;
}

const tooManyRows = () =>
  new UnwritableWorkbook(`A workbook has at most ${sheetLimits.rows.toLocaleString('en-GB')} rows with the header`);

function dropDowns(choices: NonNullable<TextSheet['choices']>, lastRow: number): string {
  if (choices.size === 0 || lastRow < 2) return '';
  const items = [...choices].map(([column, values], index) => {
    const letters = columnLetters(column);
    const list = columnLetters(index);
    return (
      `<dataValidation type="list" allowBlank="1" sqref="${letters}2:${letters}${lastRow}">` +
      `<formula1>Lists!$${list}$1:$${list}$${values.length}</formula1></dataValidation>`
    );
  });
  return `<dataValidations count="${items.length}">${items.join('')}</dataValidations>`;
}

function rowXml(row: number, cells: readonly string[], style: number): string {
  let xml = `<row r="${row}">`;
  for (let index = 0; index < cells.length; index++) {
    const text = cells[index] ?? '';
    if (text === '') continue;
    if (text.length > sheetLimits.cellCharacters) throw tooLong(row, columnLetters(index));
    const place = `${columnLetters(index)}${row}`;
    const space = outerSpace.test(text) ? ' xml:space="preserve"' : '';
    xml += `<c r="${place}" s="${style}" t="inlineStr"><is><t${space}>${xmlText(text)}</t></is></c>`;
  }
  return `${xml}</row>`;
}

const tooLong = (row: number, letters: string) =>
  new UnwritableWorkbook(
    `The text for the cell ${letters}${row} has more than ${sheetLimits.cellCharacters.toLocaleString('en-GB')} characters`,
  );

const outerSpace = /^\s|\s$|\n/;
const ordinary = /^[\w .:/;,()@+'-]*$/;
/** XML cannot contain these characters: they are written as `_x0001_`, and a text that looks like it is escaped. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML cannot contain
const unwritable = /[\u0000-\u0008\u000B-\u001F\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4})/g;

function xmlText(text: string): string {
  if (ordinary.test(text) && !text.includes('_x')) return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(unwritable, (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`);
}
