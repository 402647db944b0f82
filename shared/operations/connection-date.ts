// The day of a port: given as a date, or `auto` for the earliest one that the target network takes (decisions 8 to 11).
import { type BookingRules, earliestDate, judgeDate } from '#shared/domain/booking-window.ts';
import { type CalendarDate, dateInZone, fromWireDate, parseCalendarDate } from '#shared/domain/calendar-date.ts';
import type { Finding } from '#shared/domain/issue.ts';
import type { TargetNetwork } from '#shared/porting/contract.ts';
import type { Cells, JudgeContext } from './operation.ts';
import { requiredCell, type ShapeReport } from './shape-report.ts';

export interface ConnectionDate {
  readonly date: CalendarDate;
  /** Whether the row left the choice to us: then a date that has passed is rolled forward. */
  readonly auto: boolean;
  /** Why this date, where we chose it. */
  readonly why?: string;
}

/** Farther ahead nobody books: a network that means "without limit" may say a number that no calendar holds. */
const farthestDays = 3_660;

/** When a target network can be booked. */
export const bookingRules = (target: TargetNetwork): BookingRules => ({
  minPortDays: withinReach(target.minPortDays),
  maxPortDays: withinReach(target.maxPortDays),
  holidays: new Set(holidaysOf(target)),
});

const withinReach = (days: number): number => Math.min(Math.max(days, -farthestDays), farthestDays);

/** The network's holidays, without those on a day that does not exist: they keep nobody from booking the others. */
export const holidaysOf = ({ upcomingHolidays }: TargetNetwork): CalendarDate[] =>
  upcomingHolidays.flatMap((holiday) => {
    try {
      return [fromWireDate(holiday)];
    } catch {
      return [];
    }
  });

/** The day it is in the account's zone (decision 9). */
export const todayOf = ({ calendar, settings }: Pick<JudgeContext, 'calendar' | 'settings'>): CalendarDate =>
  dateInZone(calendar(), settings.zone);

/** Judges the column `connectionDate`. Without a target only the date's shape can be judged. */
export function chooseDate(
  cells: Cells,
  target: TargetNetwork | undefined,
  today: CalendarDate,
  report: ShapeReport,
): ConnectionDate | undefined {
  const text = requiredCell(cells, 'connectionDate', report);
  if (text === undefined) return undefined;
  const auto = text.toLowerCase() === 'auto';
  const given = auto ? undefined : parseCalendarDate(text);
  if (given?.ok === false) report.add('connectionDate', given.finding);
  if (target === undefined || given?.ok === false) return undefined;
  const decided = decideDate(given?.value, target, today);
  if ('date' in decided) return decided;
  report.add('connectionDate', decided);
  return undefined;
}

/** The date to book on this day: the wished one where it can be booked, the earliest one where none is wished. */
export function decideDate(
  wished: CalendarDate | undefined,
  target: TargetNetwork,
  today: CalendarDate,
): ConnectionDate | Finding {
  const rules = bookingRules(target);
  if (wished !== undefined) return judgeDate(wished, today, rules) ?? { date: wished, auto: false };
  const earliest = earliestDate(today, rules);
  return earliest.ok ? { ...earliest.value, auto: true } : earliest.finding;
}
