// The result of an import for a manager: its rows by network, by connection date and by a column of the file, with what
// its corrections did.
import { unguardFormula } from '#shared/files/csv/csv-row.ts';
import { readCsv } from '#shared/files/csv/read-csv.ts';
import { findSecretColumns } from '#shared/files/secret-columns.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { type Outcome, sendableAgain } from '#shared/outcome/outcome.ts';
import type { AccountReader } from '#shared/store/account.ts';
import { columnsForPeople, columnsToMask, layoutForPeople, outcomeCell, ownOf } from './results-csv.ts';
import { openIndexedResults } from './row-page.ts';

type OutcomeTally = Partial<Record<Outcome, number>>;

export interface ReportGroup {
  readonly name: string;
  rows: number;
  readonly outcomes: OutcomeTally;
}

export interface ImportReport {
  readonly outcomes: OutcomeTally;
  readonly rows: number;
  readonly byNetwork: ReportGroup[];
  readonly byColumn: ReportGroup[];
  /** Without rows whose port or row has ended without success. */
  readonly byDay: { readonly day: string; rows: number; complete: number }[];
  readonly columns: string[];
  readonly asOf: Date;
}

/** Groups that are shown; the other values are summed up. */
const maxGroups = 500;
const otherValues = 'other values';

type Groups = Map<string, ReportGroup>;

/** @param by the header of a column of the file. undefined: the rows are not written yet, or have expired */
export async function readImportReport(
  reader: AccountReader,
  item: ImportItem,
  by?: string,
): Promise<ImportReport | undefined> {
  const results = await openIndexedResults(reader, item.importId);
  if (results === undefined) return undefined;
  const { bucket, key, etag, lastModified } = results.head;
  const opened = await readCsv(await reader.files.read({ bucket, key, etag }), layoutForPeople(item));
  if (!opened.ok) return undefined;
  const { header, batches } = opened.value;
  const columns = ownOf(header);
  const { targetNetwork, network } = columnsForPeople(item);
  const secret = findSecretColumns(columnsToMask(item, columns));
  const { columnValues: forAll = {} } = item;
  const byIndex = by === undefined ? -1 : columns.findIndex((name, index) => name === by && !secret.has(index));
  const ofNetwork = { index: targetNetwork ?? network ?? -1, forAll: forAll.targetNetwork ?? forAll.network ?? '' };
  const counts = createCounts(ofNetwork, byIndex);
  for await (const { lines, cellsOf } of batches) for (const row of lines.keys()) counts.add(cellsOf(row));
  const { groups, days, outcomes, rows } = counts.read();
  return {
    outcomes,
    rows,
    asOf: lastModified,
    byNetwork: largestFirst(groups.network),
    byColumn: largestFirst(groups.column),
    byDay: [...days.values()].sort((one, other) => (one.day < other.day ? -1 : 1)),
    columns: columns.filter((_, index) => !secret.has(index)),
  };
}

interface NetworkOfRows {
  /** The index of its column; -1: the file has none. */
  readonly index: number;
  /** The value of the rows whose cell is empty. */
  readonly forAll: string;
}

/** @param column its index; -1: not counted */
function createCounts(network: NetworkOfRows, column: number) {
  const groups = { network: new Map() as Groups, column: new Map() as Groups };
  const days = new Map<string, ImportReport['byDay'][number]>();
  const outcomes: OutcomeTally = {};
  let rows = 0;
  return {
    add: (cells: readonly string[]): void => {
      const outcome = outcomeCell(cells, 'outcome') as Outcome;
      const name = outcomeCell(cells, 'bookedDate');
      const cellAt = (index: number): string => unguardFormula(cells[index] ?? '');
      rows += 1;
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      const ofNetwork = cellAt(network.index) || network.forAll;
      if (network.index >= 0 || ofNetwork !== '') addTo(groups.network, ofNetwork, outcome);
      if (column >= 0) addTo(groups.column, cellAt(column), outcome);
      if (name === '' || sendableAgain.has(outcome)) return;
      const day = days.get(name) ?? { day: name, rows: 0, complete: 0 };
      days.set(name, day);
      day.rows += 1;
      if (outcome === 'complete') day.complete += 1;
    },
    read: () => ({ groups, days, outcomes, rows }),
  };
}

function addTo(groups: Groups, value: string, outcome: Outcome): void {
  const name = groups.has(value) || groups.size < maxGroups ? value : otherValues;
  const group = groups.get(name) ?? { name, rows: 0, outcomes: {} };
  groups.set(name, group);
  group.rows += 1;
  group.outcomes[outcome] = (group.outcomes[outcome] ?? 0) + 1;
}

const largestFirst = (groups: Groups): ReportGroup[] =>
  [...groups.values()].sort((one, other) => other.rows - one.rows || (one.name < other.name ? -1 : 1));
