// Ports of a month, each with the times of its changes: created in the office hours of a working day for a date two
// to fourteen days later, and ended on that date.
import { addDays, type CalendarDate, dateInZone, instantOf, isWeekend } from '#shared/domain/dates/calendar-date.ts';
import { cancellationDeadline } from '#shared/domain/dates/cancellation-deadline.ts';
import { mulberry32 } from './generate-rows.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

export const zone = 'Europe/London';

/** After Created, in the order in which a port passes through them. */
export const changeStatuses = [
  ...(['Submitted', 'Locked', 'Ported', 'Create RA', 'Awaiting RA'] as const),
  ...(['Create Configuration', 'Awaiting Configuration', 'Complete'] as const),
];
const changes = changeStatuses.length;

const leadDays = { from: 2, to: 14 };
/** A port of this age has ended. */
export const longestLifeMs = (leadDays.to + 5) * day;
/** About as long as a port lives: the working days only shift it. */
const usualLifeDays = 9;

export interface SimulatedPorts {
  readonly count: number;
  createdAt(port: number): number;
  date(port: number): CalendarDate;
  /** How many changes the port has made by this time. */
  changesBy(port: number, at: number): number;
  changeAt(port: number, change: number): number;
}

const workingDayFrom = (date: CalendarDate): CalendarDate =>
  isWeekend(date) ? workingDayFrom(addDays(date, 1)) : date;

/** Those created from `first` to `last`, in the order of their creation, so that about `live` live at any time. */
export function simulatePorts(live: number, first: CalendarDate, last: CalendarDate): SimulatedPorts {
  const random = mulberry32(1);
  const workingDays: CalendarDate[] = [];
  for (let date = first; date <= last; date = addDays(date, 1)) if (!isWeekend(date)) workingDays.push(date);
  const perDay = Math.ceil((live / usualLifeDays) * (7 / 5));
  const count = workingDays.length * perDay;
  const created = new Float64Array(count);
  const times = new Float64Array(count * changes);
  const dates: CalendarDate[] = [];
  for (let port = 0; port < count; port += 1) {
    const opening = instantOf(workingDays[Math.floor(port / perDay)] as CalendarDate, 9, zone);
    const at = opening + ((port % perDay) / perDay) * 8 * hour;
    created[port] = at;
    dates.push(fill(times, port, at, random));
  }
  const changeAt = (port: number, change: number): number => times[port * changes + change] ?? Number.POSITIVE_INFINITY;
  return {
    count,
    createdAt: (port) => created[port] ?? Number.POSITIVE_INFINITY,
    date: (port) => dates[port] as CalendarDate,
    changesBy: (port, at) => {
      let made = 0;
      while (made < changes && changeAt(port, made) <= at) made += 1;
      return made;
    },
    changeAt,
  };
}

/** Writes the times of the port's changes. Returns its port date. */
function fill(times: Float64Array, port: number, createdAt: number, random: () => number): CalendarDate {
  const lead = leadDays.from + Math.floor(random() * (leadDays.to - leadDays.from));
  const date = workingDayFrom(addDays(dateInZone(createdAt, zone), lead));
  const submittedAt = createdAt + 3 * minute;
  const lockedAt = cancellationDeadline(date, zone) + random() * 2 * hour;
  let at = instantOf(date, 8, zone) + random() * 2 * hour;
  times.set([submittedAt, lockedAt, at], port * changes);
  for (let change = 3; change < changes; change += 1) {
    at += (5 + random() * 55) * minute;
    times[port * changes + change] = at;
  }
  return date;
}
