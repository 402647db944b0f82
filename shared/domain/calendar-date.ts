// Calendar days as text. A day has no time and no zone until it meets a clock, so it is never a `Date` (decision 8).
import { clip } from './clip.ts';
import { error } from './issue.ts';
import { accepted, type Parsed, refused } from './parsed.ts';
import { redactText } from './redact.ts';
import { asTimeZone, type TimeZone } from './time-zone.ts';

/** `YYYY-MM-DD`, a day that exists. Sorts and compares as text. */
export type CalendarDate = string & { readonly __brand: 'CalendarDate' };

const dayMs = 86_400_000;
const dayForm = /^(\d{4})-(\d{2})-(\d{2})$/;
const midnight = /T00:00(?::00(?:\.0+)?)?Z?$/i;
const otherOrder = /^(\d{1,4})[/.\- ](\d{1,2})[/.\- ](\d{1,4})$/;
const spreadsheetDay = /^[45]\d{4}$/;

/**
 * Reads a cell. Accepts `2026-07-01` and the same with a midnight time behind it.
 * Anything else is `DATE_SHAPE`; the message says how to write the day where only one reading is possible.
 */
export function parseCalendarDate(text: string): Parsed<CalendarDate> {
  const day = text.trim().replace(/^'/, '').replace(midnight, '');
  if (dayForm.test(day)) {
    return exists(day) ? accepted(day) : refused(error('DATE_SHAPE', `${day} is not a day of the calendar`));
  }
  return refused(error('DATE_SHAPE', `expected YYYY-MM-DD, such as 2026-07-01, got "${shown(text)}"${reading(day)}`));
}

/** The day of a date-time of the service: its first ten characters. Throws `RangeError` where they are no day. */
export function fromWireDate(text: string): CalendarDate {
  const day = text.slice(0, 10);
  if (!exists(day)) throw new RangeError(`expected a date-time beginning with YYYY-MM-DD, got "${shown(text)}"`);
  return day;
}

/** `YYYY-MM-DDT00:00:00`, as the service wants it (spec, Create Port). */
export const toWireDate = (date: CalendarDate): string => `${date}T00:00:00`;

export const addDays = (date: CalendarDate, days: number): CalendarDate => dayOf(utc(date) + days * dayMs);

/** The same day of the month before, or that month's last day where it has none (decision 13). */
export function oneMonthBefore(date: CalendarDate): CalendarDate {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month - 1, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month - 2, Math.min(day, lastDay)));
}

/** Whole days from `from` to `to`; negative where `to` is earlier. */
export const daysBetween = (from: CalendarDate, to: CalendarDate): number => Math.round((utc(to) - utc(from)) / dayMs);

/** 1 is Monday, 7 is Sunday. */
export const weekday = (date: CalendarDate): number => new Date(utc(date)).getUTCDay() || 7;

export const isWeekend = (date: CalendarDate): boolean => weekday(date) >= 6;

/** The day it is at `epochMs` on a wall calendar hanging in `zone`. */
export const dateInZone = (epochMs: number, zone: TimeZone | string): CalendarDate =>
  dayOf(epochMs + asTimeZone(zone).offsetAt(epochMs));

/** The instant, in epoch milliseconds, at which clocks in `zone` show `hour` o'clock on `date`. */
export function instantOf(date: CalendarDate, hour: number, zone: TimeZone | string): number {
  const { offsetAt } = asTimeZone(zone);
  const wanted = utc(date) + hour * 3_600_000;
  // The offset of the guess may lie on the other side of a clock change; the second look settles it.
  return wanted - offsetAt(wanted - offsetAt(wanted));
}

const utc = (date: CalendarDate): number => Date.parse(`${date}T00:00:00Z`);

const dayOf = (epochMs: number): CalendarDate => new Date(epochMs).toISOString().slice(0, 10) as CalendarDate;

function exists(day: string): day is CalendarDate {
  const epochMs = dayForm.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // Date.parse rolls 2026-02-30 over into March.
  return !Number.isNaN(epochMs) && dayOf(epochMs) === day;
}

/** What a message may repeat of a cell: in a file with shifted columns it may be a porting code (decision 44). */
const shown = (text: string): string => redactText(clip(text, 40)) + (text.length > 40 ? '…' : '');

/** ", write 2026-12-25" where the text can mean one day only, ", it may be … or …" where it can mean two. */
function reading(text: string): string {
  if (spreadsheetDay.test(text)) {
    const day = dayOf(Date.UTC(1899, 11, 30) + Number(text) * dayMs);
    return `, which is a spreadsheet's day number for ${day}: format the column as text and write ${day}`;
  }
  const days = readings(text);
  if (days.length === 1) return `: write ${days[0]}`;
  return days.length === 2 ? `, which may be ${days[0]} or ${days[1]}: write the one you mean` : '';
}

function readings(text: string): string[] {
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
