// Finds rows over all imports by a number, a SIM or any other cell of the file. No index has them: the results files
// are read, the newest import first, as many as one answer has time for.
import type * as z from 'zod';
import type { ImportItem } from '#shared/import/import.ts';
import { isOnlyValidated } from '#shared/import/import-state.ts';
import { parseIccid } from '#shared/row/iccid.ts';
import { parseMsisdn } from '#shared/row/msisdn.ts';
import type { AccountReader } from '#shared/store/account.ts';
import { eachImport } from '#shared/store/imports.ts';
import { isObjectGone, readAgainIfReplaced } from '#shared/store/object-keys.ts';
import type { foundRow } from './answers.ts';
import { resultMessageForPage } from './findings.ts';
import { fileNameOf } from './results.ts';
import { type ReadRow, type ReadRowPage, type RowFilter, readRowPage } from './row-page.ts';

export type FoundRow = z.infer<typeof foundRow>;

/** A text is found whatever its case, and a number or a SIM in whatever spelling. */
export function createFinder(
  text: string,
  resources: { readonly callingCode: string },
): NonNullable<RowFilter['finds']> {
  const needle = text.toLowerCase();
  const numberIn = (cell: string): string | undefined => {
    const parsed = parseMsisdn(cell, resources);
    return parsed.ok ? parsed.value : undefined;
  };
  const simIn = (cell: string): string | undefined => {
    const parsed = parseIccid(cell);
    return parsed.ok ? parsed.value : undefined;
  };
  const [number, sim] = [numberIn(text), simIn(text)];
  return (texts) =>
    texts.some(
      (one) =>
        one.toLowerCase().includes(needle) ||
        (number !== undefined && numberIn(one) === number) ||
        (sim !== undefined && simIn(one) === sim),
    );
}

/** Where the search continues: behind a row of an import, or behind the whole import where that is null. */
export interface SearchPlace {
  readonly receivedAt: string;
  readonly importId: string;
  readonly afterRow: number | null;
}

export interface RowSearch {
  readonly rows: FoundRow[];
  /** Imports whose results were searched. */
  readonly searched: number;
  /** Imports that have no results yet, such as plans, or whose results have expired. */
  readonly withoutResults: number;
  /** When the oldest of these imports arrived; null where there was none. */
  readonly since: string | null;
  /** undefined: every import was searched. */
  readonly next: SearchPlace | undefined;
}

/** One answer searches so many imports, or so many ranges of at most 6 MB of their results. */
const limits = { imports: 50, ranges: 8, rows: 100 };

export async function findRows(reader: AccountReader, text: string, from?: SearchPlace): Promise<RowSearch> {
  const finds = createFinder(text, reader.resources);
  const rows: FoundRow[] = [];
  const searched = new Set<string>();
  const withoutResults = new Set<string>();
  let ranges = 0;
  let since: string | null = null;
  const answer = (next?: SearchPlace): RowSearch => ({
    rows,
    searched: searched.size,
    withoutResults: withoutResults.size,
    since,
    next,
  });
  for await (const { item, page, next } of pagesFrom(reader, finds, from)) {
    (page === undefined ? withoutResults : searched).add(item.importId);
    since = item.receivedAt;
    if (page !== undefined) rows.push(...page.rows.map((row) => foundRowOf(item, row, page, finds)));
    ranges += Number(page !== undefined);
    const imports = searched.size + withoutResults.size;
    if (ranges >= limits.ranges || rows.length >= limits.rows || imports >= limits.imports) return answer(next);
  }
  return answer();
}

interface SearchedPage {
  readonly item: ImportItem;
  /** undefined: the import has no results. */
  readonly page: ReadRowPage | undefined;
  readonly next: SearchPlace;
}

async function* pagesFrom(
  reader: AccountReader,
  finds: NonNullable<RowFilter['finds']>,
  from: SearchPlace | undefined,
): AsyncIterable<SearchedPage> {
  for await (const item of importsFrom(reader, from)) {
    const { importId, receivedAt } = item;
    let afterRow: number | null = from?.importId === importId ? from.afterRow : -1;
    while (afterRow !== null) {
      const page: ReadRowPage | undefined = await readPage(reader, item, { finds, afterRow, limit: limits.rows });
      afterRow = page?.nextAfterRow ?? null;
      yield { item, page, next: { receivedAt, importId, afterRow } };
    }
  }
}

/** First imports, whose results have the rows of their parts, also the archived ones. */
async function* importsFrom({ imports }: AccountReader, from: SearchPlace | undefined): AsyncIterable<ImportItem> {
  let isBehind = from === undefined;
  for await (const item of eachImport(imports, from && `${from.receivedAt}~`)) {
    const isPlace = item.importId === from?.importId;
    isBehind ||= isPlace || item.receivedAt !== from?.receivedAt;
    const isSearched = isPlace && from.afterRow === null;
    if (isBehind && !isSearched && item.partOf === undefined && !isOnlyValidated(item)) yield item;
  }
}

/** undefined: report has not written the results yet, or they have expired. */
async function readPage(reader: AccountReader, item: ImportItem, filter: RowFilter): Promise<ReadRowPage | undefined> {
  if (item.reported === undefined) return undefined;
  try {
    return await readAgainIfReplaced(() => readRowPage(reader, item, filter));
  } catch (error) {
    if (isObjectGone(error)) return undefined;
    throw error;
  }
}

function foundRowOf(
  { importId, key, receivedAt }: ImportItem,
  row: ReadRow,
  { header, secret }: ReadRowPage,
  finds: NonNullable<RowFilter['finds']>,
): FoundRow {
  const { line, outcome, status, message, whatToDo, portId, cells } = row;
  const found = cells.findIndex((cell, index) => !secret.has(index) && finds([cell]));
  return {
    importId,
    file: fileNameOf(key),
    receivedAt,
    line,
    column: header[found] ?? null,
    cell: cells[found] ?? null,
    outcome,
    status,
    message: resultMessageForPage({ outcome, message }),
    whatToDo,
    portId,
  };
}
