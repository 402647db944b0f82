// The names of the columns, which sort the grid, and a field for each to filter it.

import Icon from '@cloudscape-design/components/icon';
import { columnLabel } from '#shared/text/wording.ts';
import { strings } from '../../strings.ts';
import type { Filters, Order } from './selection.ts';
import type { FileColumn } from './use-invalid-rows.ts';

export interface HeaderProps {
  readonly columns: readonly FileColumn[];
  readonly order: Order | undefined;
  readonly onOrder: (order: Order | undefined) => void;
  /** undefined: the fields are hidden. */
  readonly filters: Filters | undefined;
  readonly onFilters: (filters: Filters) => void;
}

const icons = { ascending: 'caret-up-filled', descending: 'caret-down-filled' } as const;

export function GridHeader({ columns, order, onOrder, filters, onFilters }: HeaderProps) {
  const texts = strings.review;
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
        {strings.rows.columns.line}
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
              title={texts.sort(label)}
              onClick={() => onOrder(next(index, direction))}
            >
              <span className="grid-label">
                {label} {direction !== undefined && <Icon name={icons[direction]} size="small" />}
              </span>
              {name !== null && <span className="quiet">{header === '' ? texts.notInFile : header}</span>}
            </button>
            {filters !== undefined && !column.secret && (
              <input
                type="search"
                className="grid-filter"
                aria-label={texts.filterOf(label)}
                placeholder={texts.filter}
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
