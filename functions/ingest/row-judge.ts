// Judges records one after the other. The columns that repeat are judged once per distinct text of all of them together;
// in most files the row before has the same, so that is looked at first.
import type { HeaderMap } from '#shared/csv/header.ts';
import { unguard } from '#shared/csv/writer.ts';
import { judgeCharacters } from '#shared/domain/cell-text.ts';
import type { Issue } from '#shared/domain/issue.ts';
import { redactText } from '#shared/domain/redact.ts';
import { referenceColumn } from '#shared/operations/column.ts';
import { todayOf } from '#shared/operations/connection-date.ts';
import type {
  Cells,
  ImportContext,
  JudgeContext,
  JudgedRow,
  JudgedShape,
  Operation,
  Report,
  Shape,
  ShapeFinding,
} from '#shared/operations/operation.ts';
import { detached } from './detached.ts';
import { createImportMemory, type SeenColumns } from './import-memory.ts';

/** Distinct shapes remembered at a time; a file that has more is judged in full, only slower. */
const maxShapes = 10_000;

/** `accepted` is there exactly when no issue is an error. */
export interface Verdict {
  readonly issues: readonly Issue[];
  readonly accepted?: { readonly row: JudgedRow; readonly shape: Shape };
}

export interface RowJudge {
  /** Makes the shape of the record known, from memory where it can; a promise only when it must be looked up. */
  prepare(record: readonly string[]): Promise<void> | undefined;
  /** Judges the record that was prepared last. */
  judge(line: number): Verdict;
  /** Judges another record of the same shape without remembering it. Undefined where anything is found in it. */
  rehearse(record: readonly string[]): Rehearsal | undefined;
  /** What is remembered of the numbers of each column. */
  readonly memory: Pick<SeenColumns, 'seenIn'>;
  /** How often the shapes were forgotten, and with them which remarks have been told. */
  readonly forgotten: number;
}

export interface Rehearsal {
  readonly row: JudgedRow;
  /** Columns and digits of which it was asked whether they stood on an earlier line. */
  readonly asked: readonly (readonly [column: string, digits: string])[];
}

interface KnownShape extends JudgedShape {
  /** Told on every line that has the shape. */
  readonly errors: readonly ShapeFinding[];
  /** Warnings and notices: told once, on the first line, so that a million lines do not repeat one remark. */
  remarks: readonly ShapeFinding[];
}

const nothing: readonly ShapeFinding[] = [];

export function createRowJudge(operation: Operation, header: HeaderMap, judging: JudgeContext): RowJudge {
  const repeating = operation.columns
    .filter((column) => column.repeats)
    .flatMap((column) => header.indexes.get(column.name) ?? []);
  const shapes = new Map<string, KnownShape>();
  let record: readonly string[] = [];
  let shapedRecord: readonly string[] | undefined;
  let shape: KnownShape | undefined;
  let issues: Issue[] = [];
  let line = 0;
  let forgotten = 0;
  /** Filled while a row is rehearsed. */
  let asked: [string, string][] | undefined;
  const memory = createImportMemory(() => line);
  const context: ImportContext = {
    ...judging,
    today: todayOf(judging),
    memory: {
      ...memory,
      earlierLine: (column, digits) => {
        if (asked === undefined) return memory.earlierLine(column, digits);
        asked.push([column, digits]);
        return undefined;
      },
    },
  };

  const cells: Cells = (column) => {
    const index = header.indexes.get(column);
    return index === undefined ? (header.defaults.get(column) ?? '') : cellText(record[index] ?? '');
  };
  // A message repeats what a cell says, and where columns were mixed up that may be a porting code (decision 44).
  const report: Report = (column, finding) => {
    issues.push({ line, column, ...finding, message: redactText(finding.message) });
  };

  const lookUp = async (key: string): Promise<void> => {
    shape = undefined;
    shapedRecord = undefined;
    const judged = await operation.judgeShape((column) => detached(cells(column)), context);
    const findings = judged.findings.map((finding) => ({ ...finding, message: redactText(finding.message) }));
    const errors = findings.filter((finding) => finding.severity === 'error');
    shape = { ...judged, errors, remarks: findings.filter((finding) => finding.severity !== 'error') };
    if (shapes.size >= maxShapes) {
      shapes.clear();
      forgotten += 1;
    }
    shapes.set(detached(key), shape);
    shapedRecord = record;
  };

  const prepare = (next: readonly string[]): Promise<void> | undefined => {
    record = next;
    if (shapedRecord !== undefined && sameCells(shapedRecord, next, repeating)) return undefined;
    const key = tupleKey(next, repeating);
    const known = shapes.get(key);
    if (known === undefined) return lookUp(key);
    shape = known;
    shapedRecord = next;
    return undefined;
  };

  const judge = (at: number): Verdict => {
    if (shape === undefined) throw new Error('a record must be prepared before it is judged');
    line = at;
    issues = [];
    if (shape.errors.length > 0 || shape.remarks.length > 0) {
      issues = [...shape.errors, ...shape.remarks].map((finding) => ({ line, ...finding }));
      shape.remarks = nothing;
    }
    const row = shape.judgeRow(cells, report);
    // It is not sent, but comes back in every file that people open.
    const unreadable = judgeCharacters(cells(referenceColumn.name));
    if (unreadable !== undefined) report(referenceColumn.name, unreadable);
    return row === undefined || unreadable !== undefined || shape.shape === undefined
      ? { issues }
      : { issues, accepted: { row, shape: shape.shape } };
  };

  const rehearse = (madeUp: readonly string[]): Rehearsal | undefined => {
    const rehearsed: [string, string][] = [];
    asked = rehearsed;
    record = madeUp;
    issues = [];
    const row = shape?.judgeRow(cells, report);
    asked = undefined;
    return row === undefined || issues.length > 0 ? undefined : { row, asked: rehearsed };
  };

  return {
    prepare,
    judge,
    rehearse,
    memory,
    get forgotten() {
      return forgotten;
    },
  };
}

/** The cell without the space around it and without the apostrophe that guards a formula (decision 45). */
const cellText = (raw: string): string => unguard(raw.trim());

function sameCells(one: readonly string[], other: readonly string[], indexes: readonly number[]): boolean {
  for (const index of indexes) if (one[index] !== other[index]) return false;
  return true;
}

/** Lengths stand before the texts, so that no two tuples share a key whatever the cells contain. */
function tupleKey(record: readonly string[], indexes: readonly number[]): string {
  let key = '';
  for (const index of indexes) {
    const text = record[index] ?? '';
    key += `${text.length}:${text}`;
  }
  return key;
}
