import { describe, expect, test } from 'vitest';
import type { PortItem } from '#shared/domain/ledger.ts';
import {
  isNotShown,
  lookAtDetail,
  lookFailed,
  lookMissing,
  lookUnchanged,
  notInPort,
  rowsMayHaveMoved,
} from '#shared/domain/port-look.ts';
import { iso, noon, portItemOf, portRowsOf, requestItemOf } from '../../support/results-ledger.ts';

const hour = 3_600_000;
const context = { account: 1001, zone: 'Europe/London', callingCode: '44', lookedAt: noon + hour };
const request = requestItemOf({ state: 'created', portId: 'port-1', portStatus: 'Submitted', attention: 0 });
const reading = (statusName: string, rows: readonly (readonly [string, string, string?])[]) => ({
  id: 'port-1',
  name: 'Group sim1-0000000000000000',
  statusName,
  connectionDate: '2026-07-20T00:00:00',
  rowCount: rows.length,
  rows: rows.map(([msisdn, status, message]) => ({ msisdn, statusName: status, message: message ?? null })),
});
const known = (rows = portRowsOf('Submitted', 'Submitted'), port = portItemOf()) => ({ request, port, rows });
const same = reading('Submitted', [
  ['07700900001', 'Submitted'],
  ['+447700900002', 'Submitted'],
]);

describe('a look at a port', () => {
  test('of which nothing changed writes nothing but the time of the next look', () => {
    const look = lookAtDetail(known(), same, context);
    expect(look).toMatchObject({ news: [], next: { lookedAt: iso(noon + hour), changedAt: iso(noon) } });
    expect(look?.rows ?? look?.event ?? look?.request).toBeUndefined();
  });

  test('knows a number in whatever form the service writes it', () => {
    expect(lookAtDetail(known(), same, context)?.next.concern).toBeUndefined();
  });

  test('keeps so much of what is said of its rows that all of them fit into one item', () => {
    const many = Array.from({ length: 1_000 }, (_, place) => `447${String(place).padStart(9, '0')}`);
    const of = (msisdns: readonly string[]) => {
      const rows = msisdns.map((msisdn, place) => ({ line: place + 2, msisdn, status: 'PacInvalid' }));
      const told = reading(
        'Pac Check Failed',
        msisdns.map((msisdn) => [msisdn, 'PacInvalid', '€'.repeat(600)] as const),
      );
      return lookAtDetail(known(rows), told, context)?.rows ?? [];
    };
    expect(of(many.slice(0, 200))[0]?.message).toHaveLength(500);
    expect(of(many)[0]?.message).toHaveLength(100);
    expect(Buffer.byteLength(JSON.stringify(of(many)))).toBeLessThan(400 * 1024);
  });

  test('fault 48: that began before the newest one tells nothing', () => {
    const newer = portItemOf({ lookedAt: iso(noon + hour + 1) });
    expect(lookAtDetail(known(undefined, newer), same, context)).toBeUndefined();
    expect(lookUnchanged(newer, context)).toBeUndefined();
    expect(lookMissing(newer, context)).toBeUndefined();
  });

  test('that finds another status appends it to the history and mirrors it on the request', () => {
    const moved = reading(
      'Locked',
      same.rows.map(({ msisdn }) => [msisdn, 'Submitted'] as const),
    );
    expect(lookAtDetail(known(), moved, context)).toMatchObject({
      event: { portId: 'port-1', status: 'Locked', was: 'Submitted', at: iso(noon + hour) },
      request: { next: { portStatus: 'Locked' } },
      next: { changedAt: iso(noon + hour) },
    });
  });

  test('finds numbers that are not there, and ones that nobody sent', () => {
    const odd = reading('Submitted', [
      ['07700900001', 'Submitted'],
      ['07700900009', 'Submitted'],
    ]);
    const look = lookAtDetail(known(), odd, context);
    expect(look?.next.concern).toBe(
      'the port does not hold 447700900002 that was sent; the port holds 447700900009 that nobody sent',
    );
    expect(look?.rows?.[1]).toMatchObject({ line: 3, status: notInPort });
    expect(look?.request?.next.attention).toBe(1);
  });

  test('counts who holds whom at the gate', () => {
    const failed = reading('Pac Check Failed', [
      ['07700900001', 'PacValid'],
      ['07700900002', 'PacInvalid', 'not ABC123456'],
    ]);
    const look = lookAtDetail(known(), failed, context);
    expect(look?.next).toMatchObject({ attention: 1, goodLines: 1, badLines: 1 });
    expect(look?.news).toMatchObject([{ number: '447700900002', status: 'PacInvalid', ended: false }]);
  });

  test('keeps no PAC out of what the service writes (decision 44)', () => {
    const failed = reading('Pac Check Failed', [
      ['07700900001', 'PacValid'],
      ['07700900002', 'PacInvalid', 'not ABC123456'],
    ]);
    expect(JSON.stringify(lookAtDetail(known(), failed, context))).not.toContain('ABC123456');
  });

  test('tells a number once it needs nobody any more', () => {
    const look = lookAtDetail(known(portRowsOf('PacInvalid', 'PacValid')), same, context);
    expect(look?.news).toMatchObject([{ number: '447700900001', status: 'Submitted', ended: false }]);
  });

  test('tells every number when the port has ended, ends the request, and looks no more', () => {
    const complete = reading(
      'Complete',
      same.rows.map(({ msisdn }) => [msisdn, 'Submitted'] as const),
    );
    const look = lookAtDetail(known(), complete, context);
    expect(look?.news.map(({ status, ended }) => [status, ended])).toEqual([
      ['Complete', true],
      ['Complete', true],
    ]);
    expect(look?.request?.next.endedAt).toBe(iso(noon + hour));
    expect(look?.next.dueAt).toBeUndefined();
  });

  test('asks for a person for every live row when the port as a whole is in error', () => {
    const failed = reading('SubmittedWithErrors', [
      ['07700900001', 'Submitted'],
      ['07700900002', 'Cancelled'],
    ]);
    expect(lookAtDetail(known(), failed, context)?.next.attention).toBe(1);
  });

  test('raises other ports of the same request as a concern', () => {
    const twice = { ...known(), request: { ...request, duplicatePortIds: ['port-2'] } };
    expect(lookAtDetail(twice, same, context)?.next.concern).toContain('port-2');
  });

  test('survives a connection date that does not exist', () => {
    const odd = { ...same, connectionDate: '2026-02-31T00:00:00' };
    expect(lookAtDetail(known(), odd, context)?.next.dueAt).toBeDefined();
  });
});

test('a port is missing after three looks in a row, and its status stays', () => {
  let port = portItemOf();
  for (let look = 1; look <= 3; look += 1) {
    expect(port.concern).toBeUndefined();
    port = lookMissing(port, { ...context, lookedAt: noon + look * hour }) ?? port;
  }
  expect(port).toMatchObject({ status: 'Submitted', missingLooks: 3, concern: expect.stringContaining('3 looks') });
  expect(lookUnchanged(port, { ...context, lookedAt: noon + 4 * hour })?.missingLooks).toBe(0);
});

describe('looks that come to nothing', () => {
  const failing = (times: number, every: number, port: PortItem = portItemOf()) => {
    for (let look = 1; look <= times; look += 1) {
      port = lookFailed(port, { ...context, lookedAt: noon + look * every }) ?? port;
    }
    return port;
  };
  const unread = expect.stringContaining('could not be read');

  test('leave the port as it was last seen, and when that was', () => {
    const port = failing(1, hour);
    expect(port).toEqual({ ...portItemOf(), failedLooks: 1, dueAt: expect.any(String) });
    expect(Date.parse(port.dueAt ?? '')).toBeGreaterThan(noon + hour);
  });

  test('are a person’s after three in a row, once an hour has passed', () => {
    expect(failing(2, hour).concern).toBeUndefined();
    expect(failing(3, hour / 4).concern).toBeUndefined();
    expect(failing(3, hour / 3)).toMatchObject({ concern: unread, failedLooks: 3, changedAt: iso(noon + hour) });
    expect(isNotShown(failing(2, hour))).toBe(false);
    expect(isNotShown(failing(3, hour))).toBe(true);
  });

  test('are told once, beside what was told before', () => {
    const port = failing(4, hour, portItemOf({ concern: 'it holds others' }));
    expect(port).toMatchObject({ changedAt: iso(noon + 3 * hour), failedLooks: 4 });
    expect(port.concern).toMatch(/^it holds others; this port could not be read .+ operator$/);
  });

  test('do not hide those that were answered with 404', () => {
    let port = portItemOf();
    for (let look = 1; look <= 3; look += 1) {
      port = lookFailed(port, { ...context, lookedAt: noon + 2 * look * hour }) ?? port;
      port = lookMissing(port, { ...context, lookedAt: noon + (2 * look + 1) * hour }) ?? port;
    }
    expect(port).toMatchObject({ missingLooks: 3, concern: expect.stringContaining('not known this port') });
  });

  test('are forgotten once the port is shown', () => {
    const port = failing(3, hour);
    const later = { ...context, lookedAt: noon + 4 * hour };
    const shown = lookAtDetail(known(undefined, port), same, later)?.next;
    expect([shown?.concern, shown?.failedLooks]).toEqual([undefined, undefined]);
    expect(lookUnchanged(failing(2, hour), later)?.failedLooks).toBeUndefined();
  });

  test('fault 48: tell nothing once a newer one is known', () => {
    const newer = portItemOf({ lookedAt: iso(noon + hour + 1) });
    expect(lookFailed(newer, context)).toBeUndefined();
    expect(lookFailed({ ...newer, lookedAt: iso(noon + hour) }, context)).toBeDefined();
  });
});

test('rows can have moved under a status that stays only where one needs a person or holds the gate', () => {
  expect(rowsMayHaveMoved(portItemOf())).toBe(false);
  expect(rowsMayHaveMoved(portItemOf({ attention: 1 }))).toBe(true);
  expect(rowsMayHaveMoved(portItemOf({ badLines: 1 }))).toBe(true);
  expect(rowsMayHaveMoved(portItemOf({ status: 'Locked', attention: 1 }))).toBe(false);
});

describe('the last moment to cancel', () => {
  test('is told as long as the service still cancels', () => {
    expect(lookAtDetail(known(), same, context)?.next.cancelBy).toBe('2026-07-17T15:00:00.000Z');
    expect(lookAtDetail(known(), same, { ...context, lockingHour: 12 })?.next.cancelBy).toBe(
      '2026-07-17T11:00:00.000Z',
    );
    const locked = { ...same, statusName: 'Locked' };
    expect(lookAtDetail(known(), locked, context)?.next.cancelBy).toBeUndefined();
  });

  test('comes before the holidays that were known when the port was asked for', () => {
    const holidays = ['2026-07-17'];
    const look = lookAtDetail({ ...known(), request: { ...request, holidays } }, same, context);
    expect(look?.next.cancelBy).toBe('2026-07-16T15:00:00.000Z');
  });
});
