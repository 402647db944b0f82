// Which rows a request sent, and whether a port has them: by the plan, or by the claims once the plan has expired.
import { describe, expect, test } from 'vitest';
import { sentRows, verifyPortRows } from '#functions/sync/unknown-outcomes/adopt-port.ts';
import type { PortRowState } from '#shared/port/port.ts';
import type { NumberItem } from '#shared/request/number-claim.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { double } from '../../../support/double.ts';
import { iso, noon, requestItemOf } from '../../../support/steps/ledger-items.ts';
import { msisdnOf, plannedRowOf, portSummaryOf } from '../../../support/steps/submit-and-sync.ts';
import { expiredPlans } from '../../../support/steps/test-pipeline.ts';

const item = requestItemOf({ lines: '2-4' });
const { lines: _lines, ...unsent } = item;
/** The nth number is on line nth + 1. */
const row = (nth: number): PortRowState => ({ line: nth + 1, msisdn: msisdnOf(nth), status: '' });
const three = [row(1), row(2), row(3)];

const portOf = (...numbers: readonly string[]) => ({
  ...portSummaryOf('port-1'),
  rows: numbers.map((msisdn) => ({ msisdn, statusName: 'Created' })),
});
const claimOf = (nth: number, changes: Partial<NumberItem> = {}): NumberItem => ({
  number: msisdnOf(nth),
  importId: item.importId,
  request: item.request,
  line: nth + 1,
  claimedAt: iso(noon),
  ...changes,
});

/** `claims`: all claims of the table. */
const witnesses = (...claims: readonly NumberItem[]) => ({
  settings: { callingCode: '44' },
  numbers: { get: async (msisdn: string) => claims.find((claim) => claim.number === msisdn) },
});

describe('the rows that were sent', () => {
  const planned = {
    ...item,
    head: {},
    rows: [1, 2, 3, 4].map((nth) => plannedRowOf(nth, nth + 1)),
  };
  const plans = { read: async () => planned };
  const rowsOf = (lines: string) => sentRows({ ...item, lines }, double({ plans }));

  test('are the rows of the plan on the lines of the last attempt, without a status', async () => {
    const sent = [1, 3, 4].map((nth) => ({ line: nth + 1, msisdn: msisdnOf(nth), status: '' }));
    expect(await rowsOf('2,4-5')).toEqual(sent);
  });

  test('are none before the first attempt', async () => {
    expect(await sentRows(unsent, double({ plans }))).toEqual([]);
  });

  test('are unknown once the plan has expired', async () => {
    expect(await sentRows(item, double({ plans: expiredPlans }))).toBeUndefined();
  });
});

describe('by the plan, a port belongs to the request', () => {
  const ownBy = (sent: readonly PortRowState[], ...numbers: readonly string[]) =>
    verifyPortRows(item, portOf(...numbers), sent, double(witnesses()));

  test('if it has exactly the numbers that were sent, in any order and format', async () => {
    expect(await ownBy(three, msisdnOf(3), '07700900001', `+${msisdnOf(2)}`)).toEqual(three);
  });

  test.each([
    ['one number less', [1, 2]],
    ['one number more', [1, 2, 3, 4]],
    ['one other number', [1, 2, 4]],
    ['nothing', []],
  ])('but not if it has %s', async (_what, held) => {
    expect(await ownBy(three, ...held.map(msisdnOf))).toBeUndefined();
  });

  test('but not if nothing was sent: a port without numbers proves nothing', async () => {
    expect(await ownBy([])).toBeUndefined();
  });
});

describe('by the claims, a port belongs to the request', () => {
  const all = [claimOf(1), claimOf(2), claimOf(3)];
  const ownBy = (claims: readonly NumberItem[], held: readonly number[], of: RequestItem = item) =>
    verifyPortRows(of, portOf(...held.map(msisdnOf)), undefined, double(witnesses(...claims)));

  test('if each of its numbers is claimed for a line that was sent, and its rows are in the order of their lines', async () => {
    expect(await ownBy(all, [2, 3, 1])).toEqual(three);
  });

  test.each([
    ['holds one number less', all, [1, 2]],
    ['holds one number more, which nobody claimed', all, [1, 2, 3, 4]],
    ['holds one number more, which is claimed for a line that was not sent', [...all, claimOf(4)], [1, 2, 3, 4]],
    ['holds a number that nobody claimed', [claimOf(1), claimOf(2)], [1, 2, 3]],
    ['holds a number of another import', [...all.slice(1), claimOf(1, { importId: 'import-b' })], [1, 2, 3]],
    ['holds a number of another request', [...all.slice(1), claimOf(1, { request: 2 })], [1, 2, 3]],
    ['holds a number of a line that was not sent', [...all.slice(1), claimOf(1, { line: 9 })], [1, 2, 3]],
    ['holds two numbers of one line', [...all.slice(1), claimOf(1, { line: 3 })], [1, 2, 3]],
  ])('but not if it %s', async (_what, claims, held) => {
    expect(await ownBy(claims, held)).toBeUndefined();
  });

  test('but not if it is unknown what was sent: a port without numbers proves nothing', async () => {
    expect(await ownBy(all, [], unsent)).toBeUndefined();
    expect(await ownBy(all, [1, 2, 3], unsent)).toBeUndefined();
  });

  test('and the claims are read a few at a time', async () => {
    let [reading, most] = [0, 0];
    const get = async (msisdn: string) => {
      reading += 1;
      most = Math.max(most, reading);
      await Promise.resolve();
      reading -= 1;
      return claimOf(Number(msisdn.slice(-1)));
    };
    const held = [1, 2, 3, 4, 5, 6, 7, 8];
    const port = portOf(...held.map(msisdnOf));
    const parts = { ...witnesses(), numbers: { get } };
    expect(await verifyPortRows({ ...item, lines: '2-9' }, port, undefined, double(parts))).toEqual(held.map(row));
    expect(most).toBe(4);
  });
});
