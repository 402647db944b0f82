// Every read of a port from create to complete, on the production schedule: what docs/contributing/pipeline.md lists,
// and its limits.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { nextPoll } from '#shared/port/poll-schedule.ts';
import { type CalendarDate, fromWireDate } from '#shared/row/calendar-date.ts';

const zone = 'Europe/London';
const minute = 60_000;
/** Sync runs every five minutes: a port is read in the first run after it is due. */
const tick = 5 * minute;

interface Change {
  readonly at: number;
  readonly status: string;
}

/** A port that is created on a Monday at ten and runs through its statuses without errors. */
function courseOf(connectionDate: string, lockEvening: string): Change[] {
  const change = (text: string, status: string) => ({ at: Date.parse(text), status });
  return [
    change('2026-07-06T09:00:00Z', 'Created'),
    change('2026-07-06T09:03:00Z', 'Submitted'),
    change(`${lockEvening}T16:00:00Z`, 'Locked'),
    change(`${connectionDate}T07:00:00Z`, 'Ported'),
    change(`${connectionDate}T07:10:00Z`, 'Create RA'),
    change(`${connectionDate}T07:20:00Z`, 'Awaiting RA'),
    change(`${connectionDate}T08:20:00Z`, 'Complete'),
  ];
}

interface PortRead {
  readonly at: number;
  readonly status: string;
}

function readsOf(course: readonly Change[], connectionDate: CalendarDate): PortRead[] {
  const statusAt = (time: number) => course.findLast(({ at }) => at <= time)?.status ?? '';
  const reads: PortRead[] = [];
  // Submit reads the port back as soon as it is created, so sync does not read it then.
  let now = course[0]?.at ?? 0;
  let lastChange = now;
  let status = statusAt(now);
  for (;;) {
    const due = nextPoll({ statusName: status, connectionDate, now, lastChange, zone });
    if (due === null) return reads;
    now = Math.ceil(due / tick) * tick;
    if (statusAt(now) !== status) lastChange = now;
    status = statusAt(now);
    reads.push({ at: now, status });
  }
}

const lives = [
  { days: 2, date: '2026-07-08', lock: '2026-07-07' },
  { days: 21, date: '2026-07-27', lock: '2026-07-24' },
].map(({ days, date, lock }) => {
  const course = courseOf(date, lock);
  return { days, course, reads: readsOf(course, fromWireDate(date)) };
});

describe.each(lives)('a port booked $days days ahead', ({ days, course, reads }) => {
  test('is read once a day, plus at most nine times', () => {
    expect(reads.length).toBeLessThanOrEqual(days + 9);
  });

  test('shows the result of the PAC check within minutes of its creation', () => {
    expect((reads[0]?.at ?? 0) - (course[1]?.at ?? 0)).toBeLessThanOrEqual(tick);
  });

  test('shows each change of the port date within half an hour', () => {
    for (const { at } of course.slice(3)) {
      expect(reads.some((read) => read.at >= at && read.at <= at + 30 * minute + tick)).toBe(true);
    }
  });

  test('shows the lock on the same evening', () => {
    const locked = course[2]?.at ?? 0;
    expect(reads.some((read) => read.status === 'Locked' && read.at - locked <= 2 * 60 * minute)).toBe(true);
  });
});

test('docs/contributing/pipeline.md lists exactly these reads', async () => {
  const page = await readFile(new URL('../../../docs/contributing/pipeline.md', import.meta.url), 'utf8');
  for (const { days, reads, course } of lives) {
    const start = course[0]?.at ?? 0;
    const row = reads.map(({ at, status }) => `${age(at - start)} ${status}`).join(', ');
    const later = 'the same, and once a day before the lock';
    expect(page).toContain(`| ${days} days | ${reads.length} | ${days === 2 ? row : later} |`);
  }
});

function age(ms: number): string {
  const minutes = Math.round(ms / minute);
  const days = Math.floor(minutes / (24 * 60));
  const hours = Math.floor(minutes / 60) % 24;
  const parts: [number, string][] = [
    [days, 'd'],
    [hours, 'h'],
    [minutes % 60, 'min'],
  ];
  return parts.flatMap(([amount, unit]) => (amount === 0 ? [] : `${amount} ${unit}`)).join(' ');
}
