// Which request gets a number, with claims and requests in the in-memory table.

import { beforeEach, describe, expect, test } from 'vitest';
import type { NumberItem } from '#shared/request/number-claim.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { createNumbers, type Numbers } from '#shared/store/numbers.ts';
import { createRequests, type Requests } from '#shared/store/requests.ts';
import { createTableTwin } from '../../support/in-memory/table.ts';
import { rowsContext } from '../../support/ingest/catalogue.ts';
import { iso, noon, requestItemOf } from '../../support/steps/ledger-items.ts';
import { attemptOf, claim as claimAt } from '../../support/steps/submit-attempt.ts';

const [first, second, third] = ['447700900001', '447700900002', '447700900003'] as const;
const now = iso(noon);
const before = iso(noon - 60_000);

const rows = [first, second, third].map((subject, index) => ({ line: index + 2, subject, wire: {} }));
const planned = (changes: Partial<RequestItem> = {}) => attemptOf(rows, { claims: true }, changes);
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

const validation = rowsContext();
/** Asked only about rows of corrections. */
const ports = { get: async () => undefined, rows: async () => undefined };
const stores = () => ({ numbers, requests, ports, validation });
const claim = (attempt = planned()) => claimAt(attempt, noon, stores());
const holders = async () =>
  Promise.all([first, second, third].map(async (number) => (await numbers.get(number))?.importId));
/** The numbers of another import, with its request in the given state. */
async function heldBy(request: Partial<RequestItem> | undefined, ...claims: readonly NumberItem[]): Promise<void> {
  await numbers.claim(claims);
  if (request !== undefined) await requests.plan([requestItemOf({ importId: 'import-b', request: 7, ...request })]);
}

test('free numbers are claimed, each for its line', async () => {
  expect(await claim()).toEqual({ rows, excludedRows: [] });
  expect(await numbers.get(second)).toEqual(
    claimOf(second, { importId: 'import-a', request: 1, line: 3, claimedAt: now }),
  );
});

test('a number that another request has in progress is excluded, and the message names that request', async () => {
  await heldBy({ state: 'created' }, claimOf(third), claimOf(first));
  const { rows, excludedRows } = await claim();
  expect(rows.map(({ subject }) => subject)).toEqual([second]);
  expect(excludedRows.map(({ line, subject, code }) => [line, subject, code])).toEqual([
    [2, first, 'MSISDN_IN_LIVE_IMPORT'],
    [4, third, 'MSISDN_IN_LIVE_IMPORT'],
  ]);
  expect(excludedRows[0]?.message).toContain('line 9 of import import-b');
  expect(await holders()).toEqual(['import-b', 'import-a', 'import-b']);
});

describe('a claim has ended, and is taken over,', () => {
  test('when its request is not in the table', async () => {
    await heldBy(undefined, claimOf(first));
    expect((await claim()).excludedRows).toEqual([]);
    expect(await holders()).toEqual(['import-a', 'import-a', 'import-a']);
  });

  test('when its request has ended', async () => {
    await heldBy({ state: 'declined', endedAt: before }, claimOf(first));
    expect((await claim()).excludedRows).toEqual([]);
    expect(await numbers.history(first)).toEqual([claimOf(first)]);
  });

  test('when its row has ended, though its request has not', async () => {
    const told = { portId: 'p', status: 'Cancelled', readAt: before, ended: true };
    await heldBy(
      { state: 'created' },
      claimOf(first, { latest: told }),
      claimOf(second, { latest: { ...told, ended: false } }),
    );
    expect((await claim()).excludedRows.map(({ subject }) => subject)).toEqual([second]);
  });

  test('when its row was excluded from its request', async () => {
    const row = { line: 9, subject: first, code: 'ROW_REFUSED' as const, message: 'why' };
    await heldBy({ state: 'created', excludedRows: [row] }, claimOf(first), claimOf(second));
    expect((await claim()).excludedRows.map(({ subject }) => subject)).toEqual([second]);
  });
});

test('a number that a request skipped stays with it as long as the next attempt may send it', async () => {
  const row = { line: 9, subject: first, code: 'MSISDN_IN_LIVE_IMPORT' as const, message: 'why' };
  const excludedRows = [row, { ...row, subject: second, code: 'ROW_REFUSED' as const }];
  await heldBy({ state: 'planned', excludedRows }, claimOf(first), claimOf(second));
  expect((await claim()).excludedRows.map(({ subject }) => subject)).toEqual([first]);
});

test('a number that a request skipped is free when the request has its port', async () => {
  const row = { line: 9, subject: first, code: 'MSISDN_IN_LIVE_IMPORT' as const, message: 'why' };
  await heldBy({ state: 'created', excludedRows: [row] }, claimOf(first));
  expect((await claim()).excludedRows).toEqual([]);
});

describe('a number that was ported before', () => {
  const complete = { portId: 'p', status: 'Complete', readAt: '2026-06-02T08:00:00.000Z', ended: true };
  const ported = { importId: 'import-b', line: 9, at: complete.readAt };

  test('is not sent again, and the message names the day and the import', async () => {
    await heldBy({ state: 'created', endedAt: before }, claimOf(first, { latest: complete }));
    const { excludedRows } = await claim();
    const message = '447700900001 was already ported on 2026-06-02 by import import-b (line 9)';
    expect(excludedRows).toEqual([{ line: 2, subject: first, code: 'MSISDN_ALREADY_PORTED', message }]);
    expect(await holders()).toEqual(['import-b', 'import-a', 'import-a']);
  });

  test('is sent where the setting allows it, and its claim keeps the port', async () => {
    await heldBy({ state: 'created', endedAt: before }, claimOf(first, { latest: complete }));
    const settings = { ...validation.settings, alreadyPorted: 'warning' as const };
    const allowed = { numbers, requests, ports, validation: { ...validation, settings } };
    expect((await claimAt(planned(), noon, allowed)).excludedRows).toEqual([]);
    expect(await numbers.get(first)).toMatchObject({ importId: 'import-a', ported });
  });

  test('is known by its earlier port, though a later import was declined', async () => {
    await heldBy({ state: 'declined', endedAt: before }, claimOf(first, { ported }));
    expect((await claim()).excludedRows).toMatchObject([{ code: 'MSISDN_ALREADY_PORTED' }]);
  });
});

test('a second delivery keeps its own claims, also those of an earlier invocation', async () => {
  await claim();
  expect(await claimAt(planned(), noon + 1, stores())).toMatchObject({
    excludedRows: [],
  });
  expect((await numbers.get(first))?.claimedAt).toBe(now);
});

test('another request of the same import keeps its claim', async () => {
  await claim();
  await requests.plan([requestItemOf({ importId: 'import-a', request: 1, state: 'created' })]);
  expect((await claim(planned({ request: 2 }))).excludedRows).toHaveLength(3);
});

test('each other request is read once', async () => {
  await heldBy({ state: 'created' }, claimOf(first), claimOf(second), claimOf(third, { request: 8 }));
  const asked: string[] = [];
  const counting = {
    get: (importId: string, request: number) => {
      asked.push(`${importId}/${request}`);
      return requests.get(importId, request);
    },
  };
  await claimAt(planned(), noon, { ...stores(), requests: counting });
  expect(asked.sort()).toEqual(['import-b/7', 'import-b/8']);
});

describe('when another request takes over an ended claim first', () => {
  test('the number belongs to that request', async () => {
    await heldBy(undefined, claimOf(first));
    const quicker = {
      ...numbers,
      takeOver: async (seen: NumberItem, next: NumberItem) => {
        await numbers.takeOver(seen, claimOf(first, { importId: 'import-c', claimedAt: now }));
        return numbers.takeOver(seen, next);
      },
    };
    const { excludedRows } = await claimAt(planned(), noon, { ...stores(), numbers: quicker });
    expect(excludedRows.map(({ message }) => message)).toEqual([expect.stringContaining('import import-c')]);
  });

  test('and the claim cannot be read, the number counts as taken', async () => {
    await heldBy(undefined, claimOf(first));
    const gone = { ...numbers, takeOver: async () => false, get: async () => undefined };
    expect((await claimAt(planned(), noon, { ...stores(), numbers: gone })).excludedRows).toMatchObject([
      { subject: first },
    ]);
  });
});

test('the request with the same number in another import keeps its claim', async () => {
  await numbers.claim([claimOf(first, { request: 1 })]);
  await requests.plan([requestItemOf({ importId: 'import-b', request: 1, state: 'created' })]);
  expect((await claim()).excludedRows).toMatchObject([{ subject: first }]);
});

test('excluded rows are in the order of the file, whatever the order of the claims', async () => {
  await heldBy({ state: 'created' }, claimOf(first), claimOf(third));
  const shuffled = {
    ...numbers,
    claim: async (claims: readonly NumberItem[]) => [claimOf('44'), ...(await numbers.claim(claims)).toReversed()],
  };
  const { excludedRows } = await claimAt(planned(), noon, { ...stores(), numbers: shuffled });
  expect(excludedRows.map(({ line }) => line)).toEqual([2, 4]);
});
