// What is stored of a port, and what is wrong with it as a whole.
import { describe, expect, test } from 'vitest';
import {
  dayOfPort,
  firstOf,
  isLeftUnread,
  isMissing,
  isReportedUnavailable,
  joinConcerns,
  leaveUnread,
  mayBePortId,
  missingConcern,
  portEventKey,
  portItem,
  portKey,
  portOfDay,
  portQueueOf,
  portRowsKey,
  unreadableConcern,
  wasOrWere,
} from '#shared/port/port.ts';
import { iso, noon, portItemOf } from '../../support/steps/ledger-items.ts';

const guid = '0f8fad5b-d9cb-469f-a165-70867728950e';

test.each([
  [guid, true],
  ['port-1', true],
  ['447700900123', false],
  ['ABC123456', false],
])('in the place of a port %j may be an id: %s', (text, may) => {
  expect(mayBePortId(text)).toBe(may);
});

describe('a port that the service does not find', () => {
  const missing = portItemOf({ missingReads: 3, concern: 'gone', actionRequired: 2, dueAt: iso(noon) });

  test('is missing after three reads, and says what a person can do', () => {
    expect([0, 2, 3, 4].map((missingReads) => isMissing(portItemOf({ missingReads })))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(missingConcern(portItemOf({ missingReads: 2 }))).toBeUndefined();
    expect(missingConcern(missing)).toMatch(/3 consecutive reads.*abandon or resend/);
  });

  test('is not read again once a person has decided, and requires no action', () => {
    expect(isLeftUnread(missing)).toBe(false);
    const left = leaveUnread(missing, noon + 1);
    expect(left).toEqual({
      ...missing,
      concern: undefined,
      actionRequired: 0,
      dueAt: undefined,
      changedAt: iso(noon + 1),
    });
    expect(isLeftUnread(left)).toBe(true);
    expect(isLeftUnread(portItemOf({ dueAt: undefined }))).toBe(false);
  });

  test('is reported as unavailable, as is one that cannot be read', () => {
    expect(isReportedUnavailable(missing)).toBe(true);
    expect(isReportedUnavailable(portItemOf({ concern: `late. ${unreadableConcern}` }))).toBe(true);
    expect(isReportedUnavailable(portItemOf({ concern: 'it has other rows' }))).toBe(false);
    expect(isReportedUnavailable(portItemOf())).toBe(false);
  });
});

test('several concerns are sentences one after the other', () => {
  expect(joinConcerns([undefined, undefined])).toBeUndefined();
  expect(joinConcerns(['One', undefined, 'two'])).toBe('One. two');
});

test('of many numbers the first three are named', () => {
  expect(firstOf(['1', '2', '3'])).toBe('1, 2, 3');
  expect(firstOf(['1', '2', '3', '4', '5'])).toBe('1, 2, 3 and 2 more');
  expect([wasOrWere(['1']), wasOrWere(['1', '2'])]).toEqual(['which was', 'which were']);
});

test('the day of a port is without its time', () => {
  expect(dayOfPort({ connectionDate: '2026-07-20T00:00:00' })).toBe('2026-07-20');
});

test('the items of a port are in one partition, and its history is in the order of its times', () => {
  expect([portKey('p'), portRowsKey('p'), portEventKey('p', iso(noon), 'Locked')]).toEqual([
    { pk: 'port#p', sk: 'port' },
    { pk: 'port#p', sk: 'rows' },
    { pk: 'port#p', sk: 'event#2026-07-06T12:00:00.000Z#Locked' },
  ]);
});

test('a port is always due in the same one of four queues of its account', () => {
  const queues = Array.from({ length: 40 }, (_, index) => portQueueOf(portItemOf({ portId: `port-${index}` })));
  expect(new Set(queues)).toEqual(new Set([0, 1, 2, 3].map((shard) => `ports#1001@service#${shard}`)));
  expect(portQueueOf(portItemOf())).toBe(portQueueOf(portItemOf({ status: 'Locked' })));
});

test('the index of days has none of the times at which a port is read', () => {
  const times = ['dueAt', 'readAt', 'rowsReadAt', 'expiresAt'];
  expect(Object.keys(portItem.shape)).toEqual(expect.arrayContaining(times));
  expect(Object.keys(portOfDay.shape).filter((name) => times.includes(name))).toEqual([]);
});
