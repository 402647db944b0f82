// Spreads rows whose date the file leaves open over the days that can be booked, in the order of the file.

import { count, counted } from '#shared/domain/text/counted.ts';
import type { UploadSettings } from '#shared/files/upload-settings.ts';
import type { DailyCapacity, DayBooked } from '#shared/operations/operation.ts';
import type { CalendarDate } from '#shared/row/calendar-date.ts';
import { type Issue, notice } from '#shared/row/issue.ts';
import type { Correction } from './correction.ts';

class RowsPerDay implements DailyCapacity {
  readonly #most: number;
  readonly #rows: Map<CalendarDate, number>;
  /** Days with rows whose date was open. */
  readonly #chosen = new Set<CalendarDate>();

  /** @param booked rows of other files on each day */
  constructor(most: number, booked: ReadonlyMap<CalendarDate, number>) {
    this.#most = most;
    this.#rows = new Map(booked);
  }

  add(day: CalendarDate): void {
    this.#rows.set(day, (this.#rows.get(day) ?? 0) + 1);
  }

  book(days: readonly CalendarDate[], last: CalendarDate | undefined): DayBooked | undefined {
    const day = days.find((one) => (this.#rows.get(one) ?? 0) < this.#most);
    if (day === undefined || (last !== undefined && day > last)) return undefined;
    this.add(day);
    this.#chosen.add(day);
    if (day === days[0]) return { day };
    return { day, why: `${day} is the first day with room: at most ${counted(this.#most, 'number')} a day` };
  }

  /** For the person who set the limit. */
  get notice(): Issue {
    const days = [...this.#chosen].sort();
    const limit = `at most ${counted(this.#most, 'number')} a day`;
    const [first, last] = [days[0], days.at(-1)];
    const message =
      first === undefined
        ? `No row leaves its date open with "auto", so the limit of ${limit} changed nothing`
        : `Rows with "auto" are spread over ${counted(days.length, 'day')}, ${limit}: from ${first} to ${last}, ` +
          `with ${count(this.#rows.get(last as CalendarDate) ?? 0)} on the last day`;
    return { line: 0, column: 'connectionDate', ...notice('FILE_SPREAD_OVER_DAYS', message) };
  }
}

/** undefined: any number of rows may be ported on one day. */
export const limitRowsPerDay = async (
  { perDay }: UploadSettings,
  correction: Correction | undefined,
): Promise<RowsPerDay | undefined> =>
  perDay === undefined ? undefined : new RowsPerDay(perDay, (await correction?.bookedDays()) ?? new Map());
