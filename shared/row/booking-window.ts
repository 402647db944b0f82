// The days on which a port can be booked: the booking window of the target network, without weekends and holidays
// (spec gaps 9 and 11).
import {
  addDays,
  addWorkingDays,
  type CalendarDate,
  instantOf,
  isWeekend,
  weekday,
  workingDayNumber,
} from './calendar-date.ts';
import { invalid, type Parsed, valid } from './cell.ts';
import { error, type Finding } from './issue.ts';

/** Calendar days from today, both inclusive, and the days without ports (spec, Target Network). */
export interface BookingRules {
  readonly minPortDays: number;
  readonly maxPortDays: number;
  readonly holidays: ReadonlySet<CalendarDate> | readonly CalendarDate[];
}

export interface EarliestDate {
  readonly date: CalendarDate;
  /** "2026-07-02 is a Thursday, the first day with 2 days of notice from 2026-06-30". */
  readonly why: string;
}

/** How long a row waits until its date can be booked. A plan is kept longer (infra/settings.ts). */
export const longestScheduledDays = 30;

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The first day on which the network takes a booking for `date`. */
export const opensOn = (date: CalendarDate, { maxPortDays }: BookingRules): CalendarDate => addDays(date, -maxPortDays);

/**
 * Why `date` cannot be booked today; undefined if it can. `DATE_TOO_LATE`: it can on a later day. Every message names
 * the earliest day that can be booked.
 */
export function checkDate(date: CalendarDate, today: CalendarDate, rules: BookingRules): Finding | undefined {
  if (date < addDays(today, rules.minPortDays)) {
    const message = `${date} is too early: this network needs ${days(rules.minPortDays)} of notice`;
    return error('DATE_TOO_EARLY', message + advice(today, rules));
  }
  if (isWeekend(date)) {
    return error('DATE_NOT_WORKING_DAY', `${date} is a ${dayName(date)}, not a working day${advice(today, rules)}`);
  }
  if (includes(rules.holidays, date)) {
    return error('DATE_HOLIDAY', `${date} is a holiday of this network${advice(today, rules)}`);
  }
  if (opensOn(date, rules) > today) {
    const last = addDays(today, rules.maxPortDays);
    const message = `${date} is too late: this network takes bookings ${days(rules.maxPortDays)} ahead, up to ${last}`;
    return error('DATE_TOO_LATE', message + advice(today, rules));
  }
  return undefined;
}

/** The first day that can be booked today, with the reason. Invalid with `DATE_NONE_AVAILABLE` if there is none. */
export function earliestDate(today: CalendarDate, rules: BookingRules): Parsed<EarliestDate> {
  const first = addDays(today, rules.minPortDays);
  const last = addDays(today, rules.maxPortDays);
  const skipped: string[] = [];
  for (let date = first; date <= last; date = addDays(date, 1)) {
    const closed = whyClosed(date, rules);
    if (closed === undefined) return valid({ date, why: explain(date, today, rules, skipped) });
    skipped.push(`${date} (${closed})`);
  }
  const limits = `the first possible day is ${first} and the booking window ends on ${last}`;
  return invalid(error('DATE_NONE_AVAILABLE', `No working day can be booked: ${limits}`));
}

/** Each day that can be booked today, the earliest first. */
export function bookableDays(today: CalendarDate, rules: BookingRules): CalendarDate[] {
  const last = addDays(today, rules.maxPortDays);
  const found: CalendarDate[] = [];
  for (let date = addDays(today, rules.minPortDays); date <= last; date = addDays(date, 1)) {
    if (whyClosed(date, rules) === undefined) found.push(date);
  }
  return found;
}

// The days of a file with a limit of numbers a day, long after it was planned. All rows of a day move together by a
// whole number of cycles, so whenever each of them is sent, no two days become one: nothing has to be counted.

/** The fewest working days after which all days may repeat without any two of them meeting. */
export function cycleOf(days: Iterable<CalendarDate>): number {
  const places = [...new Set([...days].map(workingDayNumber))];
  const meet = (cycle: number): boolean => new Set(places.map((place) => place % cycle)).size < places.length;
  let cycle = Math.max(1, places.length);
  while (meet(cycle)) cycle += 1;
  return cycle;
}

/** The first day, a whole number of cycles after `day`, that is not closed. It may be beyond the booking window. */
export function dayInCycle(day: CalendarDate, cycle: number, today: CalendarDate, rules: BookingRules): CalendarDate {
  const first = addDays(today, rules.minPortDays);
  let date = day;
  while (date < first || whyClosed(date, rules) !== undefined) date = addWorkingDays(date, cycle);
  return date;
}

const whyClosed = (date: CalendarDate, { holidays }: BookingRules): string | undefined =>
  isWeekend(date) ? dayName(date) : includes(holidays, date) ? 'holiday' : undefined;

function explain(date: CalendarDate, today: CalendarDate, rules: BookingRules, skipped: readonly string[]): string {
  const notice = `${date} is a ${dayName(date)}, the first day with ${days(rules.minPortDays)} of notice from ${today}`;
  return skipped.length === 0 ? notice : `${notice}, skipping ${skipped.join(', ')}`;
}

function advice(today: CalendarDate, rules: BookingRules): string {
  const earliest = earliestDate(today, rules);
  return earliest.ok ? `. The earliest day is ${earliest.value.date}` : '. No day can be booked at present';
}

const includes = (holidays: BookingRules['holidays'], date: CalendarDate): boolean =>
  'has' in holidays ? holidays.has(date) : holidays.includes(date);

const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`);

const dayName = (date: CalendarDate): string => dayNames[weekday(date) - 1] ?? '';

// The cancellation deadline of a port. The service locks a port on the evening of the working day before its date
// (spec, States and transitions: "Locked: MSISDNs port the next working day"). Working days are Monday to Friday
// (spec, Terminology), but the holidays of a network are "non-working days" as well (spec, Target Network): counting
// holidays is never too late. The spec does not name the hour, so it is a setting.

/** The hour of the account's day from which the service may lock the ports of the next working day. */
export const usualLockingHour = 16;

/**
 * The last moment, in epoch milliseconds, at which a cancellation is certainly in time. `holidays` are the known
 * holidays of the target network (`YYYY-MM-DD`).
 */
export const cancellationDeadline = (
  connectionDate: CalendarDate,
  zone: string,
  lockingHour = usualLockingHour,
  holidays?: readonly string[],
): number => instantOf(workingDayBefore(connectionDate, holidays), lockingHour, zone);

/**
 * From when on the service may lock a port, in epoch milliseconds: from the deadline on, or, if the port was made or
 * moved after the deadline of its date, from then on.
 * @param madeAt at the latest: the call that made it, or the reading that showed it
 * @param earlier what the reading before said (ISO)
 */
export const mayLockFrom = (deadline: number, madeAt: number, earlier?: string): number =>
  deadline > madeAt || earlier === undefined ? Math.max(deadline, madeAt) : Math.min(Date.parse(earlier), madeAt);

/** The holidays that move the deadline of this date forward, the latest first; most dates have none. */
export function holidaysBefore(connectionDate: CalendarDate, holidays: readonly CalendarDate[]): CalendarDate[] {
  const found: CalendarDate[] = [];
  let date = addDays(connectionDate, -1);
  for (; isFree(date, holidays); date = addDays(date, -1)) if (holidays.includes(date)) found.push(date);
  return found;
}

function workingDayBefore(connectionDate: CalendarDate, holidays?: readonly string[]): CalendarDate {
  let date = addDays(connectionDate, -1);
  while (isFree(date, holidays)) date = addDays(date, -1);
  return date;
}

const isFree = (date: CalendarDate, holidays?: readonly string[]) => isWeekend(date) || holidays?.includes(date);

// A plan that waited too long has days that can no longer be booked: the approval books other ones, or none.

/** What happens to the rows of such a day. Rows with `auto` and rows with this day of their own may be in one group. */
export const afterPassedDays =
  'After the approval, numbers with the date "auto" are booked for the next possible day. ' +
  'Numbers with such a fixed date are declined.';

/** A group of requests, with what its first rows are sent with. */
interface PlannedGroup {
  readonly samples: readonly { readonly values: readonly { readonly name: string; readonly value: string }[] }[];
}
/** As the list of networks has it. */
type ListedNetwork = Readonly<Record<string, string>>;

/**
 * The days of the plan that are too near for their network, or over, the earliest first.
 * @param earliestOf the first day that is left, YYYY-MM-DD; undefined is a network that the list does not have
 */
export function passedDays(
  groups: readonly PlannedGroup[],
  networks: readonly ListedNetwork[],
  earliestOf: (network: ListedNetwork | undefined) => string,
): readonly string[] {
  const days = groups.flatMap(({ samples }) =>
    samples.flatMap(({ values }) => {
      const { connectionDate, targetNetwork, portType } = Object.fromEntries(
        values.map(({ name, value }) => [name, value]),
      );
      if (connectionDate === undefined) return [];
      const network = networks.find((one) => one.targetNetworkId === targetNetwork && one.portType === portType);
      return connectionDate < earliestOf(network) ? [connectionDate] : [];
    }),
  );
  return [...new Set(days)].sort();
}
