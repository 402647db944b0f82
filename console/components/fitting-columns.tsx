// The columns of a table, one below the other where the window is narrow: nobody scrolls sideways to read a row.
import { type ReactNode, useSyncExternalStore } from 'react';

interface Column<Item> {
  readonly id: string;
  readonly header: string;
  readonly cell: (item: Item) => ReactNode;
  readonly isRowHeader?: boolean;
  readonly minWidth?: number;
}

/** As in styles/screens.css. */
const narrow = matchMedia('(max-width: 600px)');
const isNarrow = () => narrow.matches;

function onChange(changed: () => void) {
  narrow.addEventListener('change', changed);
  return () => narrow.removeEventListener('change', changed);
}

/** The first column has the others below it where they do not fit: it is then no header of a row. */
export function useFittingColumns<Item>(columns: readonly Column<Item>[]): readonly Column<Item>[] {
  const [first, ...others] = columns;
  if (!useSyncExternalStore(onChange, isNarrow) || first === undefined) return columns;
  const { id, header, cell } = first;
  return [{ id, header, cell: (item) => <Stack title={cell(item)} item={item} columns={others} /> }];
}

interface StackProps<Item> {
  readonly title: ReactNode;
  readonly item: Item;
  readonly columns: readonly Column<Item>[];
}

const Stack = <Item,>({ title, item, columns }: StackProps<Item>) => (
  <div className="cell-text">
    {title}
    {columns.map(({ id, header, cell }) => (
      <div key={id} className="stacked-cell">
        <span className="quiet">{header}</span>
        <div>{cell(item)}</div>
      </div>
    ))}
  </div>
);
