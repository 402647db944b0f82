// Lays the cells that people changed over a file, and leaves rows out of it: whoever reads the file sees it as it is to
// be sent, so there is one validation, one index of duplicates and one result for it.
import { type Issue, notice } from '#shared/row/issue.ts';
import { addedColumns, ownColumns } from './added-columns.ts';
import { textOfCells } from './csv/batch-builder.ts';
import type { CsvContents, OpenedCsv, RecordBatch } from './csv/record-batch.ts';

export interface ChangedRow {
  /** By place among the file's own columns; the added ones follow them. */
  readonly cells: ReadonlyMap<number, string>;
  /** By the name of a column that the file does not have. */
  readonly more: ReadonlyMap<string, string>;
}

export interface ChangedRows {
  /** By line. */
  readonly rows: ReadonlyMap<number, ChangedRow>;
  /** The columns of the operation that are added to the file. */
  readonly added: readonly string[];
  /** Lines that are not sent. */
  readonly leftOut: ReadonlySet<number>;
}

export function layOver(opened: OpenedCsv, changes: ChangedRows): OpenedCsv {
  if (!opened.ok) return opened;
  const { again, ...csv } = opened.value;
  const names = addedColumns(csv.header, changes.added);
  const readAgain = again && (async (...args: Parameters<typeof again>) => layOver(await again(...args), changes));
  const value: CsvContents = {
    ...csv,
    header: [...csv.header, ...names],
    // The file may have the name of a column for something else.
    added: Object.fromEntries(names.map((name, index) => [name, changes.added[index] ?? ''])),
    batches: changeBatches(csv, changes),
    ...(readAgain && { again: readAgain }),
  };
  return { ok: true, value };
}

async function* changeBatches({ header, batches }: CsvContents, changes: ChangedRows): AsyncIterable<RecordBatch> {
  const places = ownColumns(header);
  const added = changes.added.map((_, place) => header.length + place);
  const change = createChange({ ...changes, width: header.length, indexes: [...places, ...added] });
  for await (const batch of batches) yield change(batch);
}

interface Change extends ChangedRows {
  /** How many cells a record of the file has. */
  readonly width: number;
  /** Of the own columns and the added ones, by place. */
  readonly indexes: readonly number[];
}

const createChange =
  ({ rows, added, leftOut, width, indexes }: Change) =>
  (batch: RecordBatch): RecordBatch => {
    const changed = new Map<number, readonly string[]>();
    const rejected = new Map(batch.rejected);
    for (const [record, line] of batch.lines.entries()) {
      const row = rows.get(line);
      if (row !== undefined) {
        changed.set(record, cellsWith(row, batch.cellsOf(record)));
        // A person has seen these cells, as many as the header has, so the record is a row of the file now.
        rejected.delete(record);
      }
      if (leftOut.has(line)) rejected.set(record, rowLeftOut(line));
    }
    if (changed.size === 0 && added.length === 0) return { ...batch, rejected };
    // What a person changed is a text.
    const dateCells = new Map([...(batch.dateCells ?? [])].filter(([record]) => !changed.has(record)));
    const blank = added.map(() => '');
    const cellsOf = (record: number): readonly string[] =>
      changed.get(record) ?? [...batch.cellsOf(record), ...(batch.rejected.has(record) ? [] : blank)];
    return {
      ...batch,
      rejected,
      dateCells,
      cellsOf,
      cellAt: (record, index) => changed.get(record)?.[index] ?? (index < width ? batch.cellAt(record, index) : ''),
      textBetween: (record, first, last) =>
        changed.has(record) || last >= width
          ? textOfCells(cellsOf(record).slice(first, last + 1))
          : batch.textBetween(record, first, last),
    };

    function cellsWith({ cells, more }: ChangedRow, before: readonly string[]): string[] {
      const all = Array.from({ length: width }, (_, index) => before[index] ?? '');
      all.push(...added.map((column) => more.get(column) ?? ''));
      for (const [place, cell] of cells) {
        const index = indexes[place];
        if (index !== undefined) all[index] = cell;
      }
      return all;
    }
  };

const rowLeftOut = (line: number): Issue => ({
  line,
  column: null,
  ...notice('ROW_LEFT_OUT', 'a person left the row out before the file was sent'),
});
