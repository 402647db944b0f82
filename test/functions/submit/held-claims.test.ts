// Claims of numbers that another request holds, and when they are taken over.
import { beforeEach, describe, expect, test } from 'vitest';
import type { NumberItem } from '#shared/request/number-claim.ts';
import type { PlannedRow, RequestItem } from '#shared/request/request.ts';
import { createNumbers, type Numbers } from '#shared/store/numbers.ts';
import { createPorts } from '#shared/store/ports.ts';
import { createRequests, type Requests } from '#shared/store/requests.ts';
import { createTableTwin } from '../../support/in-memory/table.ts';
import { rowsContext } from '../../support/ingest/catalogue.ts';
import { iso, noon, portItemOf, requestItemOf } from '../../support/steps/ledger-items.ts';
import { attemptOf, claim as claimAt } from '../../support/steps/submit-attempt.ts';

// Which request gets a number, with claims and requests in the in-memory table.
describe('the numbers of a request', () => {
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
    expiresAt: 1_850_000_000,
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
});

// Which correction sends a row of the first file, with claims, requests and ports in the in-memory table.
describe('corrected rows', () => {
  const validation = rowsContext();
  const twoRows: readonly PlannedRow[] = [
    { line: 2, subject: 'sim-a', wire: {}, correctedRow: 'root/3' },
    { line: 3, subject: 'sim-b', wire: {}, correctedRow: 'root/7' },
  ];

  const openStores = () => {
    const table = createTableTwin({ now: () => noon }) as never;
    return {
      numbers: createNumbers(table, 'results'),
      requests: createRequests(table, 'results'),
      ports: createPorts(table, 'results'),
      validation,
    };
  };
  let stores: ReturnType<typeof openStores>;
  beforeEach(() => {
    stores = openStores();
  });

  const claim = (importId: string, changes: Partial<RequestItem> & { readonly rows?: readonly PlannedRow[] } = {}) => {
    const { rows = twoRows, ...item } = changes;
    return claimAt(attemptOf(rows, { claims: false }, { importId, ...item }), noon, stores);
  };
  const linesOf = ({ rows }: Awaited<ReturnType<typeof claim>>) => rows.map(({ line }) => line);
  /** Import `a` has claimed both rows, and its request is this. */
  const heldBy = async (request: Partial<RequestItem>, rows = twoRows) => {
    await claim('a', { rows });
    await stores.requests.plan([requestItemOf({ importId: 'a', lines: '2-3', ...request })]);
  };

  test('free rows are claimed', async () => {
    expect(await claim('a', { expiresAt: 99 })).toEqual({ rows: twoRows, excludedRows: [] });
    const claimed = { importId: 'a', request: 1, line: 3, claimedAt: iso(noon), expiresAt: 99 };
    expect(await stores.numbers.get('root/7')).toMatchObject(claimed);
  });

  test('rows that correct no other row claim nothing, and no call is made', async () => {
    const rows = twoRows.map(({ correctedRow, ...row }) => row);
    const failing = { ...stores, numbers: { ...stores.numbers, getMany: () => Promise.reject(new Error('read')) } };
    expect(await claimAt(attemptOf(rows, { claims: false }), noon, failing)).toEqual({ rows, excludedRows: [] });
    expect(await stores.numbers.get('sim-a')).toBeUndefined();
  });

  test('a row that another correction has is excluded, and the message names that import and the row', async () => {
    await heldBy({ state: 'planned', lines: undefined }, twoRows.slice(1));
    const claimed = await claim('b');
    expect(linesOf(claimed)).toEqual([2]);
    expect(claimed.excludedRows).toEqual([
      {
        line: 3,
        subject: 'sim-b',
        code: 'CORRECTION_ROW_ANSWERED',
        message: 'row 7 of the first file is already in the import a',
      },
    ]);
  });

  test('a second delivery keeps its claims; another request of the same import does not get them', async () => {
    await heldBy({ state: 'planned', lines: undefined });
    expect(linesOf(await claim('a'))).toEqual([2, 3]);
    expect(linesOf(await claim('a', { request: 2 }))).toEqual([]);
  });

  const row = { line: 3, subject: 'sim-b', code: 'ROW_REFUSED' as const, message: 'no' };
  const ended = iso(noon);

  describe('a claim has ended', () => {
    test.each<[string, Partial<RequestItem>, number[]]>([
      ['when its request was declined', { state: 'declined', endedAt: ended }, [2, 3]],
      ['when its plan had expired', { state: 'declined', lines: undefined, endedAt: ended }, [2, 3]],
      ['when the service named its row, though the others are sent', { state: 'planned', excludedRows: [row] }, [3]],
      ['when its row was skipped and the others were accepted', accepted({ ...row, code: 'LINE_NOT_CHANGEABLE' }), [3]],
      ['when its request was skipped', skippedAt('MSISDN_IN_LIVE_IMPORT'), [2, 3]],
    ])('%s', async (_when, request, free) => {
      await heldBy(request);
      expect(linesOf(await claim('b'))).toEqual(free);
      expect((await stores.numbers.get('root/7'))?.importId).toBe('b');
      expect(await stores.numbers.history('root/7')).toHaveLength(1);
    });

    test('when its row was skipped and the others are in a port', async () => {
      const skipped = { ...row, code: 'MSISDN_IN_LIVE_IMPORT' as const };
      await heldBy({ state: 'created', portId: 'port-1', lines: '2', excludedRows: [skipped] });
      expect(linesOf(await claim('b'))).toEqual([3]);
    });

    test('when its request is not in the table', async () => {
      await claim('a');
      expect(linesOf(await claim('b'))).toEqual([2, 3]);
    });

    test('when its row was cancelled in a port that continues', async () => {
      await heldBy({ operation: 'create-port', state: 'created', portId: 'port-1', portStatus: 'Submitted' });
      const rows = ['PacValid', 'Cancelled'].map((status, index) => ({ line: index + 2, msisdn: `${index}`, status }));
      await stores.ports.record({ next: portItemOf(), rows });
      expect(linesOf(await claim('b'))).toEqual([3]);
    });

    test('when its port was cancelled to be replaced by this request', async () => {
      await heldBy({ state: 'created', portId: 'port-1' });
      await stores.requests.plan([requestItemOf({ importId: 'b' })]);
      const replaces = { importId: 'a', request: 1, portId: 'port-1' };
      expect(linesOf(await claim('b', { replaces }))).toEqual([2, 3]);
      expect(linesOf(await claim('c', { replaces }))).toEqual([]);
    });
  });

  describe('a claim is kept', () => {
    test.each<[string, Partial<RequestItem>]>([
      ['planned', { state: 'planned' }],
      ['in flight', { state: 'in-flight' }],
      ['of unknown outcome', { state: 'unknown' }],
      ['a case for a person', { state: 'action-required' }],
      ['created', { state: 'created', portId: 'port-1' }],
      ['accepted', { state: 'accepted', endedAt: ended }],
      [
        'planned again after it skipped the row',
        { state: 'planned', excludedRows: [{ ...row, code: 'MSISDN_IN_LIVE_IMPORT' }] },
      ],
    ])('while its request is %s', async (_state, request) => {
      await heldBy(request);
      expect(linesOf(await claim('b'))).toEqual([]);
      expect((await stores.numbers.get('root/7'))?.importId).toBe('a');
    });
  });

  function accepted(excluded: NonNullable<RequestItem['excludedRows']>[number]): Partial<RequestItem> {
    return { state: 'accepted', lines: '2', excludedRows: [excluded], endedAt: ended };
  }
  function skippedAt(code: 'MSISDN_IN_LIVE_IMPORT'): Partial<RequestItem> {
    return {
      state: 'skipped',
      lines: undefined,
      endedAt: ended,
      excludedRows: [2, 3].map((line) => ({ ...row, line, code })),
    };
  }

  test('one of two requests gets a row whose claim has ended', async () => {
    await heldBy({ state: 'declined', endedAt: ended });
    const claims = await Promise.all([claim('b'), claim('c')]);
    expect(claims.flatMap(linesOf).sort()).toEqual([2, 3]);
  });

  test('a large request reads each other request and its port once', async () => {
    const rows = Array.from({ length: 300 }, (_, index) => ({
      ...twoRows[0],
      line: index + 2,
      subject: `sim-${index}`,
      wire: {},
      correctedRow: `root/${index}`,
    }));
    await heldBy({ state: 'created', portId: 'port-1', lines: '2-301' }, rows);
    const reads: string[] = [];
    const { requests, ports } = stores;
    const counting =
      <Key extends readonly unknown[], Answer>(read: (...key: Key) => Answer) =>
      (...key: Key): Answer => {
        reads.push(key.join('/'));
        return read(...key);
      };
    stores.requests = { ...requests, get: counting(requests.get) };
    stores.ports = { ...ports, rows: counting(ports.rows) };
    expect((await claim('b', { rows })).excludedRows).toHaveLength(300);
    expect(reads).toEqual(['a/1', 'port-1']);
  });

  test('the claim of a number has its line in the first file, and loses it with the correction', async () => {
    const number = '447700900001';
    const claimOf = (importId: string, row: Partial<PlannedRow>) =>
      claimAt(
        attemptOf([{ line: 2, subject: number, wire: {}, ...row }], { claims: true }, { importId }),
        noon,
        stores,
      );
    await claimOf('a', { correctedRow: 'root/31' });
    const first = await stores.numbers.get(number);
    expect(first).toMatchObject({ importId: 'a', line: 2, firstLine: 31 });
    expect(await stores.numbers.get('root/31')).not.toHaveProperty('firstLine');
    const next = { importId: 'b', number, request: 1, line: 5, claimedAt: iso(noon + 1), expiresAt: 1_850_000_000 };
    expect(first && (await stores.numbers.takeOver(first, next))).toBe(true);
    expect(await stores.numbers.get(number)).toEqual(next);
  });

  test('two corrections of a row with different numbers send one of them', async () => {
    const numbered = (number: string) => [{ line: 2, subject: number, wire: {}, correctedRow: 'root/3' }];
    const claimOf = (importId: string, number: string) =>
      claimAt(attemptOf(numbered(number), { claims: true }, { importId }), noon, stores);
    await stores.requests.plan(['a', 'b'].map((importId) => requestItemOf({ importId })));
    const [one, two] = await Promise.all([claimOf('a', '447700900001'), claimOf('b', '447700900002')]);
    expect(one.rows.length + two.rows.length).toBe(1);
    expect([...one.excludedRows, ...two.excludedRows]).toMatchObject([{ code: 'CORRECTION_ROW_ANSWERED' }]);
  });

  test('a row that is excluded for its number and as a corrected row is reported once', async () => {
    const numbered = [{ line: 2, subject: '447700900001', wire: {}, correctedRow: 'root/3' }];
    const claimOf = (importId: string) => claimAt(attemptOf(numbered, { claims: true }, { importId }), noon, stores);
    await stores.requests.plan([requestItemOf({ importId: 'a' })]);
    await claimOf('a');
    expect(await claimOf('b')).toMatchObject({ rows: [], excludedRows: [{ line: 2, subject: '447700900001' }] });
  });
});
