// Local time in the zone of an account: which day it is there, and when an hour of a day begins. Every read of a port
// uses it, so a zone keeps its formatter.
import type { CalendarDate } from '#shared/domain/dates/calendar-date.ts';

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
