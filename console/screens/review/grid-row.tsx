// One row of the grid: its line, its state, its cells, and the editor of the active cell.

import Icon from '@cloudscape-design/components/icon';
import { useRef } from 'react';
import { columnLabel } from '#shared/text/wording.ts';
import type { ImportRow } from '../../api/types.ts';
import { strings } from '../../strings.ts';
import { cellKey, type Edits } from './edits.ts';
import { issueOfColumn, type RowState } from './row-states.ts';
import { isInRange, type Range } from './selection.ts';
import type { FileColumn } from './use-invalid-rows.ts';

interface Props {
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

const signs = { invalid: 'status-warning', checking: 'status-pending', fixed: 'status-positive' } as const;

export function GridRow(props: Props) {
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
        <span className="grid-sign" title={strings.review.progress[progress]}>
          <Icon name={signs[progress]} alt={strings.review.progress[progress]} />
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

type CellProps = Props & { readonly column: FileColumn; readonly place: number };

function Cell({ item, index, column, place, edits, state, activeColumn, selected, ...on }: CellProps) {
  const isSelected = selected !== undefined && isInRange(selected, index, place);
  const edited = edits.cells.get(cellKey(item.line, place));
  const issue = issueOfColumn(state, column);
  const shown = edited !== undefined && column.secret && edited !== '' ? strings.review.typed : edited;
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
  column,
  place,
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
        aria-label={strings.review.editor(column.header || columnLabel(column.name ?? ''))}
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
