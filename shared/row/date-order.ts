// Dates as people write them: 13/12/2026, 08-Jul-2026, or the day number of a spreadsheet.
export const dateOrders = ['dmy', 'mdy', 'ymd'] as const;
/** The order of day, month and year. */
export type DateOrder = (typeof dateOrders)[number];

const threeNumbers = /^(\d{1,4})[/.\- ](\d{1,2})[/.\- ](\d{1,4})$/;
/** Not 2026-07-08: three numbers of which the first is no year. */
const mayNeedOrder = /(?<!\d)\d{1,2}[/.\- ]\d{1,2}[/.\- ]\d/;
const namedMonth = /^(\d{1,2})[ \-/.]([a-z]{3,9})\.?[ \-/.,]+(\d{2}|\d{4})$/i;
const monthFirst = /^([a-z]{3,9})\.? (\d{1,2}),? (\d{4})$/i;
const withoutSeparators = /^(20\d\d)(0[1-9]|1[0-2])(\d\d)$/;
const dayName = /^(?:(sun)|(mon)|(tue)s?|(wed)(?:nes)?|(thu)(?:rs?)?|(fri)|(sat)(?:ur)?)(?:day)?\.?,? +/i;
const ordinal = /(\d)(?:st|nd|rd|th)\b/i;
const months = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];
const midnight = /[T ](?:0{1,2}:00(?::00(?:\.0+)?)?|12:00(?::00)? AM)$/i;
const timeOfDay = /[T ](\d{1,2}:\d\d(?::\d\d(?:\.0+)?)?)Z?$/;
const dayNumber = /^([345]\d{4})(?:\.0+)?$/;
/** From 2009 to 2064: other numbers are not dates of this service. */
const [firstDay, lastDay] = [40_000, 59_999];
/** Days from the first day of most workbooks to that of those that start in 1904. */
const daysTo1904 = 1462;
const dayMs = 86_400_000;

/**
 * The day in the format YYYY-MM-DD; undefined where the text has another format, or its meaning depends on an order
 * that is not known. The day may not exist.
 */
export function normalizeDate(text: string, order: DateOrder | undefined): string | undefined {
  const written = text.replace(midnight, '').replace(ordinal, '$1');
  const named = dayName.exec(written);
  const day = named === null ? written : written.slice(named[0].length);
  const date = ofNamedMonth(day) ?? ofNumbers(day, order);
  return named && date && named[new Date(date).getUTCDay() + 1] === undefined ? undefined : date;
}

/** The same with the time of day behind it, as `YYYY-MM-DDTHH:mm`; undefined where the text has no time. */
export function normalizeDateTime(text: string, order: DateOrder | undefined): string | undefined {
  const time = timeOfDay.exec(text)?.[1];
  if (time === undefined) return undefined;
  const day = normalizeDate(text.replace(timeOfDay, ''), order);
  return day && `${day}T${time[1] === ':' ? `0${time}` : time}`;
}

function ofNamedMonth(text: string): string | undefined {
  const [, first = '', second = '', year] = namedMonth.exec(text) ?? monthFirst.exec(text) ?? [];
  const [day, name] = /\d/.test(first) ? [first, second] : [second, first];
  // `14 marraskuu` is in November: a name may be cut off, but has no other letters.
  const month = months.findIndex((full) => full.startsWith(name.toLowerCase())) + 1;
  return month === 0 || name === '' ? undefined : isoDate(year, String(month), day);
}

function ofNumbers(text: string, order: DateOrder | undefined): string | undefined {
  const [, one = '', two = '', three = ''] = threeNumbers.exec(text) ?? withoutSeparators.exec(text) ?? [];
  if (one.length === 4) return three.length <= 2 ? isoDate(one, two, three) : undefined;
  if (one.length > 2 || ![2, 4].includes(three.length)) return undefined;
  const meant = orderOf(text) ?? order;
  if (meant === 'ymd') return three.length === 2 ? isoDate(one, two, three) : undefined;
  return meant && (meant === 'dmy' ? isoDate(three, two, one) : isoDate(three, one, two));
}

/** The day that a spreadsheet stores as this number; undefined for other texts. */
export function dateOfDayNumber(text: string, firstYear: 1900 | 1904 = 1900): string | undefined {
  const found = dayNumber.exec(text)?.[1];
  if (found === undefined) return undefined;
  const days = Number(found) + (firstYear === 1904 ? daysTo1904 : 0);
  if (days < firstDay || days > lastDay) return undefined;
  return new Date(Date.UTC(1899, 11, 30) + days * dayMs).toISOString().slice(0, 10);
}

/** The order that the numbers themselves prove; undefined for 03/07/2026, which has two meanings, and other texts. */
function orderOf(day: string): DateOrder | undefined {
  const [, one = '', two = '', three = ''] = threeNumbers.exec(day) ?? [];
  if (three.length !== 4) return undefined;
  if (Number(one) > 12 && Number(two) <= 12) return 'dmy';
  if (Number(two) > 12 && Number(one) <= 12) return 'mdy';
  return one === two ? 'dmy' : undefined;
}

export interface Example {
  readonly line: number;
  readonly text: string;
}

/** Collects the order of day, month and year that the dates of one column prove. */
export class DateOrderEvidence {
  readonly proofs: Partial<Record<DateOrder, Example>> = {};
  /** The first date with two meanings. */
  ambiguous: Example | undefined;
  /** The first date like 27-06-28, of which either end may be the year. */
  ambiguousYear: Example | undefined;
  /** The column also has dates that need no order, such as 2026-07-08, so its dates were not all written in one way. */
  hasOtherDates = false;

  /** The first date cell whose day and month a spreadsheet program may have swapped when it read a text. */
  swappable: Example | undefined;

  /** @param isDateCell the cell of a workbook is a date, and no text */
  add(cell: string, line: number, isDateCell = false): void {
    const text = cell.trim().replace(midnight, '').replace(timeOfDay, '').replace(dayName, '');
    const [, month, day] = (isDateCell && /^\d{4}-(\d\d)-(\d\d)$/.exec(text)) || [];
    if (day !== undefined && day !== month && Number(day) <= 12) this.swappable ??= { line, text };
    const [, one = '', two = '', three = ''] = threeNumbers.exec(text) ?? [];
    if (one === '' || one.length > 2) {
      this.hasOtherDates ||= text.toLowerCase() === 'auto' || normalizeDate(text, undefined) !== undefined;
      return;
    }
    if (one === two && three.length === 4) return;
    const order = orderOf(text);
    if (mayBeYear(one) && mayBeYear(three) && Number(two) <= 12) this.ambiguousYear ??= { line, text };
    if (order !== undefined) this.proofs[order] ??= { line, text };
    else if (three.length === 2 || three.length === 4) this.ambiguous ??= { line, text };
  }

  /** undefined: no date needs an order, or none proves it. */
  get order(): DateOrder | undefined {
    const { dmy, mdy } = this.proofs;
    return dmy && mdy ? undefined : dmy ? 'dmy' : mdy ? 'mdy' : undefined;
  }

  /** The first date that cannot be in this order. */
  proofAgainst(given: DateOrder): Example | undefined {
    const { dmy, mdy } = this.proofs;
    if (given === 'ymd') return dmy && mdy;
    return given === 'dmy' ? mdy : dmy;
  }

  /**
   * Whether a date that is not among those added may change the order, or be read in another one.
   * @param given what the user named
   * @param isWorkbook date cells of other rows may have been swapped
   */
  isContradictedBy(cell: string, given: DateOrder | undefined, isWorkbook = false): boolean {
    if (!mayNeedOrder.test(cell)) return false;
    const added = new DateOrderEvidence();
    added.add(cell, 0);
    if (given !== undefined) {
      const isKnown = this.proofAgainst(given) !== undefined;
      return added.proofAgainst(given) !== undefined || (isKnown && added.ambiguous !== undefined);
    }
    const { order } = this;
    if (added.ambiguousYear !== undefined) return true;
    if (order === undefined) return added.ambiguous !== undefined || (isWorkbook && added.order !== undefined);
    return added.order !== undefined && added.order !== order;
  }

  /** More dates may answer which order is meant. */
  get isOpen(): boolean {
    return this.ambiguous !== undefined && this.proofs.dmy === undefined && this.proofs.mdy === undefined;
  }
}

/** As a year of two digits that can also be a day: 2020 to 2031. */
const mayBeYear = (text: string): boolean => /^(?:2\d|3[01])$/.test(text);

function isoDate(year = '', month = '', day = ''): string {
  return `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
