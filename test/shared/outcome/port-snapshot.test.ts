import { describe, expect, test } from 'vitest';
import {
  rowsMayHaveMoved,
  snapshotFailed,
  snapshotMissing,
  snapshotMissingWithRequest,
  snapshotOf,
  snapshotUnchanged,
  withPortConcern,
} from '#shared/outcome/port-snapshot.ts';
import { hasExactly, isPortOf } from '#shared/pipeline/observe-port.ts';
import { isReportedUnavailable, type PortItem, type PortReading, type PortRowState } from '#shared/port/port.ts';
import { notInPort } from '#shared/port/port-status.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { partNumber } from '#shared/text/identity.ts';
import { double } from '../../support/double.ts';
import { iso, noon, portItemOf, portRowsOf, requestItemOf } from '../../support/steps/ledger-items.ts';

const hour = 3_600_000;
const context = { account: '1001@service', zone: 'Europe/London', callingCode: '44', readAt: noon + hour };
const request = requestItemOf({
  state: 'created',
  portId: 'port-1',
  portStatus: 'Submitted',
  actionRequired: 0,
  portRows: { 'in-progress': 2 },
  portDate: '2026-07-20',
});
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
    const over = reading('Cancelled', [
      ['07700900001', 'Cancelled'],
      ['07700900002', 'Cancelled'],
    ]);
    expect(snapshotOf(late, over, context)?.next.concern).toBeUndefined();
    const ofAnother = { ...late, request: { ...late.request, portId: 'port-2' } };
    expect(snapshotOf(ofAnother, same, context)?.next.concern).toBeUndefined();
  });

  test('is possible with a connection date that does not exist', () => {
    const odd = { ...same, connectionDate: '2026-02-31T00:00:00' };
    expect(snapshotOf(known(), odd, context)?.next.dueAt).toBeDefined();
  });
});

test('a port is missing after three reads in a row, and keeps its status', () => {
  let port = portItemOf();
  for (let read = 1; read <= 3; read += 1) {
    expect(port.concern).toBeUndefined();
    port = snapshotMissing(port, { ...context, readAt: noon + read * hour }) ?? port;
  }
  expect(port).toMatchObject({
    status: 'Submitted',
    missingReads: 3,
    concern: expect.stringContaining('3 consecutive reads'),
  });
  expect(snapshotUnchanged(port, { ...context, readAt: noon + 4 * hour })?.missingReads).toBe(0);
});

test.each([
  ['missing', snapshotMissing],
  ['unreadable', snapshotFailed],
])('a port that is %s is read again within an hour until that is reported, then at the usual times', (_is, next) => {
  let port: PortItem = portItemOf({ status: 'Locked', connectionDate: '2026-07-30T00:00:00' });
  let readAt = noon;
  const waits: number[] = [];
  for (let read = 1; read <= 4; read += 1) {
    port = next(port, { ...context, readAt }) ?? port;
    waits.push((Date.parse(port.dueAt ?? '') - readAt) / hour);
    readAt = Date.parse(port.dueAt ?? '');
  }
  expect(port.concern).toBeDefined();
  expect(waits.slice(0, 2)).toEqual([1, 1]);
  expect(waits.slice(2)).toEqual([96, 96]);
});

describe('failed reads', () => {
  const failing = (times: number, every: number, port: PortItem = portItemOf()) => {
    for (let read = 1; read <= times; read += 1) {
      port = snapshotFailed(port, { ...context, readAt: noon + read * every }) ?? port;
    }
    return port;
  };
  const unread = expect.stringContaining('could not be read');

  test('keep the last state of the port and its time', () => {
    const port = failing(1, hour);
    expect(port).toEqual({ ...portItemOf(), failedReads: 1, dueAt: expect.any(String) });
    expect(Date.parse(port.dueAt ?? '')).toBeGreaterThan(noon + hour);
  });

  test('need action after three in a row, once an hour has passed', () => {
    expect(failing(2, hour).concern).toBeUndefined();
    expect(failing(3, hour / 4).concern).toBeUndefined();
    expect(failing(3, hour / 3)).toMatchObject({ concern: unread, failedReads: 3, changedAt: iso(noon + hour) });
    expect(isReportedUnavailable(failing(2, hour))).toBe(false);
    expect(isReportedUnavailable(failing(3, hour))).toBe(true);
  });

  test('are reported once, after the earlier concern', () => {
    const port = failing(4, hour, portItemOf({ concern: 'It has others' }));
    expect(port).toMatchObject({ changedAt: iso(noon + 3 * hour), failedReads: 4 });
    expect(port.concern).toMatch(/^It has others\. This port could not be read .+ operator$/);
  });

  test('do not hide 404 answers', () => {
    let port = portItemOf();
    for (let read = 1; read <= 3; read += 1) {
      port = snapshotFailed(port, { ...context, readAt: noon + 2 * read * hour }) ?? port;
      port = snapshotMissing(port, { ...context, readAt: noon + (2 * read + 1) * hour }) ?? port;
    }
    expect(port).toMatchObject({ missingReads: 3, concern: expect.stringContaining('did not find this port') });
  });

  test('are reset once the port can be read', () => {
    const port = failing(3, hour);
    const later = { ...context, readAt: noon + 4 * hour };
    const shown = snapshotOf(known(undefined, port), same, later)?.next;
    expect([shown?.concern, shown?.failedReads]).toEqual([undefined, undefined]);
    expect(snapshotUnchanged(failing(2, hour), later)?.failedReads).toBeUndefined();
  });

  test('are ignored when a newer reading is stored (fault 48)', () => {
    const newer = portItemOf({ readAt: iso(noon + hour + 1) });
    expect(snapshotFailed(newer, context)).toBeUndefined();
    expect(snapshotFailed({ ...newer, readAt: iso(noon + hour) }, context)).toBeDefined();
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

// A port that belongs to no request of simporter is never adopted.
describe('of a port of no request', () => {
  const token = 'sim1-0123456789abcdef';
  const portWith = (name: string, ...numbers: readonly string[]) =>
    double<PortReading>({ name, rows: numbers.map((msisdn) => ({ msisdn, statusName: 'Submitted' })) });
  const sent = ['447700900001', '447700900002'];

  test.each<[string, boolean, readonly string[]]>([
    ['the same numbers in another order and form', true, ['07700900002', '447700900001']],
    ['one number more', false, [...sent, '447700900003']],
    ['one number less', false, ['447700900001']],
    ['another number', false, ['447700900001', '447700900003']],
  ])('a port with %s has exactly the numbers: %s', (_, expected, numbers) => {
    expect(hasExactly(sent, portWith('', ...numbers), '44')).toBe(expected);
  });

  test('a request without numbers has no port, not even an empty one', () => {
    expect(hasExactly([], portWith(''), '44')).toBe(false);
  });

  test('the token in the name decides, whatever the numbers are', () => {
    expect(isPortOf(token, portWith(`Group ${token}`, '447700900009'), sent, '44')).toBe(true);
    expect(isPortOf(token, portWith('Group sim1-fedcba9876543210', ...sent), sent, '44')).toBe(false);
  });

  test('a port whose name has no token belongs to the request with its numbers', () => {
    expect(isPortOf(token, portWith('Group', ...sent), sent, '44')).toBe(true);
    expect(isPortOf(token, portWith('Group', '447700900001'), sent, '44')).toBe(false);
  });

  test('a port whose name has no token is accepted where the plan has expired', () => {
    expect(isPortOf(token, portWith('Group', '447700900009'), undefined, '44')).toBe(true);
  });
});

// Edge cases of a snapshot: the first one, one at the same time as the last, and changes outside the rows.
describe('edge cases', () => {
  const context = { account: '1001@service', zone: 'Europe/London', callingCode: '44', readAt: noon + 3_600_000 };
  const readAt = iso(context.readAt);
  const reading = (statusName: string, rows: readonly PortRowState[]) => ({
    id: 'port-1',
    name: 'Group sim1-0000000000000000',
    statusName,
    connectionDate: '2026-07-20T00:00:00',
    rowCount: rows.length,
    rows: rows.map(({ msisdn, status, message }) => ({ msisdn, statusName: status, message })),
  });
  /** The snapshot of a port with these rows; `before` are the stored rows. */
  const snapshot = (statusName: string, rows: readonly PortRowState[], port?: PortItem, before = rows, of = request) =>
    snapshotOf({ request: of, port, rows: before }, reading(statusName, rows), context);

  describe('the first snapshot of a port', () => {
    test('writes everything, with an event that has no status before', () => {
      const rows = portRowsOf('PacValid', 'Cancelled');
      const first = snapshot('Submitted', rows);
      expect(first).toMatchObject({ seen: undefined, rows, next: { changedAt: readAt, rowCount: 2, missingReads: 0 } });
      expect(first?.event).toMatchObject({ portId: 'port-1', at: readAt, status: 'Submitted' });
      expect(first?.event).not.toHaveProperty('was');
      expect(first?.numberUpdates).toMatchObject([
        { number: '447700900002', status: 'Cancelled', ended: true, readAt: readAt },
      ]);
    });

    test('updates numbers that need action, and every number when the port has ended', () => {
      const numbersOf = (status: string, ...rows: string[]) =>
        snapshot(status, portRowsOf(...rows), undefined, portRowsOf(...rows.map(() => '')))?.numberUpdates.map(
          (n) => n.ended,
        );
      expect(numbersOf('Pac Check Failed', 'PacInvalid', 'PacValid')).toEqual([false]);
      expect(numbersOf('Complete', 'Submitted', 'Submitted')).toEqual([true, true]);
      expect(snapshot('Complete', portRowsOf('Submitted'))?.numberUpdates).toMatchObject([{ status: 'Complete' }]);
    });
  });

  test('the first snapshot does not update a number that needs no action', () => {
    expect(snapshot('Submitted', portRowsOf('PacValid'), undefined, portRowsOf('PacInvalid'))?.numberUpdates).toEqual(
      [],
    );
  });

  test('the end of a duplicate port updates no number, and its concern names no other port', () => {
    const other = { ...request, portId: 'port-2', duplicatePortIds: ['port-1'] };
    const over = snapshot('Cancelled', portRowsOf('Cancelled'), portItemOf(), portRowsOf('Submitted'), other);
    expect(over).toMatchObject({ next: { status: 'Cancelled' }, numberUpdates: [] });
    expect(over?.next.duplicatePortIds).toBeUndefined();
    expect(over?.request).toBeUndefined();
    expect(over?.next.concern ?? '').not.toContain('same numbers');
  });

  test('a reading at the same time as the stored one counts', () => {
    const port = portItemOf({ readAt: readAt });
    expect(snapshot('Submitted', portRowsOf('Submitted', 'Submitted'), port)).toBeDefined();
    expect(snapshotUnchanged(port, context)).toBeDefined();
    expect(snapshotMissing(port, context)).toBeDefined();
  });

  describe('the time of the last change is updated', () => {
    const rows = portRowsOf('Submitted', 'Submitted');

    test('when a missing port is found again', () => {
      expect(snapshot('Submitted', rows, portItemOf({ missingReads: 1 }))?.next).toMatchObject({ changedAt: readAt });
    });

    test('when a concern is resolved', () => {
      expect(snapshot('Submitted', rows, portItemOf({ concern: 'wrong' }))?.next).toMatchObject({ changedAt: readAt });
    });

    test('when only the message of a row changes', () => {
      const [first] = portRowsOf('Submitted');
      const told = [{ line: 2, msisdn: '447700900001', status: 'Submitted', message: 'why' }];
      expect(snapshot('Submitted', told, portItemOf(), first ? [first] : [])).toMatchObject({ rows: told });
    });

    test('and not when nothing changed', () => {
      expect(snapshot('Submitted', rows, portItemOf())?.next.changedAt).toBe(iso(noon));
    });
  });

  describe('the rows that need action', () => {
    const actionRequired = (status: string, ...rows: string[]) =>
      snapshot(status, portRowsOf(...rows), portItemOf())?.next.actionRequired;

    test('are none once the port has ended', () => {
      expect(actionRequired('Complete', 'PacInvalid')).toBe(0);
    });

    test('are the invalid rows; all live rows where no single row needs action', () => {
      expect(actionRequired('Pac Check Failed', 'PacInvalid', 'PacValid')).toBe(1);
      expect(actionRequired('Network Rejected', 'PacValid', 'PacValid', 'Cancelled')).toBe(2);
    });

    test('are none while a row is checked again', () => {
      expect(actionRequired('Pac Check Failed', 'Amended', 'PacValid')).toBe(0);
    });

    test('of a port whose last invalid row was just found valid, from the next reading on', () => {
      const [port, valid] = [portItemOf({ status: 'Pac Check Failed' }), portRowsOf('PacValid', 'PacValid')];
      const just = snapshot('Pac Check Failed', valid, port, portRowsOf('Amended', 'PacValid'));
      expect(just?.next.actionRequired).toBe(0);
      expect(rowsMayHaveMoved(port, noon)).toBe(true);
      expect(snapshot('Pac Check Failed', valid, just?.next)?.next.actionRequired).toBe(2);
    });

    test('include a row that the port does not contain', () => {
      const rows = portRowsOf('Submitted', 'Submitted');
      const missing = snapshotOf({ request, port: portItemOf(), rows }, reading('Submitted', rows.slice(1)), context);
      expect(missing?.next.actionRequired).toBe(1);
      expect(missing?.rows?.[0]?.status).toBe(notInPort);
    });
  });

  test('a concern names at most three numbers', () => {
    const rows = portRowsOf(...Array(5).fill('Submitted'));
    const concern = (first: number) =>
      snapshotOf({ request, port: portItemOf(), rows }, reading('Submitted', rows.slice(first)), context)?.next.concern;
    const three = '447700900001, 447700900002, 447700900003';
    expect(concern(3)).toBe(`The port does not contain ${three}, which were sent`);
    expect(concern(5)).toBe(`The port does not contain ${three} and 2 more, which were sent`);
  });

  test('a negative row count is stored as zero', () => {
    const rows = portRowsOf('Submitted', 'Submitted');
    const odd = { ...reading('Submitted', rows), rowCount: -1 };
    expect(snapshotOf({ request, rows }, odd, context)?.next.rowCount).toBe(0);
  });

  test('a missing port keeps its earlier concern', () => {
    const port = portItemOf({ missingReads: 2, concern: 'It has others' });
    expect(snapshotMissing(port, context)?.concern).toMatch(/^It has others\. The service did not find this port/);
  });

  describe('a port that is missing while its request is due', () => {
    const rows = portRowsOf('Submitted', 'Submitted');
    const twice = { ...request, duplicatePortIds: ['port-2'], dueAt: iso(noon), missingReads: 1 };
    const missing = (port: PortItem, of: RequestItem = twice, stored = rows) =>
      snapshotMissingWithRequest({ request: of, port, rows: stored }, context);

    test('keeps its state, and reports the other port at once', () => {
      const next = missing(portItemOf());
      expect(next).toMatchObject({
        seen: portItemOf(),
        numberUpdates: [],
        next: { status: 'Submitted', missingReads: 1 },
      });
      expect(next?.next).toMatchObject({ readAt: readAt, changedAt: readAt, dueAt: expect.any(String) });
      expect(next?.next.concern).toMatch(/^The same numbers are also in port port-2[^.]*$/);
      expect(next?.request).toEqual({
        seen: twice,
        next: { ...twice, actionRequired: 1, portStatus: 'Submitted', dueAt: undefined, missingReads: undefined },
      });
      expect(next).not.toHaveProperty('rows');
    });

    test.each([2, 3])('is reported as missing after three reads, here after %s', (missingReads) => {
      const concern = missing(portItemOf({ missingReads }))?.next.concern;
      expect(concern).toMatch(/also in port port-2.*\. The service did not find this port in 3 consecutive reads/);
      expect(missing(portItemOf({ missingReads, concern }))?.next.changedAt).toBe(iso(noon));
      expect(isReportedUnavailable(portItemOf({ missingReads }))).toBe(missingReads === 3);
    });

    test('has a concern only where something else is wrong, such as a missing number', () => {
      const alone = { ...twice, duplicatePortIds: undefined };
      expect(missing(portItemOf(), alone)?.next).toMatchObject({ concern: undefined, changedAt: iso(noon) });
      expect(missing(portItemOf(), alone, portRowsOf(notInPort))?.next.concern).toContain(
        'does not contain 447700900001',
      );
    });

    test('is ignored where a newer reading is stored', () => {
      expect(missing(portItemOf({ readAt: iso(context.readAt + 1) }))).toBeUndefined();
    });
  });

  describe('the request', () => {
    const rows = portRowsOf('Submitted', 'Submitted');
    const nextOf = (changes: Partial<typeof request>) =>
      snapshot('Submitted', rows, portItemOf(), rows, { ...request, ...changes })?.request?.next;

    test('is written only when something in it changes', () => {
      expect(nextOf({})).toBeUndefined();
      expect(nextOf({ actionRequired: undefined })).toBeUndefined();
      expect(nextOf({ dueAt: iso(noon) })).toMatchObject({ portStatus: 'Submitted', dueAt: undefined });
      expect(nextOf({ endedAt: iso(noon) })).toMatchObject({ endedAt: undefined });
      expect(nextOf({ portStatus: 'Created' })).toMatchObject({ portStatus: 'Submitted' });
      expect(nextOf({ portDate: '2026-07-19' })).toMatchObject({ portDate: '2026-07-20' });
      expect(nextOf({ portRows: { 'in-progress': 1, complete: 1 } })).toMatchObject({ portRows: { 'in-progress': 2 } });
      expect(nextOf({ actionRequired: 1 })).toMatchObject({ actionRequired: 0 });
    });

    test('needs action where its port has a concern but no row does', () => {
      expect(withPortConcern(request, portItemOf({ concern: 'wrong' }))).toEqual({ ...request, actionRequired: 1 });
      expect(withPortConcern(request, portItemOf({ concern: 'wrong', actionRequired: 3 }))).toEqual({
        ...request,
        actionRequired: 3,
      });
      expect(withPortConcern(request, portItemOf())).toEqual(request);
    });
  });

  describe('a number', () => {
    const updates = (port: PortItem, before: readonly PortRowState[], status: string, rows: readonly PortRowState[]) =>
      snapshot(status, rows, port, before)?.numberUpdates.map(({ number, ended }) => [number.at(-1), ended]);

    test('is updated once, when its row or its port ends', () => {
      const [alive, over] = [portRowsOf('Submitted'), portRowsOf('Cancelled')];
      expect(updates(portItemOf(), alive, 'Submitted', over)).toEqual([['1', true]]);
      expect(updates(portItemOf(), over, 'Submitted', over)).toEqual([]);
      expect(updates(portItemOf({ status: 'Complete' }), alive, 'Complete', alive)).toEqual([]);
      expect(updates(portItemOf(), alive, 'Complete', alive)).toEqual([['1', true]]);
    });

    test('is updated when its row starts and stops to need action', () => {
      const [good, bad] = [portRowsOf('PacValid'), portRowsOf('PacInvalid')];
      expect(updates(portItemOf(), good, 'Submitted', bad)).toEqual([['1', false]]);
      expect(updates(portItemOf(), bad, 'Submitted', good)).toEqual([['1', false]]);
      expect(updates(portItemOf(), bad, 'Submitted', bad)).toEqual([]);
      expect(updates(portItemOf(), good, 'Submitted', portRowsOf('Submitted'))).toEqual([]);
    });
  });
});
