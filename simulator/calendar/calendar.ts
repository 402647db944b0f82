// The days on which a network ports numbers, in the zone of an account.
import { addDays, type CalendarDate, dateInZone, instantOf, isWeekend } from '#shared/row/calendar-date.ts';
import { type Country, holidaysOf } from './holidays.ts';

const lockHour = 18;
const portHour = 8;

/** The days and hours that the lifecycle of a port depends on. All times are epoch milliseconds. */
export interface Calendar {
  today(now: number): CalendarDate;
  isWorkingDay(date: CalendarDate): boolean;
  isHoliday(date: CalendarDate): boolean;
  /** The holidays from `first` to `last`, in order. */
  holidaysBetween(first: CalendarDate, last: CalendarDate): CalendarDate[];
  /** The evening of the working day before the connection date: from then on nothing can be cancelled. */
  lockAt(connectionDate: CalendarDate): number;
  /** The morning on which the numbers move: the connection date, or the next working day after a late lock. */
  portAt(connectionDate: CalendarDate, lockedAt: number): number;
}

const yearOf = (date: CalendarDate): number => Number(date.slice(0, 4));

export function createCalendar(country: Country, zone: string): Calendar {
  const holidaysByYear = new Map<number, ReadonlySet<CalendarDate>>();
  const holidaysIn = (year: number): ReadonlySet<CalendarDate> => {
    const known = holidaysByYear.get(year) ?? new Set(holidaysOf(country, year));
    holidaysByYear.set(year, known);
    return known;
  };
  const isHoliday = (date: CalendarDate): boolean => holidaysIn(yearOf(date)).has(date);
  const holidaysBetween = (first: CalendarDate, last: CalendarDate): CalendarDate[] => {
    const found: CalendarDate[] = [];
    for (let year = yearOf(first); year <= yearOf(last); year += 1) {
      for (const date of holidaysIn(year)) if (date >= first && date <= last) found.push(date);
    }
    return found;
  };
  const isWorkingDay = (date: CalendarDate): boolean => !isWeekend(date) && !isHoliday(date);
  const workingDay = (from: CalendarDate, step: 1 | -1): CalendarDate => {
    let date = addDays(from, step);
    while (!isWorkingDay(date)) date = addDays(date, step);
    return date;
  };
  return {
    today: (now) => dateInZone(now, zone),
    isHoliday,
    holidaysBetween,
    isWorkingDay,
    lockAt: (connectionDate) => instantOf(workingDay(connectionDate, -1), lockHour, zone),
    portAt(connectionDate, lockedAt) {
      const soonest = workingDay(dateInZone(lockedAt, zone), 1);
      return instantOf(soonest > connectionDate ? soonest : connectionDate, portHour, zone);
    },
  };
}
