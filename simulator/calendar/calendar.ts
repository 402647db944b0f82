// The days on which a network ports numbers, in the zone of an account.
import { addDays, type CalendarDate, isWeekend } from '#shared/domain/dates/calendar-date.ts';
import { type Country, holidaysOf } from './holidays.ts';

const lockHour = 18;
const portHour = 8;

/** What a port's life needs to know of days and hours; all times are epoch milliseconds. */
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

export function createCalendar(country: Country, zoneName: string): Calendar {
  const zone = createZone(zoneName);
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
    today: (now) => zone.dateAt(now),
    isHoliday,
    holidaysBetween,
    isWorkingDay,
    lockAt: (connectionDate) => zone.timeAt(workingDay(connectionDate, -1), lockHour),
    portAt(connectionDate, lockedAt) {
      const soonest = workingDay(zone.dateAt(lockedAt), 1);
      return zone.timeAt(soonest > connectionDate ? soonest : connectionDate, portHour);
    },
  };
}

export interface Zone {
  /** The calendar day there at an epoch time in milliseconds. */
  dateAt(epochMs: number): CalendarDate;
  /** Epoch milliseconds at which the clocks there show `hour`:00 on `date`. */
  timeAt(date: CalendarDate, hour: number): number;
}

/** @param name an IANA zone. @throws RangeError where the runtime does not know it */
export function createZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: name, dateStyle: 'short', timeStyle: 'medium' });
  const localText = (epochMs: number): string => format.format(epochMs).replace(' ', 'T');
  const offsetAt = (epochMs: number): number =>
    Date.parse(`${localText(epochMs)}Z`) - Math.floor(epochMs / 1000) * 1000;
  // Ports share their dates, so there are few of these, asked for very often.
  const strikes = new Map<string, number>();
  return {
    dateAt: (epochMs) => localText(epochMs).slice(0, 10) as CalendarDate,
    timeAt(date, hour) {
      const key = `${date} ${hour}`;
      const known = strikes.get(key);
      if (known !== undefined) return known;
      const asIfUtc = Date.parse(`${date}T00:00:00Z`) + hour * 3_600_000;
      // Twice, because the first offset may be that of the other side of a clock change.
      const strike = asIfUtc - offsetAt(asIfUtc - offsetAt(asIfUtc));
      strikes.set(key, strike);
      return strike;
    },
  };
}
