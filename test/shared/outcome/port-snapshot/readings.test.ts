// What a reading of a port changes: its rows, its numbers, its times and its request.
import { describe, expect, test } from 'vitest';
import { rowsMayHaveMoved, snapshotMissing, snapshotOf, snapshotUnchanged } from '#shared/outcome/port-snapshot.ts';
import type { PortItem } from '#shared/port/port.ts';
import { notInPort } from '#shared/port/port-status.ts';
import { partNumber } from '#shared/text/identity.ts';
import { iso, noon, portItemOf, portRowsOf } from '../../../support/steps/ledger-items.ts';
import { context, hour, known, reading, request, same } from '../../../support/steps/port-readings.ts';

describe('a snapshot of a port', () => {
  test('without changes writes only the time of the next read', () => {
    const snapshot = snapshotOf(known(), same, context);
    expect(snapshot).toMatchObject({ numberUpdates: [], next: { readAt: iso(noon + hour), changedAt: iso(noon) } });
    expect(snapshot?.rows ?? snapshot?.event ?? snapshot?.request).toBeUndefined();
  });

  test('recognises a number in every form that the service writes', () => {
    expect(snapshotOf(known(), same, context)?.next.concern).toBeUndefined();
  });

  test('truncates row messages so that all rows fit into one item', () => {
    const many = Array.from({ length: 1_000 }, (_, place) => `447${String(place).padStart(9, '0')}`);
    const of = (msisdns: readonly string[]) => {
      const rows = msisdns.map((msisdn, place) => ({ line: place + 2, msisdn, status: 'PacInvalid' }));
      const shown = reading(
        'Pac Check Failed',
        msisdns.map((msisdn) => [msisdn, 'PacInvalid', '€'.repeat(600)] as const),
      );
      return snapshotOf(known(rows), shown, context)?.rows ?? [];
    };
    expect(of(many.slice(0, 200))[0]?.message).toHaveLength(500);
    expect(of(many)[0]?.message).toHaveLength(100);
    expect(Buffer.byteLength(JSON.stringify(of(many)))).toBeLessThan(400 * 1024);
  });

  test('is ignored when a newer reading is stored (fault 48)', () => {
    const newer = portItemOf({ readAt: iso(noon + hour + 1) });
    expect(snapshotOf(known(undefined, newer), same, context)).toBeUndefined();
    expect(snapshotUnchanged(newer, context)).toBeUndefined();
    expect(snapshotMissing(newer, context)).toBeUndefined();
  });

  test('with another status appends an event and updates the request', () => {
    const moved = reading(
      'Locked',
      same.rows.map(({ msisdn }) => [msisdn, 'Submitted'] as const),
    );
    expect(snapshotOf(known(), moved, context)).toMatchObject({
      event: { portId: 'port-1', status: 'Locked', was: 'Submitted', at: iso(noon + hour) },
      request: { next: { portStatus: 'Locked' } },
      next: { changedAt: iso(noon + hour) },
    });
  });

  test('reports numbers that are missing, and numbers that were not sent', () => {
    const odd = reading('Submitted', [
      ['07700900001', 'Submitted'],
      ['07700900009', 'Submitted'],
    ]);
    const snapshot = snapshotOf(known(), odd, context);
    expect(snapshot?.next.concern).toBe(
      'The port does not contain 447700900002, which was sent. The port contains 447700900009, which was not sent',
    );
    expect(snapshot?.rows?.[1]).toMatchObject({ line: 3, status: notInPort });
    expect(snapshot?.request?.next.actionRequired).toBe(1);
  });

  test('a cancelled port moves no number: what it contains requires no action, as its rows say', () => {
    const odd = reading('Cancelled', [
      ['07700900001', 'Cancelled'],
      ['07700900009', 'Cancelled'],
    ]);
    // The second reading that shows the end without the number.
    const once = portItemOf({ missingReads: 1 });
    const snapshot = snapshotOf(known(undefined, once), odd, context);
    expect(snapshot?.rows?.[1]).toMatchObject({ line: 3, status: notInPort });
    expect(snapshot?.next).toMatchObject({ status: 'Cancelled', concern: undefined, actionRequired: 0 });
    expect(snapshot?.request?.next).toMatchObject({ actionRequired: 0, portRows: { cancelled: 2 } });
  });

  test('counts the ready rows and the rows that block them', () => {
    const failed = reading('Pac Check Failed', [
      ['07700900001', 'PacValid'],
      ['07700900002', 'PacInvalid', 'not ABC123456'],
    ]);
    const snapshot = snapshotOf(known(), failed, context);
    expect(snapshot?.next).toMatchObject({ actionRequired: 1, readyRows: 1, blockingRows: 1 });
    expect(snapshot?.numberUpdates).toMatchObject([{ number: '447700900002', status: 'PacInvalid', ended: false }]);
  });

  test('redacts PACs in messages of the service (spec gap 44)', () => {
    const failed = reading('Pac Check Failed', [
      ['07700900001', 'PacValid'],
      ['07700900002', 'PacInvalid', 'not ABC123456'],
    ]);
    expect(JSON.stringify(snapshotOf(known(), failed, context))).not.toContain('ABC123456');
  });

  test('updates a number that needs no action any more', () => {
    const snapshot = snapshotOf(known(portRowsOf('PacInvalid', 'PacValid')), same, context);
    expect(snapshot?.numberUpdates).toMatchObject([{ number: '447700900001', status: 'Submitted', ended: false }]);
  });

  test('of an ended port updates every number, ends the request, and schedules no read', () => {
    const complete = reading(
      'Complete',
      same.rows.map(({ msisdn }) => [msisdn, 'Submitted'] as const),
    );
    const snapshot = snapshotOf(known(), complete, context);
    expect(snapshot?.numberUpdates.map(({ status, ended }) => [status, ended])).toEqual([
      ['Complete', true],
      ['Complete', true],
    ]);
    expect(snapshot?.request?.next.endedAt).toBe(iso(noon + hour));
    expect(snapshot?.next.dueAt).toBeUndefined();
  });

  test('counts every live row as needing action when the port is in error', () => {
    const failed = reading('SubmittedWithErrors', [
      ['07700900001', 'Submitted'],
      ['07700900002', 'Cancelled'],
    ]);
    expect(snapshotOf(known(), failed, context)?.next.actionRequired).toBe(1);
  });

  test('reports other ports of the same request as a concern', () => {
    const twice = { ...known(), request: { ...request, duplicatePortIds: ['port-2'] } };
    expect(snapshotOf(twice, same, context)?.next).toMatchObject({
      concern: expect.stringContaining('port-2'),
      duplicatePortIds: ['port-2'],
    });
  });

  test('reports a port that was created late until it is cancelled', () => {
    const late = { ...known(), request: { ...request, isLate: true } };
    expect(snapshotOf(late, same, context)?.next.concern).toBe(
      'The service created this port after its request had ended or was stopped, so another import may have its ' +
        `numbers: cancel it in the portal, or resolve request ${request.importId}/1 and keep it`,
    );
    const ofPart = { ...late, request: { ...late.request, request: partNumber(1, 3) } };
    expect(snapshotOf(ofPart, same, context)?.next.concern).toContain(
      `resolve request ${request.importId}/30000001 (part 3 of request 1) and keep it`,
    );
    // Rows may keep the status that they had.
    for (const status of ['Cancelled', 'Submitted', 'PacInvalid'] as const) {
      const over = reading('Cancelled', [
        ['07700900001', status],
        ['07700900002', status],
      ]);
      expect(snapshotOf(late, over, context)?.next).toMatchObject({ concern: undefined, actionRequired: 0 });
    }
    const ofAnother = { ...late, request: { ...late.request, portId: 'port-2' } };
    expect(snapshotOf(ofAnother, same, context)?.next.concern).toBeUndefined();
  });

  test('is possible with a connection date that does not exist', () => {
    const odd = { ...same, connectionDate: '2026-02-31T00:00:00' };
    expect(snapshotOf(known(), odd, context)?.next.dueAt).toBeDefined();
  });
});

test('rows can change under an unchanged status where one needs action or blocks the gate', () => {
  expect(rowsMayHaveMoved(portItemOf(), noon)).toBe(false);
  expect(rowsMayHaveMoved(portItemOf({ actionRequired: 1 }), noon)).toBe(true);
  expect(rowsMayHaveMoved(portItemOf({ blockingRows: 1 }), noon)).toBe(true);
  expect(rowsMayHaveMoved(portItemOf({ status: 'Locked', actionRequired: 1 }), noon)).toBe(false);
});

describe('rows that leave their port one by one', () => {
  const hours = [0, 11, 12, 36].map((number) => noon + number * hour);
  const moved = (port: PortItem) => hours.map((at) => rowsMayHaveMoved(port, at));

  test('are read again half a day after they were last read, however often the list shows the port', () => {
    expect(moved(portItemOf())).toEqual([false, false, true, true]);
    const listed = snapshotUnchanged(portItemOf(), { ...context, readAt: noon + 11 * hour });
    expect(listed && moved(listed)).toEqual([false, false, true, true]);
    expect(moved(portItemOf({ rowsReadAt: undefined }))).toEqual([true, true, true, true]);
  });

  test('are not read any more once the port is locked, or has ended', () => {
    for (const status of ['Locked', 'Ported', 'Complete', 'Cancelled'])
      expect(moved(portItemOf({ status }))).toEqual([false, false, false, false]);
  });

  test('are known from each reading of the detail', () => {
    expect(snapshotOf(known(), same, context)?.next.rowsReadAt).toBe(iso(noon + hour));
  });
});

describe('the cancellation deadline', () => {
  test('is set as long as the service still cancels', () => {
    expect(snapshotOf(known(), same, context)?.next.cancelBy).toBe('2026-07-17T15:00:00.000Z');
    expect(snapshotOf(known(), same, { ...context, lockingHour: 12 })?.next.cancelBy).toBe('2026-07-17T11:00:00.000Z');
    const locked = { ...same, statusName: 'Locked' };
    expect(snapshotOf(known(), locked, context)?.next.cancelBy).toBeUndefined();
  });

  test('of a port that is made after the deadline of its date is the moment it is first read, and stays', () => {
    const saturday = Date.parse('2026-07-18T10:00:00Z');
    const first = snapshotOf({ ...known(), port: undefined }, same, { ...context, readAt: saturday })?.next;
    expect(first?.cancelBy).toBe(iso(saturday));
    const later = snapshotOf(known(portRowsOf('Submitted', 'Submitted'), first), same, {
      ...context,
      readAt: saturday + hour,
    });
    expect(later?.next.cancelBy).toBe(iso(saturday));
  });

  test('stays as it was once it has passed', () => {
    const before = snapshotOf(known(), same, context)?.next;
    const sunday = { ...context, readAt: Date.parse('2026-07-19T10:00:00Z') };
    const after = snapshotOf(known(portRowsOf('Submitted', 'Submitted'), before), same, sunday);
    expect(after?.next.cancelBy).toBe('2026-07-17T15:00:00.000Z');
  });

  test('is before the holidays that were stored when the port was submitted', () => {
    const holidays = ['2026-07-17'];
    const snapshot = snapshotOf({ ...known(), request: { ...request, holidays } }, same, context);
    expect(snapshot?.next.cancelBy).toBe('2026-07-16T15:00:00.000Z');
  });
});

test('every change of a row changes the request, so that report writes its files', () => {
  const partly = reading('Submitted', [
    ['07700900001', 'Cancelled'],
    ['07700900002', 'Submitted'],
  ]);
  const first = snapshotOf(known(), partly, context);
  expect(first?.request?.next).toMatchObject({ portRows: { 'in-progress': 1, cancelled: 1 } });
  const stored = first?.request?.next ?? request;
  const rows = portRowsOf('Cancelled', 'Submitted');
  expect(snapshotOf({ ...known(rows), request: stored }, partly, context)?.request).toBeUndefined();
  const [, second] = rows;
  const other = rows.map((row) => (row === second ? { ...row, message: 'told before' } : row));
  expect(snapshotOf({ ...known(other), request: stored }, partly, context)?.request?.next).toEqual(stored);
});
