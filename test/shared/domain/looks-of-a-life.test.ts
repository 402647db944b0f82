// The looks at a port over its whole life, at the schedule of production: what docs/data.md shows, and its bounds.
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { type CalendarDate, fromWireDate } from '#shared/domain/calendar-date.ts';
import { nextLook } from '#shared/domain/poll-schedule.ts';
import { createTimeZone } from '#shared/domain/time-zone.ts';

const zone = createTimeZone('Europe/London');
const minute = 60_000;
/** Runs of sync are five minutes apart: a look happens at the first run after it is due. */
const tick = 5 * minute;

interface Change {
  readonly at: number;
  readonly status: string;
}

/** A port that is created on a Monday at ten and to which nothing happens but what has to. */
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

interface SeenLook {
  readonly at: number;
  readonly status: string;
}

function looksAt(course: readonly Change[], connectionDate: CalendarDate): SeenLook[] {
  const statusAt = (time: number) => course.findLast(({ at }) => at <= time)?.status ?? '';
  const looks: SeenLook[] = [];
  // Submit reads the port back as soon as it is created: that look costs nothing more.
  let now = course[0]?.at ?? 0;
  let lastChange = now;
  let status = statusAt(now);
  for (;;) {
    const due = nextLook({ statusName: status, connectionDate, now, lastChange, zone });
    if (due === null) return looks;
    now = Math.ceil(due / tick) * tick;
    if (statusAt(now) !== status) lastChange = now;
    status = statusAt(now);
    looks.push({ at: now, status });
  }
}

const lives = [
  { days: 2, date: '2026-07-08', lock: '2026-07-07' },
  { days: 21, date: '2026-07-27', lock: '2026-07-24' },
].map(({ days, date, lock }) => {
  const course = courseOf(date, lock);
  return { days, course, looks: looksAt(course, fromWireDate(date)) };
});

describe.each(lives)('a port booked $days days ahead', ({ days, course, looks }) => {
  test('is looked at once a day, and a handful of times more', () => {
    expect(looks.length).toBeLessThanOrEqual(days + 6);
  });

  test('shows minutes after its creation what the check of the PACs said', () => {
    expect((looks[0]?.at ?? 0) - (course[1]?.at ?? 0)).toBeLessThanOrEqual(tick);
  });

  test('shows each change of the port date within an hour', () => {
    for (const { at } of course.slice(3)) {
      expect(looks.some((look) => look.at >= at && look.at <= at + 60 * minute + tick)).toBe(true);
    }
  });

  test('shows the lock on its evening', () => {
    const locked = course[2]?.at ?? 0;
    expect(looks.some((look) => look.status === 'Locked' && look.at - locked <= 2 * 60 * minute)).toBe(true);
  });
});

test('docs/data.md lists exactly these looks', async () => {
  const data = await readFile(new URL('../../../docs/data.md', import.meta.url), 'utf8');
  for (const { days, looks, course } of lives) {
    const start = course[0]?.at ?? 0;
    const row = looks.map(({ at, status }) => `${age(at - start)} ${status}`).join(', ');
    expect(data).toContain(`| ${days} days | ${looks.length} | ${row} |`);
  }
});

function age(ms: number): string {
  const minutes = Math.round(ms / minute);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
