// Who may have a number: over the twin of the table, with the claims and the requests as they stand there.
import { beforeEach, describe, expect, test } from 'vitest';
import { claimNumbers } from '#functions/submit/claim-numbers.ts';
import { createNumbers, type Numbers } from '#shared/aws/numbers.ts';
import { createRequests, type Requests } from '#shared/aws/requests.ts';
import type { NumberItem, RequestItem } from '#shared/domain/ledger.ts';
import type { PlannedRequest } from '#shared/domain/plan.ts';
import { iso, noon, requestItemOf } from '../../support/results-ledger.ts';
import { createTableTwin } from '../../support/twin-table.ts';

const [first, second, third] = ['447700900001', '447700900002', '447700900003'] as const;
const now = iso(noon);
const before = iso(noon - 60_000);

const planned = (changes: Partial<PlannedRequest> = {}): PlannedRequest => ({
  importId: 'import-a',
  request: 1,
  operation: 'create-port',
  token: 'token',
  label: 'Group',
  head: {},
  rows: [first, second, third].map((subject, index) => ({ line: index + 2, subject, wire: {} })),
  ...changes,
});
const claimOf = (number: string, changes: Partial<NumberItem> = {}): NumberItem => ({
  number,
  importId: 'import-b',
  request: 7,
  line: 9,
  claimedAt: before,
  ...changes,
});

let numbers: Numbers;
let requests: Requests;
beforeEach(() => {
  const table = createTableTwin({ now: () => noon }) as never;
  numbers = createNumbers(table, 'results');
  requests = createRequests(table, 'results');
});

const claim = (request = planned()) => claimNumbers(request, now, { numbers, requests });
const holders = async () =>
  Promise.all([first, second, third].map(async (number) => (await numbers.get(number))?.importId));
/** The numbers of another import, whose request stands as given. */
async function heldBy(request: Partial<RequestItem> | undefined, ...claims: readonly NumberItem[]): Promise<void> {
  await numbers.claim(claims);
  if (request !== undefined) await requests.plan([requestItemOf({ importId: 'import-b', request: 7, ...request })]);
}

test('free numbers are claimed, each for its line', async () => {
  expect(await claim()).toEqual({ rows: planned().rows, withdrawn: [] });
  expect(await numbers.get(second)).toEqual(
    claimOf(second, { importId: 'import-a', request: 1, line: 3, claimedAt: now }),
  );
});

test('a number that a request on its way holds is withdrawn, and the message says who has it', async () => {
  await heldBy({ state: 'created' }, claimOf(third), claimOf(first));
  const { rows, withdrawn } = await claim();
  expect(rows.map(({ subject }) => subject)).toEqual([second]);
  expect(withdrawn.map(({ line, subject, code }) => [line, subject, code])).toEqual([
    [2, first, 'MSISDN_IN_LIVE_IMPORT'],
    [4, third, 'MSISDN_IN_LIVE_IMPORT'],
  ]);
  expect(withdrawn[0]?.message).toContain('line 9 of import import-b');
  expect(await holders()).toEqual(['import-b', 'import-a', 'import-b']);
});

describe('a claim has lapsed, and is taken over,', () => {
  test('when its request is not in the table', async () => {
    await heldBy(undefined, claimOf(first));
    expect((await claim()).withdrawn).toEqual([]);
    expect(await holders()).toEqual(['import-a', 'import-a', 'import-a']);
  });

  test('when its request has ended', async () => {
    await heldBy({ state: 'refused', endedAt: before }, claimOf(first));
    expect((await claim()).withdrawn).toEqual([]);
    expect(await numbers.history(first)).toEqual([claimOf(first)]);
  });

  test('when its row has ended, though its request has not', async () => {
    const told = { portId: 'p', status: 'Cancelled', lookedAt: before, ended: true };
    await heldBy({ state: 'created' }, claimOf(first, { told }), claimOf(second, { told: { ...told, ended: false } }));
    expect((await claim()).withdrawn.map(({ subject }) => subject)).toEqual([second]);
  });

  test('when its row was taken out of its request', async () => {
    const row = { line: 9, subject: first, code: 'ROW_REFUSED' as const, message: 'why' };
    await heldBy({ state: 'created', withdrawn: [row] }, claimOf(first), claimOf(second));
    expect((await claim()).withdrawn.map(({ subject }) => subject)).toEqual([second]);
  });
});

test('a second delivery finds its own claims, also those of another run, and keeps them', async () => {
  await claim();
  expect(await claimNumbers(planned(), iso(noon + 1), { numbers, requests })).toMatchObject({ withdrawn: [] });
  expect((await numbers.get(first))?.claimedAt).toBe(now);
});

test('another request of the same import is another holder', async () => {
  await claim();
  await requests.plan([requestItemOf({ importId: 'import-a', request: 1, state: 'created' })]);
  expect((await claim(planned({ request: 2 }))).withdrawn).toHaveLength(3);
});

test('each holding request is asked for once', async () => {
  await heldBy({ state: 'created' }, claimOf(first), claimOf(second), claimOf(third, { request: 8 }));
  const asked: string[] = [];
  const counting = {
    get: (importId: string, request: number) => {
      asked.push(`${importId}/${request}`);
      return requests.get(importId, request);
    },
  };
  await claimNumbers(planned(), now, { numbers, requests: counting });
  expect(asked.sort()).toEqual(['import-b/7', 'import-b/8']);
});

describe('when somebody else was quicker to take a lapsed claim over', () => {
  test('the number is theirs', async () => {
    await heldBy(undefined, claimOf(first));
    const quicker = {
      ...numbers,
      takeOver: async (seen: NumberItem, next: NumberItem) => {
        await numbers.takeOver(seen, claimOf(first, { importId: 'import-c', claimedAt: now }));
        return numbers.takeOver(seen, next);
      },
    };
    const { withdrawn } = await claimNumbers(planned(), now, { numbers: quicker, requests });
    expect(withdrawn.map(({ message }) => message)).toEqual([expect.stringContaining('import import-c')]);
  });

  test('and the claim cannot be read, it counts as theirs', async () => {
    await heldBy(undefined, claimOf(first));
    const gone = { ...numbers, takeOver: async () => false, get: async () => undefined };
    expect((await claimNumbers(planned(), now, { numbers: gone, requests })).withdrawn).toMatchObject([
      { subject: first },
    ]);
  });
});

test('a request of the same number of another import is another holder', async () => {
  await numbers.claim([claimOf(first, { request: 1 })]);
  await requests.plan([requestItemOf({ importId: 'import-b', request: 1, state: 'created' })]);
  expect((await claim()).withdrawn).toMatchObject([{ subject: first }]);
});

test('claims that the table answers in another order, or did not have to, are told in the order of the file', async () => {
  await heldBy({ state: 'created' }, claimOf(first), claimOf(third));
  const shuffled = {
    ...numbers,
    claim: async (claims: readonly NumberItem[]) => [claimOf('44'), ...(await numbers.claim(claims)).toReversed()],
  };
  const { withdrawn } = await claimNumbers(planned(), now, { numbers: shuffled, requests });
  expect(withdrawn.map(({ line }) => line)).toEqual([2, 4]);
});
