// Repairs of cells that have only one meaning: texts for "nothing", and dates in other notations.
import { isPlaceholder } from '#shared/csv/column-values.ts';
import { type DateOrder, dateOfDayNumber, normalizeDate, normalizeDateTime } from '#shared/domain/dates/date-order.ts';
import { type Finding, notice } from '#shared/domain/imports/issue.ts';
import type { Column } from './operation.ts';

const isoDay = /^\d{4}-\d\d-\d\d$/;

/** `="0770"`, as programs write a text of which a spreadsheet is to keep the zeros. */
const textFormula = /^="([^"]*)"$/;

export interface RepairedCell {
  readonly text: string;
  readonly finding?: Finding;
}

/** undefined: the text stays as it is. @param order of the dates in this column */
export function repairCell(text: string, column: Column, order: DateOrder | undefined): RepairedCell | undefined {
  const { name, isDate, hasTime, isVerbatim } = column;
  if (text === '' || isVerbatim) return undefined;
  const formula = textFormula.exec(text)?.[1];
  if (formula !== undefined) return repairCell(formula, column, order) ?? { text: formula };
  if (isPlaceholder(text)) {
    return { text: '', finding: notice('CELL_PLACEHOLDER', `${name} is "${text}", which was read as empty`) };
  }
  if (!isDate || isoDay.test(text)) return undefined;
  const day = (hasTime ? normalizeDateTime(text, order) : undefined) ?? normalizeDate(text, order);
  if (day !== undefined) return { text: day };
  const counted = dateOfDayNumber(text);
  if (counted === undefined) return undefined;
  const message = `${name} is the day number ${text} of a spreadsheet, which was read as ${counted}`;
  return { text: counted, finding: notice('DATE_SERIAL_CONVERTED', message) };
}
