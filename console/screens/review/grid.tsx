// A grid of rows as in a spreadsheet. Only the rows on the screen exist in the page, so 10,000 rows scroll smoothly.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { strings } from '../../strings.ts';
import { GridHeader, type HeaderProps } from './grid-header.tsx';
import { handleCopy, handleGridKey, handlePaste } from './grid-keys.ts';
import { GridRow } from './grid-row.tsx';
import type { RowState } from './row-states.ts';
import { type GridInput, useGrid } from './use-grid.ts';

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
        aria-label={strings.review.grid}
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
