// The days on which a network ports numbers, in the zone of an account.
import { addDays, type CalendarDate, dateInZone, instantOf, isWeekend, weekday } from '#shared/row/calendar-date.ts';

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

// Bank holidays of the United Kingdom (England and Wales) and of France, for any year. Dates are calendar text.

type Country = 'uk' | 'fr';

const text = (year: number, month: number, day: number): CalendarDate =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}` as CalendarDate;

/** Easter Sunday by the Gregorian computus (Meeus, Jones, Butcher). */
function easterSunday(year: number): CalendarDate {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const inCentury = year % 100;
  const skipped = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - skipped + 15) % 30;
  const weekdayShift = (32 + 2 * (century % 4) + 2 * Math.floor(inCentury / 4) - epact - (inCentury % 4)) % 7;
  const correction = Math.floor((golden + 11 * epact + 22 * weekdayShift) / 451);
  const days = epact + weekdayShift - 7 * correction + 114;
  return text(year, Math.floor(days / 31), (days % 31) + 1);
}

const firstMonday = (year: number, month: number): CalendarDate => {
  const first = text(year, month, 1);
  return addDays(first, (8 - weekday(first)) % 7);
};

const lastMonday = (year: number, month: number): CalendarDate => {
  const last = text(year, month, 31);
  return addDays(last, 1 - weekday(last));
};

/** A UK holiday on a weekend is kept on the next weekday which is not a holiday itself. */
function substituted(dates: readonly CalendarDate[]): CalendarDate[] {
  const kept: CalendarDate[] = [];
  for (const date of dates) {
    let day = date;
    while (isWeekend(day) || kept.includes(day)) day = addDays(day, 1);
    kept.push(day);
  }
  return kept;
}

const ukHolidays = (year: number): CalendarDate[] => [
  ...substituted([text(year, 1, 1)]),
  addDays(easterSunday(year), -2),
  addDays(easterSunday(year), 1),
  firstMonday(year, 5),
  lastMonday(year, 5),
  lastMonday(year, 8),
  ...substituted([text(year, 12, 25), text(year, 12, 26)]),
];

const frenchHolidays = (year: number): CalendarDate[] => [
  text(year, 1, 1),
  addDays(easterSunday(year), 1),
  text(year, 5, 1),
  text(year, 5, 8),
  addDays(easterSunday(year), 39),
  addDays(easterSunday(year), 50),
  text(year, 7, 14),
  text(year, 8, 15),
  text(year, 11, 1),
  text(year, 11, 11),
  text(year, 12, 25),
];

/** The bank holidays of a country in a year, as `YYYY-MM-DD`, in order. */
export const holidaysOf = (country: Country, year: number): CalendarDate[] =>
  (country === 'uk' ? ukHolidays(year) : frenchHolidays(year)).toSorted();
