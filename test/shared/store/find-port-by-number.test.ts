import { expect, test } from 'vitest';
import type { NumberItem } from '#shared/request/number-claim.ts';
import { createFindPortByNumber } from '#shared/store/numbers.ts';
import { double } from '../../support/double.ts';
import { requestItemOf } from '../../support/steps/ledger-items.ts';

const claim = (number: string, request: number): NumberItem => ({
  number,
  importId: 'import-a',
  request,
  line: 2,
  claimedAt: '2026-07-06T09:00:00.000Z',
});

const claims = new Map([claim('447700900001', 1), claim('447700900002', 2)].map((item) => [item.number, item]));
const requests = new Map([
  [1, requestItemOf({ request: 1, state: 'created', portId: 'port-1' })],
  [2, requestItemOf({ request: 2 })],
]);
const portOf = createFindPortByNumber(
  double({ get: async (number) => claims.get(number) }),
  double({
    get: async (_importId, request) => requests.get(request),
  }),
);

test.each([
  ['of a number that was sent', '447700900001', 'port-1'],
  ['of a number whose request has made no port yet', '447700900002', undefined],
  ['of a number that nobody knows', '447700900003', undefined],
])('the port %s', async (_, number, expected) => {
  expect(await portOf(number)).toBe(expected);
});
