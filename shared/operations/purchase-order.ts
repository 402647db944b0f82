// Purchase order numbers: `;` separates them in a file, `,` on the wire (decision 37; spec, Limits).
import { error } from '#shared/domain/issue.ts';
import { column } from './column.ts';
import type { Cells } from './operation.ts';
import { freeText, listCell, type ShapeReport } from './shape-report.ts';

const mostValues = 5;
const longestJoined = 100;

export const purchaseOrderColumn = column('purchaseOrderNumber', {
  aliases: ['purchase order', 'purchase order numbers', 'po number'],
  repeats: true,
  help: 'Your purchase orders, separated by semicolons: at most 5, and 100 characters together.',
  example: 'PO-4711;PO-4712',
});

/** As the call takes them. undefined: there are none, or they were reported. */
export function readPurchaseOrders(cells: Cells, report: ShapeReport): string | undefined {
  const values = listCell(cells('purchaseOrderNumber'));
  if (values.length === 0) return undefined;
  const refuse = (message: string): undefined => {
    report.add('purchaseOrderNumber', error('PURCHASE_ORDER_SHAPE', message));
  };
  const split = values.find((value) => value.includes(','));
  if (split !== undefined) return refuse(`"${split}" has a comma in it: separate purchase orders by semicolons`);
  if (values.length > mostValues) return refuse(`there are ${values.length} purchase orders; at most ${mostValues}`);
  return freeText('purchaseOrderNumber', values.join(','), longestJoined, report);
}
