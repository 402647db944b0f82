import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { nextCall, nextPoll, pageAfter, pageSize, pagesFrom, secondPage } from '#shared/port/poll-schedule.ts';
import { addDays, type CalendarDate, fromWireDate } from '#shared/row/calendar-date.ts';

const minute = 60_000;
const hour = 60 * minute;
const zone = 'Europe/London';
// A Monday: its ports are locked on Friday evening.
const connectionDate = '2026-07-06' as CalendarDate;
const at = (text: string) => Date.parse(text);

const wait = (statusName: string, now: number, lastChange: number) =>
  (nextPoll({ statusName, connectionDate, now, lastChange, zone }) ?? Number.NaN) - now;

describe('the next read', () => {
  test.each(['Complete', 'Cancelled'])('is never due for a port that is %s', (statusName) => {
    const now = at('2026-07-01T09:00:00Z');
    expect(nextPoll({ statusName, connectionDate, now, lastChange: now, zone })).toBeNull();
  });

  test('is due a minute after a create, while PACs are checked', () => {
    const now = at('2026-07-01T09:00:00Z');
    expect(wait('Created', now, now)).toBe(minute);
  });

  test('is due later the longer nothing changes', () => {
    const created = at('2026-07-01T09:00:00Z');
    const waits = [0, 0.2, 1, 3, 12].map((hours) => wait('Created', created + hours * hour, created));
    expect(waits).toEqual([...waits].sort((one, other) => one - other));
    expect(waits.at(-1)).toBe(hour);
  });

  test('is due soon after a PAC was amended, and later while nothing changes', () => {
    const now = at('2026-07-02T09:00:00Z');
    expect(wait('Pac Check Failed', now, now)).toBe(2 * minute);
    expect(wait('Pac Check Failed', now, now - 48 * hour)).toBe(6 * hour);
  });

  test('is due on the evening on which the port is locked: that of the working day before', () => {
    const friday = at('2026-07-03T14:00:00Z');
    expect(friday + wait('Submitted', friday, friday - 240 * hour)).toBe(at('2026-07-03T17:00:00Z'));
    const thursday = at('2026-07-02T18:00:00Z');
    expect(thursday + wait('Submitted', thursday, thursday - 240 * hour)).toBe(at('2026-07-03T17:00:00Z'));
  });

  test('is due within a day while the source network can still reject the port', () => {
    const monday = at('2026-06-29T14:00:00Z');
    expect(wait('Submitted', monday, monday - 240 * hour)).toBe(24 * hour);
  });

  test('of a Locked port is due on the morning of its port date', () => {
    const evening = at('2026-07-03T17:00:00Z');
    expect(evening + wait('Locked', evening, evening - 240 * hour)).toBe(at('2026-07-06T07:00:00Z'));
  });

  test('is due every 15 minutes on the port date while the port is Locked', () => {
    expect(wait('Locked', at('2026-07-06T08:00:00Z'), at('2026-07-03T17:00:00Z'))).toBe(15 * minute);
  });

  test.each(['Submitted', 'Ported', 'Awaiting RA'])(
    'is due hourly on the port date while the port has been %s for days',
    (status) => {
      expect(wait(status, at('2026-07-06T08:00:00Z'), at('2026-07-03T17:00:00Z'))).toBe(hour);
    },
  );

  test('is due every 12 hours for a port whose date is long past', () => {
    expect(wait('Locked', at('2026-07-20T08:00:00Z'), at('2026-07-01T08:00:00Z'))).toBe(12 * hour);
  });

  test('is due after at least a minute and at most four days, whatever the port', () => {
    const statuses = fc.constantFrom(
      'Created',
      'Submitted',
      'Locked',
      'Ported',
      'Error',
      'Pac Check Failed',
      'No Such Status',
    );
    fc.assert(
      fc.property(
        statuses,
        fc.integer({ min: -60, max: 60 }),
        fc.nat(86_400_000),
        fc.nat(90),
        (statusName, days, ms, age) => {
          const now = at(`${addDays(connectionDate, days)}T00:00:00Z`) + ms;
          const away = wait(statusName, now, now - age * 24 * hour);
          expect(away).toBeGreaterThanOrEqual(minute);
          expect(away).toBeLessThanOrEqual(96 * hour);
        },
      ),
    );
  });

  test('creates one formatter for each zone', () => {
    const now = at('2026-07-03T14:00:00Z');
    const port = { statusName: 'Submitted', connectionDate, now, lastChange: now, zone };
    nextPoll(port);
    const made = vi.spyOn(Intl, 'DateTimeFormat');
    nextPoll(port);
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });
});

// The poll interval of each status, to the minute.
describe('each status', () => {
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
  // London is an hour ahead of UTC in July. The 6th and the 13th are Mondays.
  const at = (text: string) => Date.parse(`2026-07-${text}:00+01:00`);
  const far = '2026-08-20' as CalendarDate;

  /** Minutes until the next read when the last change was `changedAgo` milliseconds ago. */
  const wait = (statusName: string, changedAgo: number, connectionDate = far, now = at('06T12:00')) => {
    const next = nextPoll({ statusName, connectionDate, now, lastChange: now - changedAgo, zone: 'Europe/London' });
    return next === null ? null : (next - now) / minute;
  };

  test.each([
    ['Created', 1, 60],
    ['Network Validating', 1, 60],
    ['Pac Check Failed', 2, 300],
    ['Network Rejected', 2, 300],
    ['Submitted', 15, 24 * 60],
    ['Locked', 4 * 24 * 60, 4 * 24 * 60],
    ['Ported', 15, 60],
    ['Create RA', 15, 60],
    ['Awaiting RA', 15, 60],
    ['Create Configuration', 15, 60],
    ['Awaiting Configuration', 15, 60],
    ['No Such Status', 10, 300],
  ])('%s: %i minutes right after a change, %i minutes five hours later', (status, atFirst, later) => {
    expect([wait(status, 1), wait(status, 5 * hour)]).toEqual([atFirst, later]);
  });

  test('an unknown status is read four times a day in the end', () => {
    expect(wait('No Such Status', 30 * day)).toBe(6 * 60);
  });

  test('the day after the port date has the intervals of the port date; later reads become fewer', () => {
    const now = at('08T12:00');
    expect(wait('Submitted', 10 * day, '2026-07-07' as CalendarDate, now)).toBe(60);
    expect(wait('Submitted', 10 * day, '2026-07-06' as CalendarDate, now)).toBe(12 * 60);
  });

  test('the evening of the lock and the morning of the port date are never missed', () => {
    const monday = '2026-07-13' as CalendarDate;
    // Friday at six, two hours before four days are over.
    expect(wait('Locked', day, monday, at('06T20:00'))).toBe((4 * 24 - 2) * 60);
    expect(wait('Submitted', day, monday, at('13T07:30'))).toBe(30);
    expect(wait('Submitted', day, monday, at('13T07:59'))).toBe(1);
    expect(wait('Submitted', day, monday, at('13T08:00'))).toBe(60);
  });
});

describe('the calls of a run', () => {
  /** Simulates a run: `pageOf` is the page of each due port. Answers the calls made. */
  function callsFor(pages: number, pageOf: readonly number[]): number {
    const waiting = new Set(pageOf.keys());
    let calls = 0;
    let pagesLeft: number | undefined;
    for (let page = 1; nextCall({ remaining: waiting.size, pagesLeft }) === 'page'; page += 1) {
      calls += 1;
      for (const port of waiting) if (pageOf[port] === page) waiting.delete(port);
      pagesLeft = pages - page;
    }
    return calls + waiting.size;
  }

  test('never more calls than min(pages, due) + 2, wherever the due ports are in the list', () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 60 })
          .chain((pages) =>
            fc.tuple(fc.constant(pages), fc.array(fc.integer({ min: 1, max: pages }), { maxLength: 300 })),
          ),
        ([pages, pageOf]) => {
          expect(callsFor(pages, pageOf)).toBeLessThanOrEqual(Math.min(pages, pageOf.length) + 2);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test('nothing due costs no call; one due port among thousands costs one', () => {
    expect(callsFor(2000, [])).toBe(0);
    expect(callsFor(2000, [1999])).toBe(1);
  });

  test.each([
    [0, undefined, 'done'],
    [0, 5, 'done'],
    [2, undefined, 'direct'],
    [3, undefined, 'page'],
    [3, 2, 'page'],
    [3, 3, 'direct'],
    [3, 0, 'direct'],
  ] as const)('with %s ports left and %s pages the next call is %s', (remaining, pagesLeft, call) => {
    expect(nextCall({ remaining, pagesLeft })).toBe(call);
  });

  test.each([
    // Where 100,000 ports are loaded of more that are due, and the list has 6,000,000 ports or more.
    [100_000, 120_000, { pages: 19, ports: 0 }, 'page'],
    [100_000, 120_000, { pages: 20, ports: 20 }, 'direct'],
    [100_000, 120_000, { pages: 20, ports: 21 }, 'page'],
    [100_000, 200_000, { pages: 40, ports: 2_000 }, 'page'],
    [100_000, 99_999, { pages: 40, ports: 0 }, 'page'],
    [0, 10, { pages: 40, ports: 400 }, 'page'],
    [0, 10, { pages: 40, ports: 40 }, 'done'],
    [0, 0, { pages: 40, ports: 400 }, 'done'],
    [5, 0, { pages: 40, ports: 400 }, 'direct'],
  ] as const)('%i known of more due ports, %i pages left, %o: %s', (remaining, pagesLeft, sample, call) => {
    expect(nextCall({ remaining, pagesLeft, sample })).toBe(call);
  });

  test('every run starts at another place of the list', () => {
    const places = Array.from({ length: 5 }, (_, run) => secondPage(1_001, run * 5 * 60_000));
    expect(places).toEqual([2, 620, 238, 856, 474]);
  });

  test('everything due costs the pages', () => {
    const ports = 10_000;
    const pageOf = Array.from({ length: ports }, (_, index) => Math.floor(index / pageSize) + 1);
    expect(callsFor(ports / pageSize, pageOf)).toBe(ports / pageSize);
  });

  test('ports that the list does not show are asked for one by one', () => {
    expect(callsFor(2, [9, 9, 9, 9])).toBeLessThanOrEqual(2 + 4);
  });

  test('from any place of a list, as many pages as it has are all of its pages', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 5_000 }), fc.nat({ max: 4e12 }), (pages, wallMs) => {
        const read = new Set([1]);
        let page = secondPage(pages, wallMs);
        for (let more = 1; more < pages; more += 1) {
          read.add(page);
          page = pageAfter(page, pages);
        }
        expect(read.size).toBe(pages);
        expect([Math.min(...read), Math.max(...read)]).toEqual([1, pages]);
      }),
      { numRuns: 200 },
    );
  });

  test('pages that are read together follow each other, and start over at page 2', () => {
    expect(pagesFrom(1, 1, Number.POSITIVE_INFINITY)).toEqual([1]);
    expect(pagesFrom(3, 4, 5)).toEqual([3, 4, 5, 2]);
  });

  test('runs that each read a fifth of a list have read all of it after eight', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 5_000 }), fc.integer({ min: 0, max: 10_000_000 }), (pages, first) => {
        const read = new Set([1]);
        for (let run = 0; run < 8; run += 1) {
          let page = secondPage(pages, (first + run) * 5 * 60_000);
          for (let more = 0; more < Math.ceil(pages / 5); more += 1) {
            read.add(page);
            page = pageAfter(page, pages);
          }
        }
        expect(read.size).toBe(pages);
      }),
      { numRuns: 300 },
    );
  });
});

// Every read of a port from create to complete, on the production schedule: what docs/contributing/pipeline.md lists,
// and its limits.
describe('from create to complete', () => {
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
});
