// On which days a port can be booked: the window of the target network, working days, holidays (decisions 9 and 11).
import { addDays, type CalendarDate, isWeekend, weekday } from './calendar-date.ts';
import { error, type Finding } from './issue.ts';
import { accepted, type Parsed, refused } from './parsed.ts';

/** Calendar days from today, both ends inclusive, and the days on which nothing ports (spec, Target Network). */
export interface BookingRules {
  readonly minPortDays: number;
  readonly maxPortDays: number;
  readonly holidays: ReadonlySet<CalendarDate> | readonly CalendarDate[];
}

export interface EarliestDate {
  readonly date: CalendarDate;
  /** One sentence a customer can follow: "Thursday 2 July 2026: 2 days' notice gives …". */
  readonly why: string;
}

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Why `date` cannot be booked today, or undefined where it can. Every message names the earliest day that can. */
export function judgeDate(date: CalendarDate, today: CalendarDate, rules: BookingRules): Finding | undefined {
  const first = addDays(today, rules.minPortDays);
  const last = addDays(today, rules.maxPortDays);
  if (date < first) {
    const notice = `${date} is too early: this network needs ${days(rules.minPortDays)} of notice`;
    return error('DATE_TOO_EARLY', notice + advice(today, rules));
  }
  if (date > last) {
    const limit = `${date} is too late: this network books ${days(rules.maxPortDays)} ahead, up to ${last}`;
    return error('DATE_TOO_LATE', limit + advice(today, rules));
  }
  if (isWeekend(date)) {
    return error('DATE_NOT_WORKING_DAY', `${date} is a ${dayName(date)}${advice(today, rules)}`);
  }
  if (includes(rules.holidays, date)) {
    return error('DATE_HOLIDAY', `${date} is a holiday of this network${advice(today, rules)}`);
  }
  return undefined;
}

/**
 * The first day that can be booked today, and why it is that one. `notAfter` is the last useful day, for instance the
 * one on which a PAC expires. `DATE_NONE_AVAILABLE` where no day is left.
 */
export function earliestDate(today: CalendarDate, rules: BookingRules, notAfter?: CalendarDate): Parsed<EarliestDate> {
  const first = addDays(today, rules.minPortDays);
  const windowEnd = addDays(today, rules.maxPortDays);
  const last = notAfter !== undefined && notAfter < windowEnd ? notAfter : windowEnd;
  const skipped: string[] = [];
  for (let date = first; date <= last; date = addDays(date, 1)) {
    const obstacle = isWeekend(date) ? dayName(date) : includes(rules.holidays, date) ? 'holiday' : undefined;
    if (obstacle === undefined) return accepted({ date, why: explain(date, today, rules, skipped) });
    skipped.push(`${date} (${obstacle})`);
  }
  const limit = last === windowEnd ? `the booking window ends on ${last}` : `it must not be after ${last}`;
  return refused(
    error('DATE_NONE_AVAILABLE', `no working day can be booked: the first day allowed is ${first} and ${limit}`),
  );
}

function explain(date: CalendarDate, today: CalendarDate, rules: BookingRules, skipped: readonly string[]): string {
  const notice = `${date} is a ${dayName(date)}, the first day with ${days(rules.minPortDays)} of notice from ${today}`;
  return skipped.length === 0 ? notice : `${notice}, passing over ${skipped.join(', ')}`;
}

function advice(today: CalendarDate, rules: BookingRules): string {
  const earliest = earliestDate(today, rules);
  return earliest.ok ? `; the earliest day is ${earliest.value.date}` : '; no day can be booked at present';
}

const includes = (holidays: BookingRules['holidays'], date: CalendarDate): boolean =>
  'has' in holidays ? holidays.has(date) : holidays.includes(date);

const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`);

const dayName = (date: CalendarDate): string => dayNames[weekday(date) - 1] ?? '';
