// A grid of rows as in a spreadsheet. Only the rows on the screen exist in the page, so 10,000 rows scroll smoothly.

import Icon from '@cloudscape-design/components/icon';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { columnLabel } from '#shared/text/wording.ts';
import type { ImportRow } from '../../api/answers.ts';
import { useLeaveWarning } from '../../app/kept-work.ts';
import { cellKey, type Edits, type Filters, isInRange, type Order, type Range } from './edits.ts';
import { issueOfColumn, progressWords, type RowState } from './row-states.ts';
import type { FileColumn } from './rows.ts';
import { type GridInput, handleCopy, handleGridKey, handlePaste, useGrid } from './use-grid.ts';

const rowHeight = 40;

interface Props extends GridInput, HeaderProps {
  readonly states: ReadonlyMap<number, RowState>;
}

export function Grid({ states, order, onOrder, filters, onFilters, ...input }: Props) {
  const { rows, columns, edits } = input;
  const grid = useGrid(input);
  const { row, column, range, draft, go, commands } = grid;
  const { scroller, virtual } = useScrolling(rows.length, grid);
  return (
    <div className="grid-scroller" ref={scroller}>
      <div
        role="grid"
        className="grid"
        aria-label="Invalid numbers"
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        aria-multiselectable
        tabIndex={rows.length === 0 ? 0 : -1}
        onKeyDown={(event) => draft === undefined && handleGridKey(event, commands)}
        onPaste={(event) => draft === undefined && handlePaste(event, commands)}
        onCopy={(event) => draft === undefined && handleCopy(event, commands)}
        onBlur={grid.forgetFocus}
      >
        <GridHeader columns={columns} order={order} onOrder={onOrder} filters={filters} onFilters={onFilters} />
        <div role="rowgroup" className="grid-body" style={{ blockSize: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const item = rows[index];
            return (
              item && (
                <GridRow
                  key={item.line}
                  item={item}
                  index={index}
                  start={start}
                  columns={columns}
                  edits={edits}
                  state={states.get(item.line)}
                  activeColumn={index === row ? column : undefined}
                  draft={index === row ? draft : undefined}
                  selected={index >= range.top && index <= range.bottom ? range : undefined}
                  onActivate={(place) => go({ row: index, column: place })}
                  onExtend={(place) => grid.extendTo({ row: index, column: place })}
                  onDraft={grid.setDraft}
                  onEdit={() => commands.edit()}
                  onCommit={grid.commit}
                  onLeave={grid.leave}
                  onCancel={() => go({ row, column })}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Renders the rows that are visible, and keeps the active cell among them. */
function useScrolling(count: number, { end, row, column, draft, hasFocus }: ReturnType<typeof useGrid>) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    overscan: 12,
    estimateSize: () => rowHeight,
    getScrollElement: () => scroller.current,
  });
  useEffect(() => virtual.scrollToIndex(end.row), [virtual, end.row]);
  // The active cell has the focus once it is on the screen.
  useEffect(() => {
    if (hasFocus.current && draft === undefined) focusCell(scroller.current, row, column);
  });
  return { scroller, virtual };
}

const focusCell = (grid: HTMLElement | null, row: number, column: number): void =>
  grid?.querySelector<HTMLElement>(`[data-place="${row}/${column}"]`)?.focus();

interface HeaderProps {
  readonly columns: readonly FileColumn[];
  readonly order: Order | undefined;
  readonly onOrder: (order: Order | undefined) => void;
  /** undefined: the fields are hidden. */
  readonly filters: Filters | undefined;
  readonly onFilters: (filters: Filters) => void;
}

const icons = { ascending: 'caret-up-filled', descending: 'caret-down-filled' } as const;

/** The names of the columns, which sort the grid, and a field for each to filter it. */
function GridHeader({ columns, order, onOrder, filters, onFilters }: HeaderProps) {
  return (
    // The keys of the grid are those of its cells.
    <div
      role="row"
      className="grid-row grid-header"
      aria-rowindex={1}
      onKeyDown={(event) => event.stopPropagation()}
      onPaste={(event) => event.stopPropagation()}
      onCopy={(event) => event.stopPropagation()}
    >
      <div role="columnheader" className="grid-line" aria-colindex={1}>
        Line
      </div>
      {columns.map((column, index) => {
        const { header, name } = column;
        const label = name === null ? header : columnLabel(name);
        const direction = order?.column === index ? order.direction : undefined;
        return (
          <div
            role="columnheader"
            className="grid-cell"
            aria-colindex={index + 2}
            aria-sort={direction ?? 'none'}
            // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
            key={index}
          >
            <button
              type="button"
              className="grid-sort"
              title={`Sort by ${label}`}
              onClick={() => onOrder(next(index, direction))}
            >
              <span className="grid-label">
                {label} {direction !== undefined && <Icon name={icons[direction]} size="small" />}
              </span>
              {name !== null && <span className="quiet">{header === '' ? 'Not in the file' : header}</span>}
            </button>
            {filters !== undefined && !column.secret && (
              <input
                type="search"
                className="grid-filter"
                aria-label={`Filter by ${label}`}
                placeholder="Contains"
                value={filters.get(index) ?? ''}
                onChange={({ target }) => onFilters(new Map([...filters, [index, target.value]]))}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}

/** Ascending, then descending, then as in the file. */
function next(column: number, direction: Order['direction'] | undefined): Order | undefined {
  if (direction === 'descending') return undefined;
  return { column, direction: direction === undefined ? 'ascending' : 'descending' };
}

interface RowProps {
  readonly item: ImportRow;
  readonly index: number;
  /** Pixels from the top. */
  readonly start: number;
  readonly columns: readonly FileColumn[];
  readonly edits: Edits;
  readonly state: RowState | undefined;
  readonly activeColumn: number | undefined;
  readonly draft: string | undefined;
  /** The selected cells, where some of this row are. */
  readonly selected: Range | undefined;
  readonly onActivate: (column: number) => void;
  /** The selection is to be from the active cell to this one. */
  readonly onExtend: (column: number) => void;
  readonly onDraft: (text: string) => void;
  readonly onEdit: () => void;
  readonly onCommit: (down: number, right: number) => void;
  readonly onLeave: () => void;
  readonly onCancel: () => void;
}

const signs = {
  invalid: 'status-warning',
  checking: 'status-pending',
  fixed: 'status-positive',
  sent: 'send',
} as const;

/** One row of the grid: its line, its state, its cells, and the editor of the active cell. */
function GridRow(props: RowProps) {
  const { item, index, start, columns, state, activeColumn, draft } = props;
  const progress = state?.progress ?? 'invalid';
  return (
    <div
      role="row"
      className={`grid-row ${progress}`}
      aria-rowindex={index + 2}
      style={{ transform: `translateY(${start}px)` }}
    >
      <div role="rowheader" className="grid-line" aria-colindex={1}>
        <span className="grid-sign" title={progressWords[progress]}>
          <Icon name={signs[progress]} alt={progressWords[progress]} />
        </span>
        {item.line}
      </div>
      {columns.map((column, place) =>
        draft !== undefined && place === activeColumn ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
          <Editor key={place} {...props} column={column} draft={draft} place={place} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
          <Cell key={place} {...props} column={column} place={place} />
        ),
      )}
    </div>
  );
}

type CellProps = RowProps & { readonly column: FileColumn; readonly place: number };

function Cell({ item, index, column, place, edits, state, activeColumn, selected, ...on }: CellProps) {
  const isSelected = selected !== undefined && isInRange(selected, index, place);
  const edited = edits.cells.get(cellKey(item.line, place));
  const issue = issueOfColumn(state, column);
  const shown = edited !== undefined && column.secret && edited !== '' ? '••••••' : edited;
  const classes = [
    'grid-cell',
    edited === undefined ? '' : 'edited',
    issue === undefined ? '' : 'wrong',
    isSelected ? 'selected' : '',
  ];
  return (
    <div
      role="gridcell"
      className={classes.join(' ')}
      data-place={`${index}/${place}`}
      aria-colindex={place + 2}
      aria-readonly={column.name === null}
      {...(issue === undefined ? {} : { 'aria-invalid': true, title: issue.message })}
      tabIndex={place === activeColumn ? 0 : -1}
      aria-selected={isSelected}
      onMouseDown={({ shiftKey, button }) => button === 0 && (shiftKey ? on.onExtend : on.onActivate)(place)}
      onMouseEnter={({ buttons }) => buttons === 1 && on.onExtend(place)}
      onDoubleClick={on.onEdit}
    >
      {shown ?? item.cells[place] ?? ''}
    </div>
  );
}

function Editor({
  item,
  column,
  place,
  edits,
  draft,
  onDraft,
  onCommit,
  onLeave,
  onCancel,
}: CellProps & { readonly draft: string }) {
  // Removing the input also fires blur, which must be ignored.
  const isEnded = useRef(false);
  const end = (action: () => void) => {
    isEnded.current = true;
    action();
  };
  const inFile = column.secret ? '' : item.cells[place];
  useLeaveWarning({ isUnsaved: draft !== (edits.cells.get(cellKey(item.line, place)) ?? inFile ?? '') });
  // Another screen is opened without a click, such as with the browser's Back: the text counts before this one goes.
  useEffect(() => {
    const leave = () => end(() => flushSync(onLeave));
    addEventListener('popstate', leave, { capture: true });
    return () => removeEventListener('popstate', leave, { capture: true });
  });
  return (
    <div role="gridcell" className="grid-cell editing" aria-colindex={place + 2}>
      <input
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to edit this cell
        autoFocus
        type={column.secret ? 'password' : 'text'}
        autoComplete="off"
        spellCheck={false}
        value={draft}
        list={column.name === null ? undefined : `values-${column.name}`}
        aria-label={`New value of ${column.header || columnLabel(column.name ?? '')}`}
        onChange={(event) => onDraft(event.target.value)}
        onBlur={() => isEnded.current || onLeave()}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Enter') end(() => onCommit(event.shiftKey ? -1 : 1, 0));
          else if (event.key === 'Tab') end(() => onCommit(0, event.shiftKey ? -1 : 1));
          else if (event.key === 'Escape') end(onCancel);
          else return;
          event.preventDefault();
        }}
      />
    </div>
  );
}
