// Workbooks for tests, with the XML that spreadsheet programs write.
import { type ZipEntry, zipFile } from './zip-file.ts';

/** A text; a number as it is stored, perhaps with a style; a formula with its cached value; an error; any other XML. */
export type TestCell =
  | string
  | null
  | { readonly number: string; readonly style?: number }
  | { readonly formula: string; readonly cached: string }
  | { readonly uncalculated: string }
  | { readonly error: string }
  | { readonly inline: string }
  | { readonly boolean: boolean }
  | { readonly type: string; readonly xml: string };

export interface TestSheet {
  readonly name: string;
  /** null: a row that the sheet does not contain. */
  readonly rows: readonly (readonly TestCell[] | null)[];
  readonly state?: 'hidden';
  /** Ranges of merged cells: `B2:B4`. */
  readonly merged?: readonly string[];
  /** Numbers of rows that a filter leaves out. */
  readonly hiddenRows?: readonly number[];
  /** The first and the last number of columns that are hidden. */
  readonly hiddenColumns?: readonly [number, number];
  /** Numbers of rows whose cells are struck out. */
  readonly struckRows?: readonly number[];
}

/**
 * Styles: 1 is a date as dd/mm/yyyy, 2 a number with leading zeros, 3 the built-in date, 4 struck out, 5 not, although
 * its font has the element.
 */
export const dateStyle = 1;
export const elevenDigits = 2;
export const builtInDate = 3;
export const struckOut = 4;
export const notStruckOut = 5;

const styles =
  '<styleSheet xmlns="m"><numFmts count="2"><numFmt numFmtId="164" formatCode="dd/mm/yyyy;@"/>' +
  '<numFmt numFmtId="165" formatCode="00000000000"/></numFmts>' +
  '<fonts count="3"><font><sz val="11"/></font><font><strike/></font><font><strike val="0"/></font></fonts>' +
  '<cellStyleXfs><xf numFmtId="14" fontId="1"/></cellStyleXfs>' +
  '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="14"/>' +
  '<xf fontId="1"/><xf fontId="2"/></cellXfs><dxfs><dxf><font><strike/></font></dxf></dxfs></styleSheet>';

export interface WorkbookOptions {
  readonly date1904?: boolean;
  /** Replaces or adds parts of the archive. */
  readonly parts?: readonly ZipEntry[];
  /** Whether the other parts are stored without compression. */
  readonly isStored?: boolean;
}

export function workbookFile(sheets: readonly TestSheet[], options: WorkbookOptions = {}): Buffer {
  const { date1904, parts = [], isStored = false } = options;
  const texts: string[] = [];
  const entries = sheets.map((sheet, index) => ({
    name: `xl/worksheets/sheet${index + 1}.xml`,
    content: sheetXml(sheet, texts),
  }));
  const list = sheets.map(
    ({ name, state }, index) =>
      `<sheet name="${xmlText(name)}" sheetId="${index + 1}"${state ? ` state="${state}"` : ''} r:id="rId${index + 1}"/>`,
  );
  const relations = sheets.map((_, index) =>
    relation(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`),
  );
  relations.push(
    relation('texts', 'sharedStrings', 'sharedStrings.xml'),
    relation('styles', 'styles', '/xl/styles.xml'),
  );
  const standard: ZipEntry[] = [
    { name: '_rels/.rels', content: relationsXml([relation('rId1', 'officeDocument', 'xl/workbook.xml')]) },
    { name: 'xl/workbook.xml', content: workbookXml(list.join(''), date1904 === true) },
    { name: 'xl/_rels/workbook.xml.rels', content: relationsXml(relations) },
    { name: 'xl/styles.xml', content: styles },
    { name: 'xl/sharedStrings.xml', content: `<sst xmlns="m">${texts.map(sharedText).join('')}</sst>` },
    ...entries,
  ];
  const replaced = new Set(parts.map(({ name }) => name));
  const others = standard.filter(({ name }) => !replaced.has(name)).map((entry) => ({ ...entry, isStored }));
  return zipFile([...others, ...parts]);
}

export const relation = (id: string, kind: string, target: string): string =>
  `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}" Target="${target}"/>`;

export const relationsXml = (relations: readonly string[]): string =>
  `<Relationships xmlns="p">${relations.join('')}</Relationships>`;

/** With the element of an extension that repeats a name, as Excel has written it since 2013. */
const workbookXml = (sheets: string, is1904: boolean): string =>
  `<?xml version="1.0" encoding="UTF-8"?><workbook xmlns="m" xmlns:r="r"><workbookPr${is1904 ? ' date1904="1"' : ''}/>` +
  `<sheets>${sheets}</sheets>` +
  '<extLst><ext xmlns:x15="x"><x15:workbookPr chartTrackingRefBase="1"/></ext></extLst></workbook>';

const sharedText = (text: string): string => `<si><t xml:space="preserve">${xmlText(text)}</t></si>`;

function sheetXml(
  { rows, merged = [], hiddenRows = [], struckRows = [], hiddenColumns }: TestSheet,
  texts: string[],
): string {
  const known = new Map<string, number>();
  const shared = (text: string): number => {
    const index = known.get(text) ?? texts.push(text) - 1;
    known.set(text, index);
    return index;
  };
  const written = rows.flatMap((cells, index) => (cells === null ? [] : [rowXml(cells, index + 1, shared)]));
  const isOneOf = (numbers: readonly number[], xml: string) => numbers.some((row) => xml.startsWith(`<row r="${row}"`));
  const strike = (xml: string) => (isOneOf(struckRows, xml) ? xml.replaceAll('<c r=', `<c s="${struckOut}" r=`) : xml);
  const hide = (xml: string) => (isOneOf(hiddenRows, xml) ? xml.replace('>', ' hidden="1">') : xml);
  const ranges = merged.map((range) => `<mergeCell ref="${range}"/>`).join('');
  const mergeCells = merged.length === 0 ? '' : `<mergeCells count="${merged.length}">${ranges}</mergeCells>`;
  const [min, max] = hiddenColumns ?? [];
  const cols = min === undefined ? '' : `<cols><col min="${min}" max="${max}" hidden="1"/></cols>`;
  const width = Math.max(1, ...rows.map((cells) => cells?.length ?? 0));
  const dimension = `<dimension ref="A1:${columnName(width - 1)}${rows.length}"/>`;
  return `<worksheet xmlns="m">${dimension}${cols}<sheetData>${written.map((xml) => hide(strike(xml))).join('')}</sheetData>${mergeCells}</worksheet>`;
}

function rowXml(cells: readonly TestCell[], row: number, shared: (text: string) => number): string {
  const written = cells.flatMap((cell, index) =>
    cell === null ? [] : [cellXml(`${columnName(index)}${row}`, cell, shared)],
  );
  return `<row r="${row}">${written.join('')}</row>`;
}

function cellXml(place: string, cell: Exclude<TestCell, null>, shared: (text: string) => number): string {
  if (typeof cell === 'string') return `<c r="${place}" t="s"><v>${shared(cell)}</v></c>`;
  if ('number' in cell) return `<c r="${place}"${cell.style ? ` s="${cell.style}"` : ''}><v>${cell.number}</v></c>`;
  if ('uncalculated' in cell) return `<c r="${place}"><f>${xmlText(cell.uncalculated)}</f><v/></c>`;
  if ('formula' in cell)
    return `<c r="${place}" t="str"><f>${xmlText(cell.formula)}</f><v>${xmlText(cell.cached)}</v></c>`;
  if ('error' in cell) return `<c r="${place}" t="e"><v>${cell.error}</v></c>`;
  if ('xml' in cell) return `<c r="${place}" t="${cell.type}">${cell.xml}</c>`;
  if ('boolean' in cell) return `<c r="${place}" t="b"><v>${cell.boolean ? 1 : 0}</v></c>`;
  return `<c r="${place}" t="inlineStr"><is><t>${xmlText(cell.inline)}</t></is></c>`;
}

const columnName = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : columnName(Math.floor(index / 26) - 1) + columnName(index % 26);

const xmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
