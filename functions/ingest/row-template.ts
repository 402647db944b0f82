// How the JSON of a plain row is put together, learned from the judge: it is asked about two made-up rows that differ only
// in their plain cells, and what it answers alike for both, up to the values of those cells, holds for all rows between.
import type { PlainColumn } from './plain-cells.ts';
import { plannedRowJson } from './planned-row-json.ts';
import type { Rehearsal, RowJudge } from './row-judge.ts';

/** Behind the line of a row comes a text, then the value of a column, and so on; `tail` comes last. */
export interface RowTemplate {
  readonly texts: readonly Uint8Array[];
  /** Which of the plain columns each text is followed by. */
  readonly columns: readonly number[];
  readonly tail: Uint8Array;
  /** Which of them must not have stood on an earlier line, in the order in which the judge asks. */
  readonly unique: readonly number[];
  /** No row has more bytes, its line apart. */
  readonly length: number;
  /** The same for all templates that say the same. */
  readonly name: string;
}

export const rowOpening = '{"line":';
/** Of any plain cell; the name of a template is longer than its texts together. */
const longestValue = 20;

/** @param columns the plain columns that are filled in `record` */
export function learnTemplate(
  judge: Pick<RowJudge, 'rehearse'>,
  record: readonly string[],
  columns: readonly (PlainColumn | undefined)[],
): RowTemplate | undefined {
  const [one, other] = ([0, 1] as const).map((sample) => rehearsed(judge, record, columns, sample));
  const name = JSON.stringify(one);
  if (one === undefined || name !== JSON.stringify(other)) return undefined;
  return {
    name,
    texts: one.texts.slice(0, -1).map((text) => Buffer.from(text)),
    columns: one.columns,
    tail: Buffer.from(one.texts.at(-1) ?? ''),
    unique: one.unique,
    length: name.length + longestValue * one.columns.length,
  };
}

function rehearsed(
  judge: Pick<RowJudge, 'rehearse'>,
  record: readonly string[],
  columns: readonly (PlainColumn | undefined)[],
  sample: 0 | 1,
) {
  const madeUp = [...record];
  const values = columns.map((column) => {
    if (column === undefined) return undefined;
    const text = column.form.samples[sample];
    madeUp[column.index] = text;
    return text.slice(column.form.valueStart(Buffer.from(text), 0, text.length));
  });
  const answer = judge.rehearse(madeUp);
  if (answer === undefined) return undefined;
  const unique = uniqueColumns(answer, columns, values);
  const json = plannedRowJson(0, answer.row.subject, answer.row.wire).slice(`${rowOpening}0`.length);
  const known = values.filter((value) => value !== undefined);
  if (unique === undefined || known.length === 0) return undefined;
  const parts = json.split(new RegExp(`(${known.join('|')})`));
  return {
    texts: parts.filter((_, place) => place % 2 === 0),
    columns: parts.filter((_, place) => place % 2 === 1).map((value) => values.indexOf(value)),
    unique,
  };
}

/** Undefined where the judge asked for something other than the number of a plain column, each once. */
function uniqueColumns(
  { asked }: Rehearsal,
  columns: readonly (PlainColumn | undefined)[],
  values: readonly (string | undefined)[],
): number[] | undefined {
  const unique = asked.map(([name, digits]) =>
    columns.findIndex(
      (column, place) =>
        column?.name === name && column.form.prefix !== undefined && digits === column.form.prefix + values[place],
    ),
  );
  return unique.includes(-1) || new Set(unique).size < unique.length ? undefined : unique;
}
