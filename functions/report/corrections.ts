// Correction files: the lines that a new PAC would mend, ready to be filled in and dropped. correct-update-port.csv amends
// rows of ports that wait; correct-create-port.csv brings back rows that were taken out of their port.
import type { FileWriter } from '#shared/aws/files.ts';
import { ownColumnCount, returnedColumns } from '#shared/csv/returned-columns.ts';
import { csvRow, unguard } from '#shared/csv/writer.ts';
import type { FileOutcomes, LineOutcome } from './line-outcomes.ts';
import type { Bystander } from './results.ts';

/** The operations that take a correction file. */
export const correctionKinds = ['update-port', 'create-port'] as const;
export type CorrectionKind = (typeof correctionKinds)[number];

/** In the results bucket. */
export const correctionKey = (importId: string, kind: CorrectionKind): string =>
  `imports/${importId}/correct-${kind}.csv`;

/** What a person fills is `pac`; update-port does not read what stands behind it. */
const amendColumns = ['msisdn', 'portId', 'pac', 'reason', 'line', 'reference'] as const;

type FileHead = Pick<FileOutcomes, 'header' | 'indexes'>;

interface Layout {
  readonly head: readonly string[];
  readonly cells: (outcome: LineOutcome) => readonly string[];
}

const layouts: Readonly<Record<CorrectionKind, (file: FileHead) => Layout>> = {
  'update-port': amendLayout,
  'create-port': againLayout,
};

/** The number as its owner wrote it: it was understood once, and a spreadsheet keeps it as well as it kept theirs. */
function amendLayout({ indexes }: FileHead): Layout {
  const own = (cells: readonly string[], column: string): string => unguard(cells[indexes.get(column) ?? -1] ?? '');
  return {
    head: amendColumns,
    cells: ({ line, cells, result }) => [
      own(cells, 'msisdn'),
      result.portId,
      '',
      reasonOf(result),
      String(line),
      own(cells, 'reference'),
    ],
  };
}

/** The row as it was dropped, as rejected.csv has it, but for its PAC: that one is known to be bad. */
function againLayout({ header, indexes }: FileHead): Layout {
  const own = header.slice(0, ownColumnCount(header));
  const pacIndex = indexes.get('pac');
  const added = pacIndex === undefined ? ['pac'] : [];
  return {
    head: [...own, ...added, ...returnedColumns],
    cells: ({ line, cells, result }) => [
      ...own.map((_, index) => (index === pacIndex ? '' : unguard(cells[index] ?? ''))),
      ...added.map(() => ''),
      String(line),
      reasonOf(result),
    ],
  };
}

const reasonOf = ({ status, message }: LineOutcome['result']): string =>
  message === '' ? status : `${status}: ${message}`;

export interface CorrectionWriter extends Bystander {
  readonly rows: number;
}

/** Writes the lines that `kind` mends. */
export function createCorrectionWriter(kind: CorrectionKind, sink: Pick<FileWriter, 'write'>): CorrectionWriter {
  let layout: Layout | undefined;
  let rows = 0;
  return {
    begin: async (file) => {
      layout = layouts[kind](file);
      await sink.write(csvRow(layout.head));
    },
    see: async (outcomes) => {
      const concerned = outcomes.filter(({ result }) => result.mendedBy === kind);
      rows += concerned.length;
      const text = concerned.map((outcome) => csvRow(layout?.cells(outcome) ?? [])).join('');
      if (text !== '') await sink.write(text);
    },
    get rows() {
      return rows;
    },
  };
}
