// The port date: a given day, or `auto` for the earliest day that the target network offers (spec gaps 8 to 11).

import type { ValidationContext } from '#shared/operations/operation.ts';
import {
  type BookingRules,
  bookableDays,
  checkDate,
  dayInCycle,
  earliestDate,
  longestScheduledDays,
  opensOn,
} from '#shared/row/booking-window.ts';
import { addDays, type CalendarDate, dateInZone, fromWireDate, parseCalendarDate } from '#shared/row/calendar-date.ts';
import { error, type Finding, notice } from '#shared/row/issue.ts';
import type { TargetNetwork } from '#shared/service/contract.ts';
import type { CellReader } from './cell-reader.ts';

export interface ConnectionDate {
  readonly date: CalendarDate;
  /** The row had `auto`: if the date has passed by the time of submission, a later one is chosen. */
  readonly auto: boolean;
  /** Why this date was chosen for `auto`. */
  readonly why?: string;
  /** The first day on which it can be booked. @default today */
  readonly sendOn?: CalendarDate;
}

/** A network without a limit may answer with a number of days that no calendar covers. */
const mostDays = 3_660;

export const bookingRules = (target: TargetNetwork): BookingRules => ({
  minPortDays: limited(target.minPortDays),
  maxPortDays: limited(target.maxPortDays),
  holidays: new Set(holidaysOf(target)),
});

const limited = (days: number): number => Math.min(Math.max(days, -mostDays), mostDays);

/** The holidays of the network; dates that do not exist are ignored. */
export const holidaysOf = ({ upcomingHolidays }: TargetNetwork): CalendarDate[] =>
  upcomingHolidays.flatMap((holiday) => {
    try {
      return [fromWireDate(holiday)];
    } catch {
      return [];
    }
  });

/** Today in the account's zone (spec gap 9). */
export const todayOf = ({ calendar, settings }: Omit<ValidationContext, 'catalogue'>): CalendarDate =>
  dateInZone(calendar(), settings.zone);

/** Reads the column `connectionDate`. */
export function chooseDate(target: TargetNetwork, today: CalendarDate, cells: CellReader): ConnectionDate | undefined {
  const text = cells.required('connectionDate');
  if (text === undefined) return undefined;
  const isAuto = text.toLowerCase() === 'auto';
  const date = isAuto ? undefined : cells.accept('connectionDate', parseCalendarDate(text));
  if (date === undefined && !isAuto) return undefined;
  const chosen = bookOrSchedule(date ?? 'auto', target, today);
  if ('code' in chosen) return cells.report('connectionDate', chosen);
  const { sendOn } = chosen;
  if (sendOn !== undefined) {
    const message = `${date} can be booked from ${sendOn} on: the row is sent on that day`;
    cells.report('connectionDate', notice('DATE_SCHEDULED', message));
  }
  return chosen;
}

/** As `bookDate`, but a day beyond the booking window is booked once the network takes it. */
export function bookOrSchedule(
  requested: CalendarDate | 'auto',
  target: TargetNetwork,
  today: CalendarDate,
): ConnectionDate | Finding {
  const booked = bookDate(requested, target, today);
  if (requested === 'auto' || 'date' in booked || booked.code !== 'DATE_TOO_LATE') return booked;
  return schedule({ date: requested, auto: false }, target, today);
}

/** Waits until a day beyond the booking window can be booked. */
function schedule(chosen: ConnectionDate, target: TargetNetwork, today: CalendarDate): ConnectionDate | Finding {
  const sendOn = opensOn(chosen.date, bookingRules(target));
  if (sendOn <= addDays(today, longestScheduledDays)) return { ...chosen, sendOn };
  const limit = `and a row waits ${longestScheduledDays} days at most`;
  const message = `${chosen.date} is too late: it can be booked from ${sendOn} on, ${limit}. Import the row later`;
  return error('DATE_TOO_LATE', message);
}

/** The days of a file with a limit of numbers a day. */
export interface Cycle {
  /** The day that planning chose for the rows. */
  readonly day: CalendarDate;
  /** After how many working days all days of the file repeat. */
  readonly length: number;
}

/** For `auto`, where the day that planning chose has passed: the first later one that the limit leaves to its rows. */
export function bookInCycle(
  { day, length }: Cycle,
  target: TargetNetwork,
  today: CalendarDate,
): ConnectionDate | Finding {
  const rules = bookingRules(target);
  const date = dayInCycle(day, length, today, rules);
  const why = `${date} is the first day that the limit of numbers a day leaves to these rows`;
  const chosen = { date, auto: true, why };
  return opensOn(date, rules) <= today ? chosen : schedule(chosen, target, today);
}

/** The date to book today: the requested date if it can be booked, or the earliest one for `auto`. */
export function bookDate(
  requested: CalendarDate | 'auto',
  target: TargetNetwork,
  today: CalendarDate,
): ConnectionDate | Finding {
  if (requested !== 'auto') {
    return checkDate(requested, today, bookingRules(target)) ?? { date: requested, auto: false };
  }
  return bookEarliest(target, today);
}

/** Remembers the answer of each network for the day, which is the same in each row of a file. */
function onceADay<Answer>(answerOf: (target: TargetNetwork, today: CalendarDate) => Answer) {
  const answers = new WeakMap<TargetNetwork, { readonly today: CalendarDate; readonly answer: Answer }>();
  return (target: TargetNetwork, today: CalendarDate): Answer => {
    const known = answers.get(target);
    if (known?.today === today) return known.answer;
    const answer = answerOf(target, today);
    answers.set(target, { today, answer });
    return answer;
  };
}

const bookEarliest = onceADay((target, today): ConnectionDate | Finding => {
  const earliest = earliestDate(today, bookingRules(target));
  return earliest.ok ? { ...earliest.value, auto: true } : earliest.finding;
});

/** Each day on which the network takes a port that is booked today. */
export const daysOf = onceADay((target, today): readonly CalendarDate[] => bookableDays(today, bookingRules(target)));
