// How the parts of a workbook refer to each other (Open Packaging Conventions, ECMA-376 part 2). Programs choose the
// names of the parts.
import { posix } from 'node:path';
import { invalidWorkbook, type WorkbookArchive } from './open-archive.ts';
import { parseWholeXml } from './parse-xml.ts';

export interface Relation {
  readonly id: string;
  /** The end of its type, such as `worksheet`: the start differs between both forms of the standard. */
  readonly kind: string;
  readonly path: string;
}

/** Bytes of a part that is read as a whole. */
export const smallPartBytes = 8 * 1024 * 1024;

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
export async function findWorkbook(archive: WorkbookArchive): Promise<string> {
  const other = otherFormats.find(([part]) => archive.has(part));
  if (other !== undefined)
    throw invalidWorkbook(`it is ${other[1]}: open it in your spreadsheet program and save it as .xlsx`);
  const relations = await readRelations(archive, '');
  const workbook = relations.find(({ kind }) => kind === 'officeDocument')?.path ?? 'xl/workbook.xml';
  if (!archive.has(workbook)) throw invalidWorkbook('it is a ZIP archive without a workbook: unpack it first');
  return workbook;
}

/** Those of a part; with '' those of the file. None where the part has none. */
export async function readRelations(archive: WorkbookArchive, part: string): Promise<readonly Relation[]> {
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
