// Collects what is wrong with the repeating columns of a row.
import { judgeLine } from '#shared/domain/cell-text.ts';
import { error, type Finding } from '#shared/domain/issue.ts';
import type { Cells, ShapeFinding } from './operation.ts';

export interface ShapeReport {
  readonly findings: ShapeFinding[];
  /** null: the finding is about the row as a whole. */
  add(column: string | null, finding: Finding): void;
  /** Whether any finding rejects the row. */
  readonly broken: boolean;
}

export function createShapeReport(): ShapeReport {
  const findings: ShapeFinding[] = [];
  return {
    findings,
    add: (column, finding) => {
      findings.push({ column, ...finding });
    },
    get broken() {
      return findings.some((finding) => finding.severity === 'error');
    },
  };
}

/** The text of a cell that must not be empty; an empty one is reported and answered as undefined. */
export function requiredCell(cells: Cells, column: string, report: ShapeReport): string | undefined {
  const text = cells(column);
  if (text !== '') return text;
  report.add(column, error('CELL_REQUIRED', `${column} is empty`));
  return undefined;
}

/** Text that is sent as it stands: at most `longest` characters, all of them visible. Anything else is reported. */
export function freeText(column: string, text: string, longest: number, report: ShapeReport): string | undefined {
  const length = [...text].length;
  const hidden = judgeLine(text);
  if (length > longest) {
    report.add(column, error('CELL_TOO_LONG', `${column} has ${length} characters; at most ${longest} are allowed`));
  }
  if (hidden !== undefined) report.add(column, hidden);
  return length > longest || hidden !== undefined ? undefined : text;
}

/** The parts of a list cell (`101;102`), trimmed; empty parts are dropped. */
export const listCell = (text: string): string[] =>
  text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
