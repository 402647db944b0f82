// How the JSON of a row is composed, learned from the validator. It validates two made-up rows that differ only in
// their canonical cells. If both results are the same apart from the values of those cells, they are the same for all
// such rows.
import type { RowValidator, TrialRow } from '../row-validator.ts';
import type { CanonicalColumn } from './canonical-cells.ts';
import { type CanonicalFormat, maxValueBytes } from './canonical-formats.ts';

/** After the line number comes a text, then the value of a column, and so on; `tail` comes last. */
export interface RowTemplate {
  readonly texts: readonly Uint8Array[];
  /** The canonical column whose value follows each text. */
  readonly columns: readonly number[];
  readonly tail: Uint8Array;
  /** The columns whose number may not be on an earlier line, in the order in which the operation asks. */
  readonly uniques: readonly number[];
  /** No row has more bytes, apart from its line number. */
  readonly maxBytes: number;
  /** Equal templates have the same name. */
  readonly name: string;
}

/** The columns that are filled in a row; undefined where the cell is empty. */
type FilledColumns = readonly (CanonicalColumn | undefined)[];

export const rowOpening = '{"line":';

export function learnTemplate(
  validator: Pick<RowValidator, 'tryRecord'>,
  record: readonly string[],
  columns: FilledColumns,
): RowTemplate | undefined {
  const [one, other] = ([0, 1] as const).map((sample) => tryRow(validator, record, columns, sample));
  const name = JSON.stringify(one);
  if (one === undefined || name !== JSON.stringify(other)) return undefined;
  return {
    name,
    texts: one.texts.slice(0, -1).map((text) => Buffer.from(text)),
    columns: one.columns,
    tail: Buffer.from(one.texts.at(-1) ?? ''),
    uniques: one.uniques,
    // The name contains all texts.
    maxBytes: name.length + maxValueBytes * one.columns.length,
  };
}

function tryRow(
  validator: Pick<RowValidator, 'tryRecord'>,
  record: readonly string[],
  columns: FilledColumns,
  sample: 0 | 1,
) {
  const madeUp = [...record];
  const values = columns.map((column) => {
    if (column === undefined) return undefined;
    const text = column.format.samples[sample];
    madeUp[column.index] = text;
    return sampleValue(column.format, text);
  });
  const trial = validator.tryRecord(madeUp);
  if (trial === undefined) return undefined;
  const uniques = uniqueColumns(trial, columns, values);
  const filled = values.filter((value) => value !== undefined);
  if (uniques === undefined || filled.length === 0) return undefined;
  const { subject, wire } = trial.row;
  const json = JSON.stringify({ line: 0, subject, wire }).slice(`${rowOpening}0`.length);
  const parts = json.split(new RegExp(`(${filled.join('|')})`));
  return {
    texts: parts.filter((_, index) => index % 2 === 0),
    columns: parts.filter((_, index) => index % 2 === 1).map((value) => values.indexOf(value)),
    uniques,
  };
}

function sampleValue({ readValue }: CanonicalFormat, text: string): string {
  const value = Buffer.alloc(maxValueBytes);
  return value.toString('latin1', 0, readValue(Buffer.from(text), 0, text.length, value, 0));
}

/** undefined: the operation asked for something else than the number of a canonical column, or asked twice. */
function uniqueColumns(
  { uniques }: TrialRow,
  columns: FilledColumns,
  values: readonly (string | undefined)[],
): number[] | undefined {
  const found = uniques.map(([name, digits]) =>
    columns.findIndex((column, index) => {
      const prefix = column?.format.prefix;
      return column?.name === name && prefix !== undefined && digits === prefix + values[index];
    }),
  );
  return found.includes(-1) || new Set(found).size < found.length ? undefined : found;
}
