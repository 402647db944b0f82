// Writes a workbook (.xlsx) as a stream: a sheet of text cells, so that no spreadsheet program shortens a number, and
// dropdown lists from a hidden sheet.
import { type PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { listSheetXml, type TextSheet, textSheetXml } from '#shared/workbook/sheet-xml.ts';

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
