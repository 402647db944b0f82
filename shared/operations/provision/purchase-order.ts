// Purchase order numbers: separated by `;` in a file and by `,` in the call (spec gap 37; spec, Limits).
import type { CellReader } from '../kit/cell-reader.ts';
import { repeatingColumn } from '../kit/column.ts';

const mostValues = 5;
const longestJoined = 100;
const columnName = 'purchaseOrderNumber';

export const purchaseOrderColumn = repeatingColumn(columnName, {
  aliases: ['purchase order', 'purchase order numbers', 'po number', 'po'],
  help: 'Your purchase orders, separated by semicolons: at most 5, and at most 100 characters in total.',
  example: 'PO-4711;PO-4712',
});

/** As the call takes them. */
export function readPurchaseOrders(cells: CellReader): string | undefined {
  const values = cells.list(columnName);
  if (values.length === 0) return undefined;
  const withComma = values.find((value) => value.includes(','));
  if (withComma !== undefined) {
    const message = `"${withComma}" contains a comma. Separate purchase orders with semicolons`;
    cells.error(columnName, 'PURCHASE_ORDER_SHAPE', message);
  }
  if (values.length > mostValues) {
    const message = `There are ${values.length} purchase orders. Use at most ${mostValues}`;
    cells.error(columnName, 'PURCHASE_ORDER_SHAPE', message);
  }
  return cells.freeText(columnName, longestJoined, values.join(','));
}
