// Ports that the service does not show, or that fail to be read.
import { describe, expect, test } from 'vitest';
import { snapshotFailed, snapshotMissing, snapshotOf, snapshotUnchanged } from '#shared/outcome/port-snapshot.ts';
import { isReportedUnavailable, type PortItem } from '#shared/port/port.ts';
import { iso, noon, portItemOf } from '../../../support/steps/ledger-items.ts';
import { context, hour, known, same } from '../../../support/steps/port-readings.ts';

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
