// Edge cases of a snapshot: the first one, one at the same time as the last, and changes outside the rows.
import { describe, expect, test } from 'vitest';
import {
  rowsMayHaveMoved,
  snapshotMissing,
  snapshotMissingWithRequest,
  snapshotOf,
  snapshotUnchanged,
  withPortConcern,
} from '#shared/outcome/port-snapshot.ts';
import { isReportedUnavailable, type PortItem, type PortRowState } from '#shared/port/port.ts';
import { notInPort } from '#shared/port/port-status.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { iso, noon, portItemOf, portRowsOf } from '../../../support/steps/ledger-items.ts';
import { context, request } from '../../../support/steps/port-readings.ts';

describe('edge cases', () => {
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
