// The short way of a row through ingest, for speed: rows whose own cells are written plainly and whose other cells, byte
// for byte, were accepted before are judged, compared and written as bytes; no text, no object and no promise is made of
// them. What such a row becomes is learned from the judge (`row-template.ts`). Any doubt sends a row the long way, which
// decides; `plain-rows.test.ts` holds the two ways against each other.
import type { HeaderMap } from '#shared/csv/header.ts';
import { type CellSpans, flagBits } from '#shared/csv/records.ts';
import { plainForm } from '#shared/domain/plain-forms.ts';
import { referenceColumn } from '#shared/operations/column.ts';
import type { AccountSettings, Operation, Shape } from '#shared/operations/operation.ts';
import type { Grouping, OpenGroup } from './grouping.ts';
import { PlainCells, type PlainColumn } from './plain-cells.ts';
import type { RowJudge } from './row-judge.ts';
import { createRowKinds, type RowKind } from './row-kinds.ts';
import { learnTemplate, type RowTemplate } from './row-template.ts';
import type { Seen } from './seen.ts';
import { writeRow } from './write-row.ts';

export interface PlainRows {
  /** Must be told of each batch before its first record is taken. */
  read(spans: CellSpans): void;
  /** Whether the row was taken, whole; if not, nothing was done that the long way would not do as well. */
  take(spans: CellSpans, index: number, line: number): boolean;
  /** Must be told of the row that was not taken last, where it was accepted and nothing was found in it. */
  learn(shape: Shape, record: readonly string[]): void;
}

/** What rows of one kind have in common; null where each of them must go the long way. */
type Lesson = { readonly shape: Shape; readonly template: RowTemplate; group: OpenGroup | undefined } | null;

const noPlainRows: PlainRows = { read: () => {}, take: () => false, learn: () => {} };

export function createPlainRows(
  operation: Operation,
  header: HeaderMap,
  settings: AccountSettings,
  judge: RowJudge,
  grouping: Grouping,
): PlainRows {
  const columns = plainColumns(operation, header, settings);
  if (columns.length === 0) return noPlainRows;
  const seen = columns.map(({ name }) => judge.memory.seenIn(name));
  const cells = columns.map((column, place) => new PlainCells(column, seen[place] as Seen));
  const reference = header.indexes.get(referenceColumn.name);
  const own = new Set([...columns.map(({ index }) => index), reference]);
  const kinds = createRowKinds<Lesson>([...header.indexes.values()].filter((index) => !own.has(index)));
  const templates = new Map<string, RowTemplate>();
  let forgotten = judge.forgotten;
  let unlearned: RowKind<Lesson> | undefined;

  /** Which of the plain cells are filled, one bit each; -1 where one is not written plainly. */
  const filledOf = (index: number): number => {
    let filled = 0;
    for (let place = 0; place < cells.length; place += 1) {
      const { starts, ends } = cells[place] as PlainCells;
      const start = starts[index] as number;
      if (start < 0) return -1;
      if (start < (ends[index] as number)) filled |= 1 << place;
    }
    return filled;
  };

  /** Whether all characters of the reference can be seen: it is carried along, and nothing else is asked of it. */
  const isReferencePlain = ({ bytes, bounds }: CellSpans, at: number): boolean => {
    if (reference === undefined) return true;
    const end = (bounds[at + 2 * reference + 1] as number) >> flagBits;
    for (let place = bounds[at + 2 * reference] as number; place < end; place += 1) {
      const byte = bytes[place] as number;
      if (byte < 0x20 || byte > 0x7e) return false;
    }
    return true;
  };

  /** Remembers the numbers of the row; false where one stood on an earlier line. */
  const areNew = (index: number, unique: readonly number[], line: number): boolean => {
    for (const place of unique) {
      const { highs, lows } = cells[place] as PlainCells;
      // One that is new stays remembered although another is not: the long way knows the line for its own.
      if (seen[place]?.firstOf(highs[index] as number, lows[index] as number, line) !== 0) return false;
    }
    return true;
  };

  /** Judges made known anew tell their remarks anew: nothing may be taken before they did. */
  const forgetWithJudge = (): void => {
    if (forgotten === judge.forgotten) return;
    forgotten = judge.forgotten;
    kinds.clear();
    templates.clear();
  };

  const take = (spans: CellSpans, index: number, line: number): boolean => {
    const at = spans.starts[index] as number;
    unlearned = undefined;
    const filled = at < 0 ? -1 : filledOf(index);
    if (filled < 0) return false;
    forgetWithJudge();
    const kind = kinds.of(spans, at, filled);
    if (kind === undefined || !kind.lesson) {
      if (kind?.lesson === undefined) unlearned = kind;
      return false;
    }
    const { lesson } = kind;
    const { template } = lesson;
    if (!isReferencePlain(spans, at) || !areNew(index, template.unique, line)) return false;
    // Found by its key only when the last one has left.
    const group = lesson.group?.isOpen === true ? lesson.group : grouping.open(lesson.shape);
    lesson.group = group;
    grouping.next(group);
    writeRow(group.rows, template, line, spans.bytes, cells, index);
    grouping.added(group);
    return true;
  };

  const learn = (shape: Shape, record: readonly string[]): void => {
    if (unlearned === undefined) return;
    const { filled } = unlearned;
    const learned = learnTemplate(
      judge,
      record,
      columns.map((column, place) => ((filled & (1 << place)) === 0 ? undefined : column)),
    );
    const template = learned && (templates.get(learned.name) ?? learned);
    if (template !== undefined) templates.set(template.name, template);
    unlearned.lesson = template === undefined ? null : { shape, template, group: undefined };
  };

  const read = (spans: CellSpans): void => {
    for (const column of cells) column.read(spans);
  };

  return { read, take, learn };
}

function plainColumns({ columns }: Operation, { indexes }: HeaderMap, settings: AccountSettings): PlainColumn[] {
  return columns.flatMap(({ name, form: formName }) => {
    const index = indexes.get(name);
    const form = formName && plainForm(formName, settings);
    return index === undefined || form === undefined ? [] : [{ name, index, form }];
  });
}
