// A grid of rows as in a spreadsheet. Only the rows on the screen exist in the page, so 10,000 rows scroll smoothly.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { strings } from '../../strings.ts';
import { handleGridKey, handlePaste } from './grid-keys.ts';
import { GridRow } from './grid-row.tsx';
import type { RowState } from './row-states.ts';
import { type GridInput, useGrid } from './use-grid.ts';
import type { FileColumn } from './use-invalid-rows.ts';

const rowHeight = 40;

interface Props extends GridInput {
  readonly states: ReadonlyMap<number, RowState>;
}

export function Grid({ states, ...input }: Props) {
  const { rows, columns, edits } = input;
  const scroller = useRef<HTMLDivElement>(null);
  const { row, column, draft, setDraft, go, commands, hasFocus, commit, leave } = useGrid(input);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  useEffect(() => virtual.scrollToIndex(row), [virtual, row]);
  // The active cell has the focus once it is on the screen.
  useEffect(() => {
    if (!hasFocus.current || draft !== undefined) return;
    scroller.current?.querySelector<HTMLElement>(`[data-place="${row}/${column}"]`)?.focus();
  });

  return (
    <div className="grid-scroller" ref={scroller}>
      <div
        role="grid"
        className="grid"
        aria-label={strings.review.grid}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        tabIndex={rows.length === 0 ? 0 : -1}
        onKeyDown={(event) => draft === undefined && handleGridKey(event, commands)}
        onPaste={(event) => draft === undefined && handlePaste(event, commands)}
        onBlur={() => {
          hasFocus.current = false;
        }}
      >
        <GridHeader columns={columns} />
        <div role="rowgroup" className="grid-body" style={{ blockSize: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const item = rows[index];
            return (
              item && (
                <GridRow
                  key={item.line}
                  {...{ item, index, start, columns, edits }}
                  state={states.get(item.line)}
                  activeColumn={index === row ? column : undefined}
                  draft={index === row ? draft : undefined}
                  onActivate={(place) => go({ row: index, column: place })}
                  onDraft={setDraft}
                  onEdit={() => commands.edit()}
                  {...{ onCommit: commit, onLeave: leave, onCancel: () => go({ row, column }) }}
                />
              )
            );
          })}
        </div>
      </div>
    </div>
  );
}

const GridHeader = ({ columns }: { readonly columns: readonly FileColumn[] }) => (
  <div role="row" className="grid-row grid-header" aria-rowindex={1}>
    <div role="columnheader" className="grid-line" aria-colindex={1}>
      {strings.rows.columns.line}
    </div>
    {columns.map(({ header, name }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: columns never move
      <div role="columnheader" className="grid-cell" aria-colindex={index + 2} key={index} title={header}>
        {name ?? header}
      </div>
    ))}
  </div>
);
