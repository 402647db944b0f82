// What is wrong with the row of the active cell, and "fix all alike".

import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { columnLabel } from '#shared/text/wording.ts';
import type { ImportRow } from '../../api/types.ts';
import { strings } from '../../strings.ts';
import { cellKey, type Edits, setCells } from './edits.ts';
import type { RowState } from './row-states.ts';
import type { FileColumn } from './use-invalid-rows.ts';

interface Props {
  readonly rows: readonly ImportRow[];
  readonly columns: readonly FileColumn[];
  readonly edits: Edits;
  readonly states: ReadonlyMap<number, RowState>;
  readonly row: ImportRow | undefined;
  readonly column: number;
  readonly onEdits: (edits: Edits) => void;
}

export function ActiveCell({ rows, columns, edits, states, row, column, onEdits }: Props) {
  if (row === undefined) return null;
  const state = states.get(row.line);
  const texts = strings.review;
  const value = edits.cells.get(cellKey(row.line, column));
  const alike = value === undefined ? [] : linesAlike({ rows, columns, edits, row, column });
  return (
    <Container>
      <div aria-live="polite">
        <SpaceBetween size="xs">
          <b>{texts.line(row.line)}</b>
          {state?.progress === 'fixed' && <StatusIndicator type="success">{texts.progress.fixed}</StatusIndicator>}
          <ul className="row-issues">
            {state?.issues.map(({ code, column: name, message, severity }) => (
              <li key={`${code} ${name} ${message}`} className={severity}>
                {name === null ? message : texts.issue(columnLabel(name), message)}
              </li>
            ))}
          </ul>
        </SpaceBetween>
      </div>
      {value !== undefined && alike.length > 0 && (
        <div className="fix-alike">
          <span>{texts.alike(alike.length, row.cells[column] ?? '')}</span>
          <Button
            onClick={() => onEdits(setCells(edits, new Map(alike.map((line) => [cellKey(line, column), value]))))}
          >
            {texts.fixAlike(alike.length)}
          </Button>
        </div>
      )}
    </Container>
  );
}

/** Rows with the same text in the same column that were not changed yet. Masked texts cannot be compared. */
function linesAlike({
  rows,
  columns,
  edits,
  row,
  column,
}: Omit<Props, 'states' | 'onEdits' | 'row'> & { row: ImportRow }) {
  if (columns[column]?.secret) return [];
  return rows
    .filter(
      ({ line, cells }) =>
        line !== row.line && cells[column] === row.cells[column] && !edits.cells.has(cellKey(line, column)),
    )
    .map(({ line }) => line);
}
