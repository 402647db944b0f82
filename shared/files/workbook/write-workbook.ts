// Writes a workbook (.xlsx) as a stream: a sheet of text cells, so that no spreadsheet program shortens a number, and
// dropdown lists from a hidden sheet.
import { type PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { columnLetters } from '#shared/files/csv/csv-row.ts';

export const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Archives have the same bytes whenever they are written. */
const mtime = new Date('2000-01-01T00:00:00Z');
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/**
 * The bytes of the workbook. Memory does not grow with the rows.
 * @throws UnwritableWorkbook, and what reading the rows throws
 */
export async function* writeWorkbook(sheet: TextSheet): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const output = zip.outputStream as PassThrough;
  const rows = Readable.from(encoded(textSheetXml(sheet)), { objectMode: false });
  const fail = (error: Error) => void output.destroy(error);
  rows.on('error', fail);
  zip.on('error', fail);
  for (const [path, xml] of smallParts(sheet)) zip.addBuffer(Buffer.from(declaration + xml), path, { mtime });
  zip.addReadStream(rows, 'xl/worksheets/sheet1.xml', { mtime });
  zip.end();
  try {
    yield* output as AsyncIterable<Uint8Array>;
  } finally {
    rows.destroy();
  }
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  yield Buffer.from(declaration);
  for await (const text of texts) yield Buffer.from(text);
}

function smallParts({ choices }: TextSheet): [path: string, xml: string][] {
  const hasLists = choices !== undefined && choices.size > 0;
  const sheets = hasLists ? ['Rows', 'Lists'] : ['Rows'];
  return [
    ['[Content_Types].xml', contentTypes(sheets)],
    ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
    ['xl/workbook.xml', workbookXml(sheets)],
    [
      'xl/_rels/workbook.xml.rels',
      relationships([
        ...sheets.map((_, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`] as const),
        ['styles', 'styles.xml'],
      ]),
    ],
    ['xl/styles.xml', styles],
    ...(hasLists ? [['xl/worksheets/sheet2.xml', listSheetXml([...choices.values()])] as [string, string]] : []),
  ];
}

function contentTypes(sheets: readonly string[]): string {
  const override = (path: string, type: string) =>
    `<Override PartName="/xl/${path}" ContentType="${types}.${type}+xml"/>`;
  return (
    `<Types xmlns="${packages}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    override('workbook.xml', 'sheet.main') +
    sheets.map((_, index) => override(`worksheets/sheet${index + 1}.xml`, 'worksheet')).join('') +
    `${override('styles.xml', 'styles')}</Types>`
  );
}

function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const items = targets.map(
    ([type, target], index) => `<Relationship Id="rId${index + 1}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${packages}/relationships">${items.join('')}</Relationships>`;
}

/** Only the first sheet is shown. */
function workbookXml(sheets: readonly string[]): string {
  const items = sheets.map((name, index) => {
    const state = index > 0 ? ' state="veryHidden"' : '';
    return `<sheet name="${name}" sheetId="${index + 1}"${state} r:id="rId${index + 1}"/>`;
  });
  return (
    `<workbook xmlns="${main}" xmlns:r="${office}"><bookViews><workbookView/></bookViews>` +
    `<sheets>${items.join('')}</sheets></workbook>`
  );
}

/** 0: as every sheet has it. 1: text, also for what is entered later. 2: text of a header. */
const styles =
  `<styleSheet xmlns="${main}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="3">' +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

// The XML of a sheet whose cells are texts, with dropdown lists for columns.

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
