// The small parts of a workbook: its sheets, its shared texts and the styles of its cells.
import { posix } from 'node:path';
import { FileError } from '#shared/files/csv/decode-text.ts';
import type { CsvOptions } from '#shared/files/csv/record-batch.ts';
import {
  type CellFormats,
  isOff,
  keptRun,
  noStyles,
  readCellStyles,
  SharedTexts,
  struckRun,
  unescapeText,
} from './cell-text.ts';
import { invalidWorkbook, type WorkbookArchive, workbookLimits } from './open-archive.ts';
import { parseWholeXml, parseXml, type XmlHandlers } from './parse-xml.ts';

export interface SheetPart {
  readonly name: string;
  readonly path: string;
  readonly isHidden: boolean;
  /** No menu of a spreadsheet program shows it: simporter and macros write such sheets. */
  readonly isInternal: boolean;
}

export interface WorkbookParts extends CellFormats {
  /** In the order of the tabs. */
  readonly sheets: readonly SheetPart[];
}

/** @param rows of the sheets that are read @throws FileError */
export async function readWorkbookParts(
  archive: WorkbookArchive,
  rows: CsvOptions['rows'] = 'all',
): Promise<WorkbookParts> {
  const workbook = await findWorkbook(archive);
  const relations = await readRelations(archive, workbook);
  const { sheets, startsIn1904 } = await readSheetList(archive.read(workbook, smallPartBytes), relations);
  const { sheets: mostSheets } = workbookLimits;
  if (sheets.length > mostSheets) {
    throw new FileError('FILE_TOO_LARGE', `the workbook has ${sheets.length} sheets, the limit is ${mostSheets}`);
  }
  if (sheets.length === 0) throw invalidWorkbook('it has no sheet');
  const find = (kind: string): string | undefined =>
    relations.find((relation) => relation.kind === kind && archive.has(relation.path))?.path;
  const [styles, texts] = [find('styles'), find('sharedStrings')];
  const last = texts !== undefined && rows === 'first' ? await findLastText(archive, sheets) : Number.POSITIVE_INFINITY;
  return {
    sheets,
    startsIn1904,
    sharedTexts: texts === undefined ? new SharedTexts() : await readSharedTexts(archive.read(texts), last),
    styles: styles === undefined ? noStyles : await readCellStyles(archive.read(styles, smallPartBytes)),
  };
}

type Chunks = AsyncIterable<Uint8Array>;
const { firstRowsBytes } = workbookLimits;

async function readSheetList(chunks: Chunks, relations: readonly Relation[]) {
  const paths = new Map(relations.flatMap(({ id, kind, path }) => (kind === 'worksheet' ? [[id, path]] : [])));
  const sheets: SheetPart[] = [];
  let startsIn1904 = false;
  await parseWholeXml(chunks, {
    open: (name, attribute) => {
      if (name === 'workbookPr') startsIn1904 = ['1', 'true'].includes(attribute('date1904') ?? '');
      if (name !== 'sheet') return;
      const path = paths.get(attribute('r:id') ?? '');
      // A chart has no rows.
      if (path === undefined) return;
      const state = attribute('state') ?? 'visible';
      const kind = { isHidden: state !== 'visible', isInternal: state === 'veryHidden' };
      sheets.push({ name: attribute('name') ?? '', path, ...kind });
    },
  });
  return { sheets, startsIn1904 };
}

/** The highest index of a text in the first rows of each sheet. */
async function findLastText(archive: WorkbookArchive, sheets: readonly SheetPart[]): Promise<number> {
  let last = 0;
  let isShared = false;
  let isValue = false;
  let index = '';
  const handlers: XmlHandlers = {
    open: (name, attribute) => {
      if (name === 'c') isShared = attribute('t') === 's';
      isValue = isShared && name === 'v';
      index = '';
    },
    text: (text) => {
      if (isValue && index.length + text.length <= longestIndex) index += text;
    },
    close: (name) => {
      if (name === 'v' && isValue && /^\d+$/.test(index)) last = Math.max(last, Number(index));
      isValue = false;
    },
  };
  for (const { path } of sheets) {
    try {
      for await (const _ of parseXml(firstBytes(archive.read(path)), handlers));
    } catch (error) {
      // The beginning of a sheet has an open element at its end. A sheet that is read says what else is wrong with it.
      if (!(error instanceof FileError)) throw error;
    }
  }
  return last;
}

const longestIndex = 10;

async function* firstBytes(chunks: Chunks): Chunks {
  let bytes = 0;
  for await (const chunk of chunks) {
    yield chunk;
    bytes += chunk.length;
    if (bytes > firstRowsBytes) return;
  }
}

/** @param last the index of the last one that is needed */
async function readSharedTexts(chunks: Chunks, last: number): Promise<SharedTexts> {
  const texts = new SharedTexts();
  let current = '';
  let isText = false;
  let phonetic = false;
  let isStruck = false;
  let runs = 0;
  const handlers: XmlHandlers = {
    open: (name, attribute) => {
      if (name === 'si') {
        current = '';
        runs = 0;
        isStruck = false;
      } else if (name === 'r') isStruck = false;
      else if (name === 'strike') isStruck = !isOff(attribute('val'));
      else if (name === 'rPh') phonetic = true;
      else if (name === 't') isText = !phonetic;
    },
    text: (text) => {
      if (isText) {
        current += text;
        if (text.trim() !== '') runs |= isStruck ? struckRun : keptRun;
      }
      if (current.length > workbookLimits.textCharacters)
        throw invalidWorkbook('a text in it is too long', 'shorten it');
    },
    close: (name) => {
      if (name === 'si') texts.add(unescapeText(current), runs);
      else if (name === 'rPh') phonetic = false;
      else if (name === 't') isText = false;
    },
  };
  for await (const _ of parseXml(chunks, handlers)) if (texts.count > last) break;
  return texts;
}

/** How the parts of a workbook refer to each other (ECMA-376 part 2). Programs choose the names of the parts. */
interface Relation {
  readonly id: string;
  /** The end of its type, such as `worksheet`: the start differs between both forms of the standard. */
  readonly kind: string;
  readonly path: string;
}

/** Bytes of a part that is read as a whole. */
const smallPartBytes = 8 * 1024 * 1024;

/** A part by which a file in another format is recognised, and the format. */
const otherFormats: readonly (readonly [part: string, format: string])[] = [
  ['content.xml', 'an OpenDocument file (.ods)'],
  ['xl/workbook.bin', 'a binary workbook (.xlsb)'],
  ['Index/Document.iwa', 'a Numbers file'],
  ['Index.zip', 'a Numbers file'],
  ['word/document.xml', 'a Word document'],
  ['ppt/presentation.xml', 'a presentation'],
];

/** The path of the part that lists the sheets. @throws FileError for a file in another format */
async function findWorkbook(archive: WorkbookArchive): Promise<string> {
  const other = otherFormats.find(([part]) => archive.has(part));
  if (other !== undefined) throw invalidWorkbook(`it is ${other[1]}`);
  const relations = await readRelations(archive, '');
  const workbook = relations.find(({ kind }) => kind === 'officeDocument')?.path ?? 'xl/workbook.xml';
  if (!archive.has(workbook)) throw invalidWorkbook('it is a ZIP archive without a workbook', 'unpack it first');
  return workbook;
}

/** Those of a part; with '' those of the file. None where the part has none. */
async function readRelations(archive: WorkbookArchive, part: string): Promise<readonly Relation[]> {
  const path = posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`);
  const relations: Relation[] = [];
  if (!archive.has(path)) return relations;
  await parseWholeXml(archive.read(path, smallPartBytes), {
    open: (name, attribute) => {
      if (name !== 'Relationship') return;
      const type = attribute('Type') ?? '';
      const kind = type.slice(type.lastIndexOf('/') + 1);
      relations.push({ id: attribute('Id') ?? '', kind, path: pathOf(attribute('Target') ?? '', part) });
    },
  });
  return relations;
}

/** Relative to the folder of the part, or to the file. */
const pathOf = (target: string, part: string): string =>
  target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(part), target);
