// A page of the rows of an import, each with the latest result of its corrections and with its corrected cells.
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import { laterResult, listCorrections } from '#shared/results/answered-rows.ts';
import { columnNamesForPeople } from '#shared/results/results-csv.ts';
import {
  correctedCell,
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
  const corrections = await listCorrections(item, sources);
  const corrected = await readCorrectedLines(sources, corrections);
  const isSearched = filter.text !== undefined && corrected.size <= mostSearched;
  const searched = isSearched ? await readRowsOfCorrections(sources, corrections) : undefined;
  const names = columnNamesForPeople(item);
  const latestOf = (own: ReadRow, header: readonly string[]): ReadRow => {
    if (searched !== undefined) return latestRow(own, searched.get(own.line), { header, names });
    const { outcome } = shownOf<Pick<ReadRow, 'outcome'>>(own, corrected.get(own.line));
    return outcome === own.outcome ? own : { ...own, outcome };
  };
  const page = await readRowPage(sources, item, { ...filter, latestOf, correctedLines: ascending(corrected.keys()) });
  if (page === undefined) return undefined;
  const lines = ascending(page.rows.map(({ line }) => line).filter((line) => corrected.has(line)));
  const shown = searched ?? (await readRowsOfCorrections(sources, lines.length === 0 ? [] : corrections, lines));
  const rows = page.rows.map((own) => latestRow(own, shown.get(own.line), { header: page.header, names }));
  const changed = rows.filter((row, index) => row !== page.rows[index]);
  return { ...page, rows, correctedLines: new Set(changed.map(({ line }) => line)) };
}

const ascending = (lines: Iterable<number>): number[] => [...lines].sort((one, other) => one - other);

/** The row was not sent, because its cells or its number are wrong. */
export const isInvalid = ({ outcome }: Pick<ReadRow, 'outcome'>): boolean =>
  outcome === 'rejected' || outcome === 'duplicate';

/** What the first import shows of a row. One that is still invalid is fixed from the cells of the first file. */
const shownOf = <Row extends Pick<ReadRow, 'outcome'>>(own: Row, correction: Row | undefined): Row =>
  correction !== undefined && isInvalid(own) && isInvalid(correction) ? own : laterResult(own, correction);

interface FileColumns {
  readonly header: readonly string[];
  readonly names: ReadonlyMap<number, string>;
}

/** `own` itself where the correction changes nothing. */
function latestRow(own: ReadRow, correction: RowOfCorrection | undefined, { header, names }: FileColumns): ReadRow {
  if (correction === undefined || shownOf<ReadRow>(own, correction) === own) return own;
  const { header: _, columns: __, ...row } = correction;
  return { ...row, cells: header.map((text, index) => correctedCell(correction, text, names.get(index))) };
}
