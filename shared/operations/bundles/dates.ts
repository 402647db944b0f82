// Start and end of a controlled bundle: UTC, to the second if the file has a time (spec, Configure Bundle Control).
import { dateInZone, oneMonthBefore, parseCalendarDate } from '#shared/domain/dates/calendar-date.ts';
import type { CellReader } from '../kit/cell-reader.ts';
import type { ImportContext } from '../kit/operation.ts';

/** `YYYY-MM-DDTHH:mm:ss` in UTC, which sorts as text. */
export interface BundleDates {
  readonly startDate: string | undefined;
  readonly endDate: string | undefined;
}

/** Reads `startDate`, at most one calendar month before the current UTC date (spec gap 13), and `endDate`. */
export function readBundleDates(cells: CellReader, { calendar }: Pick<ImportContext, 'calendar'>): BundleDates {
  const startDate = readInstant(cells.required('startDate'), 'startDate', cells);
  const endDate = readInstant(cells.text('endDate') || undefined, 'endDate', cells);
  const earliest = oneMonthBefore(dateInZone(calendar(), 'UTC'));
  if (startDate !== undefined && startDate < earliest) {
    const message = `${startDate.slice(0, 10)} is more than one month ago. The earliest day is ${earliest}`;
    cells.error('startDate', 'DATE_TOO_EARLY', message);
  }
  if (startDate !== undefined && endDate !== undefined && endDate < startDate) {
    cells.error('endDate', 'DATE_END_BEFORE_START', `endDate ${endDate} is before startDate ${startDate}`);
  }
  return { startDate, endDate };
}

const dateAndTime = /^(.{10})[T ](([01]\d|2[0-3]):[0-5]\d)(:[0-5]\d)?(\.0+)?Z?$/;

function readInstant(text: string | undefined, column: string, cells: CellReader): string | undefined {
  if (text === undefined) return undefined;
  const [, day = text, minutes = '00:00', , seconds = ':00'] = dateAndTime.exec(text) ?? [];
  const date = cells.accept(column, parseCalendarDate(day));
  return date && `${date}T${minutes}${seconds}`;
}
