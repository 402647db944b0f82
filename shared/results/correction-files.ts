// Correction files: the rows that can be imported again, ready to fix. correct-update-port.csv of create-port amends
// rows of ports that wait for a PAC. The file of the import's own operation has the rows that were declined, and those
// that were taken out of their port.
import { correctionColumnsBeside, createUnguard, ownColumns } from '#shared/files/added-columns.ts';
import { csvHeader, csvRow } from '#shared/files/csv/csv-row.ts';
import type { Delimiter } from '#shared/files/csv/record-batch.ts';
import { correctionOf } from '#shared/outcome/row-result.ts';
import { aliasFor, type ComparisonItem, type MismatchedSim } from '#shared/outcome/service-comparison.ts';
import type { OperationName } from '#shared/text/identity.ts';
import type { FileOutcomes, RowOutcome } from './file-rows.ts';
import type { OutcomeCsv } from './results-csv.ts';

type FileHead = Omit<FileOutcomes, 'batches'>;

/**
 * The PACs of declined rows, which may be right. `kept`: in a file for the person who may read the upload. `empty`: in
 * the results bucket and on the screen (spec gap 44). The PAC of a row that was taken out of its port is never kept.
 */
export type Pacs = 'kept' | 'empty';

export function correctionCsv(kind: OperationName, file: FileHead, pacs: Pacs = 'empty'): OutcomeCsv {
  const { header, cellsOf } = kind === file.operation ? uploadedLayout(file, pacs) : amendLayout(file);
  return {
    header,
    delimiter: file.delimiter,
    cellsOf: (outcome) => (correctionOf(outcome.result, file.operation) === kind ? cellsOf(outcome) : undefined),
  };
}

interface Layout {
  readonly header: readonly string[];
  readonly cellsOf: (outcome: RowOutcome) => readonly string[];
}

/** The user fills in `pac`; update-port ignores the columns behind it. */
const amendColumns = ['msisdn', 'portId', 'pac', 'reason', 'importId', 'line', 'reference'];

/** The number is as the user wrote it: it was understood once, and their spreadsheet keeps it. */
function amendLayout({ importId, columnIndexes, maskCells }: FileHead): Layout {
  const own = ({ cells, result }: RowOutcome, column: string): string =>
    maskCells(cells, result.outcome)[columnIndexes[column] ?? -1] ?? '';
  return {
    header: amendColumns,
    cellsOf: (outcome) => [
      own(outcome, 'msisdn'),
      outcome.result.portId,
      '',
      reasonOf(outcome),
      importId,
      String(outcome.rootLine),
      own(outcome, 'reference'),
    ],
  };
}

/** The row as it was uploaded, laid out like rejected.csv. */
function uploadedLayout({ importId, operation, header, columnIndexes, maskCells }: FileHead, pacs: Pacs): Layout {
  const own = ownColumns(header);
  const unguard = createUnguard({ header, columnIndexes });
  const names = own.map((index) => header[index] ?? '');
  const added = operation === 'create-port' && columnIndexes.pac === undefined ? ['pac'] : [];
  const cellsOf = ({ cells, result }: RowOutcome): string[] =>
    pacs === 'kept' ? unguard(cells) : maskCells(cells, result.outcome);
  const keepsPac = ({ result }: RowOutcome): boolean => pacs === 'kept' && result.outcome === 'declined';
  return {
    header: [...names, ...added, ...correctionColumnsBeside(names)],
    cellsOf: (outcome) => {
      const cells = cellsOf(outcome);
      const shown = own.map((index) => (index === columnIndexes.pac && !keepsPac(outcome) ? '' : (cells[index] ?? '')));
      return [...shown, ...added.map(() => ''), importId, String(outcome.rootLine), reasonOf(outcome)];
    },
  };
}

export const reasonOf = ({ result: { status, message } }: RowOutcome): string =>
  [status, message].filter((text) => text !== '').join(': ');

// mismatches-bar-service-config.csv: the services that differ from those requested. Importing it into
// bar-service-config/ sets them again.

/** Columns of bar-service-config; the reference names the number, if the file had it, and the line. */
const columns = ['serialNumber', 'network', 'services', 'reference'];

/** The text of the file, in pieces. A service that the SIM does not have cannot be set, and is left out. */
export async function* mismatchesCsv(
  items: AsyncIterable<ComparisonItem>,
  delimiter: Delimiter = ',',
): AsyncIterable<string> {
  yield csvHeader(columns, delimiter);
  for await (const { networkNumber, sims } of items) {
    for (const sim of sims) {
      const cells = cellsOf(sim, networkNumber);
      if (cells !== undefined) yield csvRow(cells, delimiter);
    }
  }
}

function cellsOf({ serialNumber, msisdn, line, services }: MismatchedSim, networkNumber: number | undefined) {
  const settable = services.filter(({ type }) => type !== '');
  if (settable.length === 0) return undefined;
  const cell = settable.map(({ name, type, requested }) => `${name}=${aliasFor(type, requested)}`).join(';');
  return [serialNumber, String(networkNumber ?? ''), cell, `${msisdn} line ${line}`.trim()];
}
