// Calendar days as text. A day has neither time nor zone, so it is never a `Date` (spec gap 8).
import { truncate } from '#shared/text/wording.ts';
import { hasForm, invalid, numberAt, type Parsed, valid } from './cell.ts';
import { error } from './issue.ts';
import { redactText } from './redact.ts';

/** `YYYY-MM-DD`, a day that exists. Sorts and compares as text. */
export type CalendarDate = string & { readonly __brand: 'CalendarDate' };

const dayMs = 86_400_000;
/** From 1 March of the year 0 on. */
const daysTo1970 = 719_468;
const dayForm = '9999-99-99';
const midnight = /T00:00(?::00(?:\.0+)?)?Z?$/i;
const otherOrder = /^(\d{1,4})[/.\- ](\d{1,2})[/.\- ](\d{1,4})$/;
const spreadsheetDay = /^[45]\d{4}$/;

/**
 * Reads a cell such as `2026-07-01`, also with a midnight time. Anything else is invalid with `DATE_SHAPE`; the message
 * suggests the day where the text has only one or two meanings.
 */
export function parseCalendarDate(text: string): Parsed<CalendarDate> {
  if (exists(text)) return valid(text);
  const day = text.trim().replace(/^'/, '').replace(midnight, '');
  if (exists(day)) return valid(day);
  if (isDayForm(day)) return invalid(error('DATE_SHAPE', `${day} does not exist in the calendar`));
  return invalid(error('DATE_SHAPE', `"${shown(text)}" is not in the format YYYY-MM-DD${suggestion(day)}`));
}

/** The day of a date-time of the service: its first ten characters. @throws RangeError where they are not a day */
export function fromWireDate(text: string): CalendarDate {
  const day = text.slice(0, 10);
  if (!exists(day)) throw new RangeError(`expected a date-time that starts with YYYY-MM-DD, got "${shown(text)}"`);
  return day;
}

/** `YYYY-MM-DDT00:00:00`, the format of the service (spec, Create Port). */
export const toWireDate = (date: CalendarDate): string => `${date}T00:00:00`;

export const addDays = (date: CalendarDate, days: number): CalendarDate => dayOf(utc(date) + days * dayMs);

/** The same day of the month before, or the last day of that month (spec gap 13). */
export function oneMonthBefore(date: CalendarDate): CalendarDate {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return dayOf(Date.UTC(year, month - 2, Math.min(day, lastDate(year, month - 1))));
}

/** Whole days from `from` to `to`; negative where `to` is earlier. */
export const daysBetween = (from: CalendarDate, to: CalendarDate): number => dayNumber(to) - dayNumber(from);

/** The place of a day among the working days, Monday to Friday. A day of a weekend has that of the Friday before. */
export function workingDayNumber(date: CalendarDate): number {
  // 1969-12-29, three days before 1970-01-01, is a Monday.
  const days = dayNumber(date) + 3;
  return Math.floor(days / 7) * 5 + Math.min(((days % 7) + 7) % 7, 4);
}

/** @param days at least 0 */
export function addWorkingDays(date: CalendarDate, days: number): CalendarDate {
  const place = workingDayNumber(date) + days;
  return dayOf((Math.floor(place / 5) * 7 + (((place % 5) + 5) % 5) - 3) * dayMs);
}

/** 1 is Monday, 7 is Sunday. */
export const weekday = (date: CalendarDate): number => new Date(utc(date)).getUTCDay() || 7;

export const isWeekend = (date: CalendarDate): boolean => weekday(date) >= 6;

/** The day in `zone` at `epochMs`. */
export const dateInZone = (epochMs: number, zone: string): CalendarDate => dayOf(epochMs + utcOffset(zone, epochMs));

/** Epoch milliseconds at which it is `hour` o'clock in `zone` on `date`. */
export function instantOf(date: CalendarDate, hour: number, zone: string): number {
  const wanted = utc(date) + hour * 3_600_000;
  // The first guess may be on the other side of a clock change: its offset corrects it.
  return wanted - utcOffset(zone, wanted - utcOffset(zone, wanted));
}

const utc = (date: CalendarDate): number => dayNumber(date) * dayMs;

const dayOf = (epochMs: number): CalendarDate => new Date(epochMs).toISOString().slice(0, 10) as CalendarDate;

/** Whether a text is written `YYYY-MM-DD`; the day may not exist. */
export const isDayForm = (text: string): boolean => hasForm(text, dayForm);

function exists(text: string): text is CalendarDate {
  if (!isDayForm(text)) return false;
  const month = numberAt(text, 5, 2);
  const date = numberAt(text, 8, 2);
  if (month < 1 || month > 12 || date < 1) return false;
  return date <= 28 || date <= lastDate(numberAt(text, 0, 4), month);
}

/** Days since 1970-01-01. A year that begins in March has its leap day at its end. */
function dayNumber(date: CalendarDate): number {
  const month = numberAt(date, 5, 2);
  const year = numberAt(date, 0, 4) - (month > 2 ? 0 : 1);
  const leapDays = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + numberAt(date, 8, 2) - 1;
  return year * 365 + leapDays + dayOfYear - daysTo1970;
}

/** Month 0 is December of the year before. */
const lastDate = (year: number, month: number): number => {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  if (month === 2) return isLeap ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
};

/** The part of a cell that a message may quote: in a file with shifted columns it may be a PAC (spec gap 44). */
const shown = (text: string): string => redactText(truncate(text, 40)) + (text.length > 40 ? '…' : '');

/** How to write the day, where the text can mean only one or two days. */
function suggestion(text: string): string {
  if (spreadsheetDay.test(text)) {
    const day = dayOf(Date.UTC(1899, 11, 30) + Number(text) * dayMs);
    return `. It is the day number of a spreadsheet for ${day}: format the column as Text and write ${day}`;
  }
  const days = possibleDays(/^(\d{4}-\d\d-\d\d)[T ]\d\d:/.exec(text)?.[1] ?? text);
  if (days.length === 1) return `. Write ${days[0]}`;
  return days.length === 2 ? `. Write ${days[0]} or ${days[1]}, whichever you mean` : ', for example 2026-07-01';
}

function possibleDays(text: string): string[] {
  const [, first = '', middle = '', last = ''] = otherOrder.exec(text) ?? [];
  const orders =
    first.length === 4
      ? [[first, middle, last]]
      : last.length === 4
        ? [
            [last, middle, first],
            [last, first, middle],
          ]
        : [];
  const days = orders.map(
    ([year, month = '', day = '']) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
  );
  return [...new Set(days)].filter(exists);
}

// The UTC offset of a time zone.

/** Creating one is slow, and an offset is needed for every row and every reading. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Writes times as `2026-07-01 18:00:00`, in a third of the time that `formatToParts` takes. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(zone, format);
  return format;
}

/**
 * Milliseconds by which the zone (IANA name: `Europe/London`) is ahead of UTC at `epochMs`.
 * @throws RangeError for a zone that the platform does not know
 */
export function utcOffset(zone: string, epochMs: number): number {
  const local = Date.parse(`${formatOf(zone).format(epochMs).replace(' ', 'T')}Z`);
  return local - Math.floor(epochMs / 1000) * 1000;
}
