// A workbook with the rows of a generated file: with shared texts, as Excel stores them, or with inline ones.
import type { PassThrough } from 'node:stream';
import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';
import { columnLetters } from '#shared/csv/column-letters.ts';
import { readCsv } from '#shared/csv/read-csv.ts';
import { writeWorkbook } from '#shared/workbook/write-workbook.ts';
import { generateBlocks, type RowsWanted } from '../test/support/generate-rows.ts';

export type TextsOfCells = 'shared' | 'inline';
const blockLength = 64 * 1024;
type Batches = AsyncIterable<readonly (readonly string[])[]>;

export async function* generateWorkbook(wanted: RowsWanted, texts: TextsOfCells): AsyncGenerator<Uint8Array> {
  const opened = await readCsv(Readable.from(generateBlocks(wanted)));
  if (!opened.ok) throw new Error(opened.issue.message);
  const { header, batches } = opened.value;
  const rows = (async function* () {
    for await (const { lines, cellsOf } of batches) yield Array.from(lines.keys(), (row) => [...cellsOf(row)]);
  })();
  yield* texts === 'inline' ? writeWorkbook({ header, rows }) : writeSharedTexts(header, rows);
}

const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const relations = (items: string) => `<Relationships xmlns="${packages}/relationships">${items}</Relationships>`;
const override = (part: string, type: string) =>
  `<Override PartName="/xl/${part}.xml" ContentType="${types}.${type}+xml"/>`;
const parts = {
  '[Content_Types].xml':
    `<Types xmlns="${packages}/content-types"><Default Extension="xml" ContentType="application/xml"/>` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    override('workbook', 'sheet.main') +
    override('worksheets/sheet1', 'worksheet') +
    `${override('sharedStrings', 'sharedStrings')}</Types>`,
  '_rels/.rels': relations(`<Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/>`),
  'xl/workbook.xml': `<workbook ${main} xmlns:r="${office}"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relations(
    `<Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="rId2" Type="${office}/sharedStrings" Target="sharedStrings.xml"/>`,
  ),
};

/** The rows as Excel writes them: each different text once, in the order of its first cell. */
async function* writeSharedTexts(header: readonly string[], batches: Batches): AsyncGenerator<Uint8Array> {
  const indexes = new Map<string, number>();
  const indexOf = (text: string): number => {
    const index = indexes.get(text) ?? indexes.size;
    if (index === indexes.size) indexes.set(text, index);
    return index;
  };
  const rowXml = (cells: readonly string[], row: number): string => {
    const xml = cells.map((text, column) =>
      text === '' ? '' : `<c r="${columnLetters(column)}${row}" t="s"><v>${indexOf(text)}</v></c>`,
    );
    return `<row r="${row}" spans="1:${cells.length}" x14ac:dyDescent="0.25">${xml.join('')}</row>`;
  };
  async function* sheet() {
    const extension = 'xmlns:x14ac="http://schemas.microsoft.com/office/spreadsheetml/2009/9/ac"';
    yield `<worksheet ${main} ${extension}><sheetData>${rowXml(header, 1)}`;
    let above = 1;
    for await (const batch of batches) {
      yield batch.map((cells, index) => rowXml(cells, above + index + 1)).join('');
      above += batch.length;
    }
    yield '</sheetData></worksheet>';
  }
  function* sharedTexts() {
    yield `<sst ${main} uniqueCount="${indexes.size}">`;
    let xml = '';
    for (const text of indexes.keys()) {
      xml += `<si><t>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</t></si>`;
      if (xml.length < blockLength) continue;
      yield xml;
      xml = '';
    }
    yield xml;
    yield '</sst>';
  }
  const zip = new ZipFile();
  for (const [path, xml] of Object.entries(parts)) zip.addBuffer(Buffer.from(xml), path);
  zip.addReadStream(Readable.from(sheet(), { objectMode: false }), 'xl/worksheets/sheet1.xml');
  zip.addReadStream(Readable.from(sharedTexts(), { objectMode: false }), 'xl/sharedStrings.xml');
  zip.end();
  yield* zip.outputStream as PassThrough;
}
