// When a controlled bundle starts and ends: UTC, to the second where the file says so (spec, Configure Bundle Control).
import { type CalendarDate, dateInZone, oneMonthBefore, parseCalendarDate } from '#shared/domain/calendar-date.ts';
import { error } from '#shared/domain/issue.ts';
import type { Parsed } from '#shared/domain/parsed.ts';
import type { Cells, ImportContext } from './operation.ts';
import { requiredCell, type ShapeReport } from './shape-report.ts';

/** `YYYY-MM-DDTHH:mm:ss`, UTC: sorts as text. */
export interface BundleDates {
  readonly startDate: string | undefined;
  readonly endDate: string | undefined;
}

/** Judges `startDate`, at most one calendar month before the current UTC date (decision 13), and `endDate`. */
export function readBundleDates(
  cells: Cells,
  { calendar }: Pick<ImportContext, 'calendar'>,
  report: ShapeReport,
): BundleDates {
  const startDate = readInstant(requiredCell(cells, 'startDate', report), 'startDate', report);
  const endDate = readInstant(cells('endDate') || undefined, 'endDate', report);
  const earliest = oneMonthBefore(dateInZone(calendar(), 'UTC'));
  if (startDate !== undefined && startDate < earliest) {
    const message = `${startDate.slice(0, 10)} is more than one month ago: the earliest day is ${earliest}`;
    report.add('startDate', error('DATE_TOO_EARLY', message));
  }
  if (startDate !== undefined && endDate !== undefined && endDate < startDate) {
    report.add('endDate', error('DATE_END_BEFORE_START', `endDate ${endDate} lies before startDate ${startDate}`));
  }
  return { startDate, endDate };
}

const timeBehind = /^(.{10})[T ](([01]\d|2[0-3]):[0-5]\d)(:[0-5]\d)?(\.0+)?Z?$/;

function readInstant(text: string | undefined, column: string, report: ShapeReport): string | undefined {
  if (text === undefined) return undefined;
  const [, day = text, minutes = '00:00', , seconds = ':00'] = timeBehind.exec(text) ?? [];
  const date: Parsed<CalendarDate> = parseCalendarDate(day);
  if (date.ok) return `${date.value}T${minutes}${seconds}`;
  report.add(column, date.finding);
  return undefined;
}
