// The edges of a look: the first one, one at the same moment, what moves beside the rows, and what is said of whom.
import { describe, expect, test } from 'vitest';
import type { PortItem, PortRowState, RequestItem } from '#shared/domain/ledger.ts';
import {
  lookAtDetail,
  lookMissing,
  lookMissingDue,
  lookUnchanged,
  notInPort,
  requestConcerned,
} from '#shared/domain/port-look.ts';
import { iso, noon, portItemOf, portRowsOf, requestItemOf } from '../../support/results-ledger.ts';

const context = { account: 1001, zone: 'Europe/London', callingCode: '44', lookedAt: noon + 3_600_000 };
const looked = iso(context.lookedAt);
const request = requestItemOf({ state: 'created', portId: 'port-1', portStatus: 'Submitted', attention: 0 });
const reading = (statusName: string, rows: readonly PortRowState[]) => ({
  id: 'port-1',
  name: 'Group sim1-0000000000000000',
  statusName,
  connectionDate: '2026-07-20T00:00:00',
  rowCount: rows.length,
  rows: rows.map(({ msisdn, status, message }) => ({ msisdn, statusName: status, message })),
});
/** The look at a port whose rows are as given, and which was in `before` with the same rows. */
const look = (statusName: string, rows: readonly PortRowState[], port?: PortItem, before = rows, asked = request) =>
  lookAtDetail({ request: asked, port, rows: before }, reading(statusName, rows), context);

describe('the first look at a port', () => {
  test('writes all of it, with an event that was preceded by none', () => {
    const rows = portRowsOf('PacValid', 'Cancelled');
    const first = look('Submitted', rows);
    expect(first).toMatchObject({ seen: undefined, rows, next: { changedAt: looked, rowCount: 2, missingLooks: 0 } });
    expect(first?.event).toMatchObject({ portId: 'port-1', at: looked, status: 'Submitted' });
    expect(first?.event).not.toHaveProperty('was');
    expect(first?.news).toMatchObject([{ number: '447700900002', status: 'Cancelled', ended: true, lookedAt: looked }]);
  });

  test('tells of numbers that need a person, and of all when the port is at its end', () => {
    const numbersOf = (status: string, ...rows: string[]) =>
      look(status, portRowsOf(...rows), undefined, portRowsOf(...rows.map(() => '')))?.news.map((n) => n.ended);
    expect(numbersOf('Pac Check Failed', 'PacInvalid', 'PacValid')).toEqual([false]);
    expect(numbersOf('Complete', 'Submitted', 'Submitted')).toEqual([true, true]);
    expect(look('Complete', portRowsOf('Submitted'))?.news).toMatchObject([{ status: 'Complete' }]);
  });
});

test('at the first look nobody has been told of anything: a row that needs no person is no news', () => {
  expect(look('Submitted', portRowsOf('PacValid'), undefined, portRowsOf('PacInvalid'))?.news).toEqual([]);
});

test('the end of a port that is not the request’s own is no news of its numbers, and no concern names its twin', () => {
  const other = { ...request, portId: 'port-2', duplicatePortIds: ['port-1'] };
  const over = look('Cancelled', portRowsOf('Cancelled'), portItemOf(), portRowsOf('Submitted'), other);
  expect(over).toMatchObject({ next: { status: 'Cancelled' }, news: [] });
  expect(over?.request).toBeUndefined();
  expect(over?.next.concern ?? '').not.toContain('also sent');
});

test('a look at the same moment as the newest one counts', () => {
  const port = portItemOf({ lookedAt: looked });
  expect(look('Submitted', portRowsOf('Submitted', 'Submitted'), port)).toBeDefined();
  expect(lookUnchanged(port, context)).toBeDefined();
  expect(lookMissing(port, context)).toBeDefined();
});

describe('the time of the last change moves', () => {
  const rows = portRowsOf('Submitted', 'Submitted');

  test('when a port is there again that was missing', () => {
    expect(look('Submitted', rows, portItemOf({ missingLooks: 1 }))?.next).toMatchObject({ changedAt: looked });
  });

  test('when a concern is over', () => {
    expect(look('Submitted', rows, portItemOf({ concern: 'odd' }))?.next).toMatchObject({ changedAt: looked });
  });

  test('when only the message of a row is another', () => {
    const [first] = portRowsOf('Submitted');
    const told = [{ line: 2, msisdn: '447700900001', status: 'Submitted', message: 'why' }];
    expect(look('Submitted', told, portItemOf(), first ? [first] : [])).toMatchObject({ rows: told });
  });

  test('and not when nothing did', () => {
    expect(look('Submitted', rows, portItemOf())?.next.changedAt).toBe(iso(noon));
  });
});

describe('who waits for a person', () => {
  const attention = (status: string, ...rows: string[]) =>
    look(status, portRowsOf(...rows), portItemOf())?.next.attention;

  test('nobody, once the port is at its end', () => {
    expect(attention('Complete', 'PacInvalid')).toBe(0);
  });

  test('the rows to blame; all that are alive where none is', () => {
    expect(attention('Pac Check Failed', 'PacInvalid', 'PacValid')).toBe(1);
    expect(attention('Network Rejected', 'PacValid', 'PacValid', 'Cancelled')).toBe(2);
  });

  test('nobody, while a row is checked again', () => {
    expect(attention('Pac Check Failed', 'Amended', 'PacValid')).toBe(0);
  });

  test('a row that the port does not hold', () => {
    const rows = portRowsOf('Submitted', 'Submitted');
    const missing = lookAtDetail({ request, port: portItemOf(), rows }, reading('Submitted', rows.slice(1)), context);
    expect(missing?.next.attention).toBe(1);
    expect(missing?.rows?.[0]?.status).toBe(notInPort);
  });
});

test('three numbers are named, of more only the first three', () => {
  const rows = portRowsOf(...Array(5).fill('Submitted'));
  const concern = (held: number) =>
    lookAtDetail({ request, port: portItemOf(), rows }, reading('Submitted', rows.slice(held)), context)?.next.concern;
  const three = '447700900001, 447700900002, 447700900003';
  expect(concern(3)).toBe(`the port does not hold ${three} that were sent`);
  expect(concern(5)).toBe(`the port does not hold ${three} and 2 more that were sent`);
});

test('a count that nobody can have is none', () => {
  const rows = portRowsOf('Submitted', 'Submitted');
  const odd = { ...reading('Submitted', rows), rowCount: -1 };
  expect(lookAtDetail({ request, rows }, odd, context)?.next.rowCount).toBe(0);
});

test('that a port is missing is told beside what was wrong with it before', () => {
  const port = portItemOf({ missingLooks: 2, concern: 'it holds others' });
  expect(lookMissing(port, context)?.concern).toMatch(/^it holds others; the service has not known this port/);
});

describe('a port that is missing while its request is due', () => {
  const rows = portRowsOf('Submitted', 'Submitted');
  const twice = { ...request, duplicatePortIds: ['port-2'], dueAt: iso(noon), missingLooks: 1 };
  const missing = (port: PortItem, asked: RequestItem = twice, held = rows) =>
    lookMissingDue({ request: asked, port, rows: held }, context);

  test('keeps its state, and tells people of the other port at once', () => {
    const told = missing(portItemOf());
    expect(told).toMatchObject({ seen: portItemOf(), news: [], next: { status: 'Submitted', missingLooks: 1 } });
    expect(told?.next).toMatchObject({ lookedAt: looked, changedAt: looked, dueAt: expect.any(String) });
    expect(told?.next.concern).toMatch(/^the same numbers were also sent in port-2[^;]*$/);
    expect(told?.request).toEqual({
      seen: twice,
      next: { ...twice, attention: 1, portStatus: 'Submitted', dueAt: undefined, missingLooks: undefined },
    });
    expect(told).not.toHaveProperty('rows');
  });

  test.each([2, 3])('is gone after three looks: that is told, too, when there were %s before', (missingLooks) => {
    const concern = missing(portItemOf({ missingLooks }))?.next.concern;
    expect(concern).toMatch(/also sent in port-2.*; the service has not known this port for 3 looks/);
    expect(missing(portItemOf({ missingLooks, concern }))?.next.changedAt).toBe(iso(noon));
  });

  test('is no concern where nothing else is wrong with it, and one where it lacked a number', () => {
    const alone = { ...twice, duplicatePortIds: undefined };
    expect(missing(portItemOf(), alone)?.next).toMatchObject({ concern: undefined, changedAt: iso(noon) });
    expect(missing(portItemOf(), alone, portRowsOf(notInPort))?.next.concern).toContain('does not hold 447700900001');
  });

  test('tells nothing where a newer look is known', () => {
    expect(missing(portItemOf({ lookedAt: iso(context.lookedAt + 1) }))).toBeUndefined();
  });
});

describe('the request', () => {
  const rows = portRowsOf('Submitted', 'Submitted');
  const nextOf = (changes: Partial<typeof request>) =>
    look('Submitted', rows, portItemOf(), rows, { ...request, ...changes })?.request?.next;

  test('is written only when something of it is another', () => {
    expect(nextOf({})).toBeUndefined();
    expect(nextOf({ attention: undefined })).toBeUndefined();
    expect(nextOf({ dueAt: iso(noon) })).toMatchObject({ portStatus: 'Submitted', dueAt: undefined });
    expect(nextOf({ endedAt: iso(noon) })).toMatchObject({ endedAt: undefined });
    expect(nextOf({ portStatus: 'Created' })).toMatchObject({ portStatus: 'Submitted' });
    expect(nextOf({ attention: 1 })).toMatchObject({ attention: 0 });
  });

  test('waits for a person where its port is a concern, though no row is', () => {
    expect(requestConcerned(request, portItemOf({ concern: 'odd' }))).toEqual({ ...request, attention: 1 });
    expect(requestConcerned(request, portItemOf({ concern: 'odd', attention: 3 }))).toEqual({
      ...request,
      attention: 3,
    });
    expect(requestConcerned(request, portItemOf())).toEqual(request);
  });
});

describe('a number', () => {
  const news = (port: PortItem, before: readonly PortRowState[], status: string, rows: readonly PortRowState[]) =>
    look(status, rows, port, before)?.news.map(({ number, ended }) => [number.at(-1), ended]);

  test('is told when its row or its port ends, and once', () => {
    const [alive, over] = [portRowsOf('Submitted'), portRowsOf('Cancelled')];
    expect(news(portItemOf(), alive, 'Submitted', over)).toEqual([['1', true]]);
    expect(news(portItemOf(), over, 'Submitted', over)).toEqual([]);
    expect(news(portItemOf({ status: 'Complete' }), alive, 'Complete', alive)).toEqual([]);
    expect(news(portItemOf(), alive, 'Complete', alive)).toEqual([['1', true]]);
  });

  test('is told when its row begins and ceases to need a person', () => {
    const [good, bad] = [portRowsOf('PacValid'), portRowsOf('PacInvalid')];
    expect(news(portItemOf(), good, 'Submitted', bad)).toEqual([['1', false]]);
    expect(news(portItemOf(), bad, 'Submitted', good)).toEqual([['1', false]]);
    expect(news(portItemOf(), bad, 'Submitted', bad)).toEqual([]);
    expect(news(portItemOf(), good, 'Submitted', portRowsOf('Submitted'))).toEqual([]);
  });
});
