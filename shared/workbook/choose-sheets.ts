// Chooses the sheets of a workbook that are read: those that the user named, or the only one with a header.
import { FileError } from '#shared/csv/file-error.ts';
import type { CsvOptions, OpenedCsv } from '#shared/csv/record-batch.ts';
import { counted } from '#shared/domain/text/counted.ts';
import { peekBatch } from '#shared/files/column-values.ts';
import type { SheetPart } from '#shared/files/workbook/workbook-parts.ts';
import { didYouMean } from '#shared/row/did-you-mean.ts';

type OpenSheet = (sheet: SheetPart) => Promise<OpenedCsv>;

/** In the order in which they are read. @throws FileError */
export async function chooseSheets(
  sheets: readonly SheetPart[],
  open: OpenSheet,
  options: CsvOptions,
): Promise<readonly SheetPart[]> {
  if (options.sheet !== undefined) {
    const names = [options.sheet, ...(options.otherSheets ?? []).map(({ sheet }) => sheet)];
    return [...new Set(names.map((name) => findSheet(sheets, name)))];
  }
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  const candidates = visible.length > 0 ? visible : sheets;
  if (candidates.length === 1) return candidates;
  const looked: { sheet: SheetPart; content: SheetContent }[] = [];
  for (const sheet of candidates) looked.push({ sheet, content: await lookInto(await open(sheet), options) });
  const meant = looked.filter(({ content }) => content === 'rows').map(({ sheet }) => sheet);
  if (meant.length > 1 && options.severalSheets === 'reject') throw askForSheet(meant);
  const ranked = looked.toSorted((one, other) => ranks.indexOf(one.content) - ranks.indexOf(other.content));
  return ranked.slice(0, 1).map(({ sheet }) => sheet);
}

/** What a sheet has: rows below a header of the operation, the header alone, a fault, another text, or nothing. */
const ranks = ['rows', 'header', 'fault', 'text', 'nothing'] as const;
type SheetContent = (typeof ranks)[number];

async function lookInto(opened: OpenedCsv, { isHeader = () => true }: CsvOptions): Promise<SheetContent> {
  if (!opened.ok) return opened.issue.code === 'FILE_EMPTY' ? 'nothing' : 'fault';
  const { header, batches, close } = opened.value;
  const { first } = await peekBatch(batches);
  await close();
  if (!isHeader(header)) return 'text';
  return first !== undefined && first.lines.length > 0 ? 'rows' : 'header';
}

/** One of them may be last month's. */
function askForSheet(sheets: readonly SheetPart[]): FileError {
  const names = sheets.map(({ name }) => `"${name}"`);
  const message =
    `${counted(sheets.length, 'sheet')} have these columns: ${names.join(', ')}. ` +
    `Name the one to import: --sheet ${names.at(-1)}; or all of them, as one file: --sheet ${names.join(' --sheet ')}`;
  return new FileError('FILE_SHEET_AMBIGUOUS', message);
}

function findSheet(sheets: readonly SheetPart[], name: string): SheetPart {
  const found =
    sheets.find((sheet) => sheet.name === name) ??
    sheets.find((sheet) => sheet.name.trim().toLowerCase() === name.trim().toLowerCase());
  if (found !== undefined) return found;
  const names = sheets.map((sheet) => sheet.name);
  const suggestion = didYouMean(name, names) || `; the sheets are ${names.map((one) => `"${one}"`).join(', ')}`;
  throw new FileError('FILE_SHEET_UNKNOWN', `the workbook has no sheet "${name}"${suggestion}`);
}
