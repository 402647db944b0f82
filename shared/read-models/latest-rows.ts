// A page of the rows of an import, each with the latest result of its corrections and with its corrected cells.
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import { laterResult } from '#shared/results/answered-rows.ts';
import { columnNamesForPeople } from '#shared/results/results-csv.ts';
import {
  correctedCell,
  type OutcomeOfLine,
  type RowOfCorrection,
  readCorrectedLines,
  readRowsOfCorrections,
} from './corrected-outcomes.ts';
import { type ReadRow, type ReadRowPage, type RowFilter, readRowPage } from './row-page.ts';
import type { ReadSources } from './sources.ts';

type LatestSources = Pick<ReadSources, 'files' | 'resources' | 'imports'>;

export interface LatestRowPage extends ReadRowPage {
  /** The lines of the page whose row is that of a correction. */
  readonly correctedLines: ReadonlySet<number>;
}

/** A text is searched in so many corrected rows. If there are more, it is searched in the first file only. */
const mostSearched = 50_000;

/** @throws ObjectGone when a file is replaced meanwhile: read the page again */
export async function readLatestRowPage(
  sources: LatestSources,
  item: ImportItem,
  filter: Omit<RowFilter, 'latestOf' | 'correctedLines'>,
): Promise<LatestRowPage | undefined> {
  const corrected = await readCorrectedLines(sources, item);
  const isSearched = filter.text !== undefined && corrected.size <= mostSearched;
  const searched = isSearched ? await readRowsOfCorrections(sources, item) : noRows;
  const names = columnNamesForPeople(item);
  const latestOf = (own: ReadRow, header: readonly string[]): ReadRow => {
    const later = searched.get(own.line);
    if (later !== undefined) return latestRow(own, later, { header, names });
    const outcome = corrected.get(own.line);
    return outcome === undefined ? own : { ...own, outcome: laterResult<OutcomeOfLine>(own, outcome).outcome };
  };
  const page = await readRowPage(sources, item, { ...filter, latestOf, correctedLines: ascending(corrected.keys()) });
  if (page === undefined) return undefined;
  const lines = ascending(page.rows.map(({ line }) => line).filter((line) => corrected.has(line)));
  const shown = lines.length === 0 ? noRows : await readRowsOfCorrections(sources, item, lines);
  const rows = page.rows.map((own) => latestRow(own, shown.get(own.line), { header: page.header, names }));
  const changed = rows.filter((row, index) => row !== page.rows[index]);
  return { ...page, rows, correctedLines: new Set(changed.map(({ line }) => line)) };
}

const noRows: ReadonlyMap<number, RowOfCorrection> = new Map();

const ascending = (lines: Iterable<number>): number[] => [...lines].sort((one, other) => one - other);

/** The row was not sent, because its cells or its number are wrong. */
export const isInvalid = ({ outcome }: Pick<ReadRow, 'outcome'>): boolean =>
  outcome === 'rejected' || outcome === 'duplicate';

interface FileColumns {
  readonly header: readonly string[];
  readonly names: ReadonlyMap<number, string>;
}

/** `own` itself where the correction changes nothing. */
function latestRow(own: ReadRow, correction: RowOfCorrection | undefined, { header, names }: FileColumns): ReadRow {
  if (correction === undefined || laterResult<ReadRow>(own, correction) === own) return own;
  // Fixed again, the row is made from the cells of the first file.
  if (isInvalid(own) && isInvalid(correction)) return own;
  const { header: _, columns: __, ...row } = correction;
  return { ...row, cells: header.map((text, index) => correctedCell(correction, text, names.get(index))) };
}
