// Repairs of cells that have only one meaning: texts for "nothing", and dates in other notations.
import { isPlaceholder } from '#shared/csv/column-values.ts';
import { unguardFormula, writtenText } from '#shared/files/csv/csv-row.ts';
import type { Column } from '#shared/operations/operation.ts';
import { dateInZone } from '#shared/row/calendar-date.ts';
import { type DateOrder, dateOfDayNumber, normalizeDate, normalizeDateTime } from '#shared/row/date-order.ts';
import { error, type Finding, notice } from '#shared/row/issue.ts';

const isoDay = /^\d{4}-\d\d-\d\d$/;
/** A point in time; midnight is a day in any zone. */
const isoInstant = /^\d{4}-\d\d-\d\dT(?!00:00(?::00(?:\.0+)?)?Z)\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/i;
const localTime = /^(\d{4}-\d\d-\d\d)[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
/** What a spreadsheet shows where a formula failed: what it should be is not known, so it is no empty cell. */
const failedFormula = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|NV|WERT!|BEZUG!)$/i;

export interface RepairedCell {
  readonly text: string;
  readonly finding?: Finding;
}

/** How the cells of a file are read, as far as its header and its rows decide it. */
export interface CellReading {
  /** Of the dates in the column. */
  readonly order?: DateOrder | undefined;
  /** A workbook counts the days of its dates from 1904 on. */
  readonly startsIn1904?: boolean | undefined;
  /** Of the account: the day of a point in time. */
  readonly zone?: string | undefined;
}

/** The one reader of a cell, for all who need its value and report nothing about it. */
export function readCell(raw: string, column: RepairableColumn, reading: CellReading = {}): string {
  const text = column.isVerbatim ? unguardFormula(raw.trim()) : writtenText(raw);
  return repairCell(text, column, reading)?.text ?? text;
}

export type RepairableColumn = Pick<Column, 'name' | 'isDate' | 'hasTime' | 'isVerbatim'>;

/** undefined: the text stays as it is. */
export function repairCell(text: string, column: RepairableColumn, reading: CellReading): RepairedCell | undefined {
  const { name, isVerbatim } = column;
  if (text === '' || isVerbatim) return undefined;
  if (text.startsWith('#') && failedFormula.test(text)) {
    const message = `${name} is "${text}": a formula failed. Enter the value, or empty the cell`;
    return { text: '', finding: error('CELL_NOT_ALLOWED', message) };
  }
  if (isPlaceholder(text)) {
    return { text: '', finding: notice('CELL_PLACEHOLDER', `${name} is "${text}", which was read as empty`) };
  }
  return column.isDate && !isoDay.test(text) ? repairDate(text, column, reading) : undefined;
}

function repairDate(text: string, { name, hasTime }: RepairableColumn, reading: CellReading): RepairedCell | undefined {
  const { order, startsIn1904 = false, zone } = reading;
  const day = (hasTime ? normalizeDateTime(text, order) : undefined) ?? normalizeDate(text, order);
  if (day !== undefined) return { text: day };
  if (!hasTime) {
    const local = localTime.exec(text)?.[1];
    if (local !== undefined) return { text: local };
    if (zone !== undefined && isoInstant.test(text) && Number.isFinite(Date.parse(text))) {
      const inZone = dateInZone(Date.parse(text), zone);
      const message = `${name} is ${text}, which was read as ${inZone}, the day in ${zone}`;
      return { text: inZone, finding: notice('DATE_SERIAL_CONVERTED', message) };
    }
  }
  const counted = dateOfDayNumber(text, startsIn1904 ? 1904 : 1900);
  if (counted === undefined) return undefined;
  const message = `${name} is the day number ${text} of a spreadsheet, which was read as ${counted}`;
  return { text: counted, finding: notice('DATE_SERIAL_CONVERTED', message) };
}
