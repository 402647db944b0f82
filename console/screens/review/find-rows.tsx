// Finds rows of the grid: by their problems, in an order, by a text that is replaced, and those like the active one.

import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useMemo, useRef, useState } from 'react';
import { columnLabel, count, counted } from '#shared/text/wording.ts';
import type { ImportRow } from '../../api/answers.ts';
import { numbers } from '../../text/words.ts';
import {
  arrange,
  cellKey,
  type Edits,
  type Filters,
  type GridRows,
  type Order,
  replaceText,
  setCells,
} from './edits.ts';
import { groupProblems, type ProblemFilter, type ProblemGroup } from './problem-groups.ts';
import { progressWords, type RowState } from './row-states.ts';
import type { FileColumn } from './rows.ts';

interface GroupsProps {
  readonly rows: readonly ImportRow[];
  readonly states: ReadonlyMap<number, RowState>;
  readonly filter: ProblemFilter | undefined;
  readonly onFilter: (filter: ProblemFilter | undefined) => void;
}

/** The problems of all rows in groups, the most rows first. A group filters the grid. */
export function ProblemGroups({ rows, states, filter, onFilter }: GroupsProps) {
  const groups = groupProblems(rows, states);
  const optionOf = ({ code, column, message, rows: affected, fixed }: ProblemGroup) => ({
    value: `${code} ${column}`,
    label: `${nameOf(code, column)}: ${count(fixed)} of ${count(affected)} fixed`,
    description: message,
  });
  const all = { value: '', label: `All ${numbers(rows.length)}` };
  const options = [all, ...groups.map(optionOf)];
  const chosen = filter === undefined ? '' : `${filter.code} ${filter.column}`;
  return (
    <Select
      selectedOption={options.find(({ value }) => value === chosen) ?? all}
      options={options}
      ariaLabel="Problems"
      onChange={({ detail }) => onFilter(groups.find((group) => optionOf(group).value === detail.selectedOption.value))}
    />
  );
}

function nameOf(code: ProblemFilter['code'], column: string | null): string {
  if (code === 'ROW_REFUSED') return 'Declined by the service';
  return column === null ? 'Row' : columnLabel(column);
}

interface ArrangementInput {
  readonly rows: readonly ImportRow[];
  readonly edits: Edits;
  readonly filter: ProblemFilter | undefined;
}

/** Which rows of the grid are shown, and in which order. */
export function useArrangement({ rows, edits, filter }: ArrangementInput) {
  const [order, setOrder] = useState<Order>();
  /** undefined: the fields of the filters are hidden. */
  const [filters, setFilters] = useState<Filters>();
  // As the cells were when it was chosen: a row that is being fixed neither moves nor vanishes.
  const latest = useRef(edits);
  latest.current = edits;
  const shown = useMemo(() => {
    const ofGroup = rows.filter(
      ({ issues }) =>
        filter === undefined || issues.some(({ code, column }) => code === filter.code && column === filter.column),
    );
    return arrange(ofGroup, { edits: latest.current, filters: filters ?? new Map(), order });
  }, [rows, filter, filters, order]);
  return { order, setOrder, filters, setFilters, shown };
}

interface ReplaceProps extends GridRows {
  readonly columns: readonly FileColumn[];
  readonly edits: Edits;
  readonly onEdits: (edits: Edits) => void;
}

/** Find and replace in the shown rows, with a count before it applies. It is one action to undo. */
export function ReplaceText({ rows, columns, edits, onEdits }: ReplaceProps) {
  const [find, setFind] = useState('');
  const [replace, setReplace] = useState('');
  const [column, setColumn] = useState<number>();
  const cells = useMemo(
    () => replaceText({ rows, columns, edits }, { find, replace, column }),
    [rows, columns, edits, find, replace, column],
  );
  const all = { value: '', label: 'Every column' };
  const options = [
    all,
    ...columns.flatMap(({ name, secret }, index) =>
      name === null || secret ? [] : [{ value: String(index), label: columnLabel(name) }],
    ),
  ];
  return (
    <search className="replace-text">
      <FormField label="Find">
        <Input type="search" value={find} onChange={({ detail }) => setFind(detail.value)} />
      </FormField>
      <FormField label="Replace with">
        <Input value={replace} onChange={({ detail }) => setReplace(detail.value)} />
      </FormField>
      <FormField label="In">
        <Select
          selectedOption={options.find(({ value }) => value === String(column ?? '')) ?? all}
          options={options}
          onChange={({ detail }) =>
            setColumn(detail.selectedOption.value ? Number(detail.selectedOption.value) : undefined)
          }
        />
      </FormField>
      <Button disabled={cells.size === 0} onClick={() => onEdits(setCells(edits, cells))}>
        {`Replace in ${counted(cells.size, 'cell')}`}
      </Button>
    </search>
  );
}

interface CellProps {
  readonly rows: readonly ImportRow[];
  readonly columns: readonly FileColumn[];
  readonly edits: Edits;
  readonly states: ReadonlyMap<number, RowState>;
  readonly row: ImportRow | undefined;
  readonly column: number;
  readonly onEdits: (edits: Edits) => void;
}

/** What is wrong with the row of the active cell, and "fix all alike". */
export function ActiveCell({ rows, columns, edits, states, row, column, onEdits }: CellProps) {
  if (row === undefined) return null;
  const state = states.get(row.line);
  const value = edits.cells.get(cellKey(row.line, column));
  const alike = value === undefined ? [] : linesAlike({ rows, columns, edits, states, row, column });
  return (
    <Container>
      <div aria-live="polite">
        <SpaceBetween size="xs">
          <b>{`Line ${count(row.line)}`}</b>
          {(state?.progress === 'fixed' || state?.progress === 'sent') && (
            <StatusIndicator type="success">{progressWords[state.progress]}</StatusIndicator>
          )}
          <ul className="row-issues">
            {state?.issues.map(({ code, column: name, message, severity }) => (
              <li key={`${code} ${name} ${message}`} className={severity}>
                {name === null ? message : `${columnLabel(name)}: ${message}`}
              </li>
            ))}
          </ul>
        </SpaceBetween>
      </div>
      {value !== undefined && alike.length > 0 && (
        <div className="fix-alike">
          <span>{`${alike.length === 1 ? '1 other number has' : `${count(alike.length)} other numbers have`} "${row.cells[column] ?? ''}" in this column.`}</span>
          <Button
            onClick={() => onEdits(setCells(edits, new Map(alike.map((line) => [cellKey(line, column), value]))))}
          >
            {`Fix ${alike.length === 1 ? 'it' : `all ${count(alike.length)}`} alike`}
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
  states,
  row,
  column,
}: Omit<CellProps, 'onEdits' | 'row'> & { row: ImportRow }) {
  if (columns[column]?.secret) return [];
  return rows
    .filter(
      ({ line, cells }) =>
        line !== row.line &&
        cells[column] === row.cells[column] &&
        !edits.cells.has(cellKey(line, column)) &&
        states.get(line)?.progress !== 'sent',
    )
    .map(({ line }) => line);
}
