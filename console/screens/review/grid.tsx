// A grid of rows as in a spreadsheet. Only the rows on the screen exist in the page, so 10,000 rows scroll smoothly.
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { ImportRow } from '../../api/types.ts';
import { strings } from '../../strings.ts';
import { cellKey, type Edits, parsePasted } from './edits.ts';
import { type GridCommands, handleGridKey, handlePaste, type Place } from './grid-keys.ts';
import { GridRow } from './grid-row.tsx';
import type { RowState } from './row-states.ts';
import type { FileColumn } from './use-invalid-rows.ts';

export const rowHeight = 40;

interface Props {
  readonly rows: readonly ImportRow[];
  readonly columns: readonly FileColumn[];
  readonly edits: Edits;
  readonly states: ReadonlyMap<number, RowState>;
  readonly onSet: (place: Place, values: readonly (readonly string[])[]) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onActive: (place: Place) => void;
}

export function Grid({ rows, columns, edits, states, onSet, onUndo, onRedo, onActive }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<Place>({ row: 0, column: 0 });
  /** The text in the editor; undefined while no cell is edited. */
  const [draft, setDraft] = useState<string>();
  const hasFocus = useRef(false);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const row = Math.min(active.row, Math.max(0, rows.length - 1));
  const column = Math.min(active.column, Math.max(0, columns.length - 1));

  const go = (place: Place) => {
    const next = { row: clamp(place.row, rows.length), column: clamp(place.column, columns.length) };
    hasFocus.current = true;
    setActive(next);
    setDraft(undefined);
    virtual.scrollToIndex(next.row);
    onActive(next);
  };
  const current = rows[row];
  const shownText = () => (current && (edits.cells.get(cellKey(current.line, column)) ?? current.cells[column])) ?? '';
  const isSecret = columns[column]?.secret ?? false;
  const isEditable = columns[column]?.name !== null;
  const commands: GridCommands = {
    move: (down, right) => go({ row: row + down, column: column + right }),
    moveTo: (place) => go({ row, column, ...place }),
    // What is in a secret cell of the file is not known here.
    edit: (text) => isEditable && setDraft(text ?? (isSecret ? '' : shownText())),
    clear: () => onSet({ row, column }, [['']]),
    undo: onUndo,
    redo: onRedo,
    paste: (text) => onSet({ row, column }, parsePasted(text)),
  };
  const commit = (down: number, right: number) => {
    if (draft !== undefined) onSet({ row, column }, [[draft.trim()]]);
    go({ row: row + down, column: column + right });
  };

  /** The person has clicked elsewhere: the text counts, and the focus stays where it went. */
  const leave = () => {
    if (draft !== undefined) onSet({ row, column }, [[draft.trim()]]);
    setDraft(undefined);
  };

  // The active cell has the focus once it is on the screen.
  useEffect(() => {
    if (!hasFocus.current || draft !== undefined) return;
    scroller.current?.querySelector<HTMLElement>(`[data-place="${row}/${column}"]`)?.focus({ preventScroll: false });
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
                  onCommit={commit}
                  onLeave={leave}
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

const clamp = (value: number, count: number): number => Math.max(0, Math.min(value, count - 1));

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
