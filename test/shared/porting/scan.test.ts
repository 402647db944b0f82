// The list scan against lists that lie, shift and never end (decision 32; fault 44).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PortList } from '#shared/porting/contract.ts';
import { Rejected, Unavailable } from '#shared/porting/errors.ts';
import { type ScanOptions, scanPorts } from '#shared/porting/scan.ts';
import { portSummary } from '../../support/porting-client.ts';

const ids = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `port-${from + index}`);

/** A page of an honest list; page numbers below the base are clamped to it. */
function pageOf(all: readonly string[], number: number, pageSize: number, base = 1): PortList {
  const start = Math.max(number - base, 0) * pageSize;
  const data = all.slice(start, start + pageSize).map((id) => portSummary(id));
  return { total: all.length, totalPages: Math.ceil(all.length / pageSize), data };
}

async function scanOver(answer: (number: number, call: number) => PortList, options: ScanOptions = { pageSize: 10 }) {
  const visited: string[] = [];
  const asked: number[] = [];
  const client = {
    listPorts: async (number: number) => {
      asked.push(number);
      return answer(number, asked.length);
    },
  };
  const result = await scanPorts(
    client,
    (port) => {
      visited.push(port.id);
      return undefined;
    },
    options,
  );
  return { result, visited, asked };
}

const refused = new Rejected(
  { message: 'page numbers begin at 1', fieldErrors: [], msisdns: [] },
  { call: 'GET /api/porting/1', status: 400 },
);

describe('an honest list', () => {
  test.each([0, 1, 9, 10, 11, 35, 100])('of %i ports is visited whole, each port once', async (count) => {
    const { visited } = await scanOver((number) => pageOf(ids(count), number, 10));

    expect(visited).toEqual(ids(count));
  });

  test('that fits on one page costs one call', async () => {
    const { asked, result } = await scanOver((number) => pageOf(ids(7), number, 10));

    expect(asked).toEqual([1]);
    expect(result).toEqual({ ports: 7, calls: 1, pageBase: undefined, ended: 'last-page', isWhole: true });
  });

  test('ends with its last page', async () => {
    const { asked, result } = await scanOver((number) => pageOf(ids(30), number, 10), { pageSize: 10, pageBase: 1 });

    expect(asked).toEqual([1, 2, 3]);
    expect(result).toEqual({ ports: 30, calls: 3, pageBase: 1, ended: 'last-page', isWhole: true });
  });
});

describe('where pages begin', () => {
  test('a page 0 that repeats page 1 means 1', async () => {
    const { asked, result } = await scanOver((number) => pageOf(ids(25), number, 10));

    expect(asked).toEqual([1, 0, 2, 3]);
    expect(result.pageBase).toBe(1);
  });

  test('a page 0 that is refused means 1', async () => {
    const { visited, result } = await scanOver((number) => {
      if (number === 0) throw refused;
      return pageOf(ids(25), number, 10);
    });

    expect(result.pageBase).toBe(1);
    expect(visited).toHaveLength(25);
  });

  test('a page 0 of other ports means 0, and no page is read twice', async () => {
    const { asked, visited, result } = await scanOver((number) => pageOf(ids(25), number, 10, 0));

    expect(asked).toEqual([1, 0, 2]);
    expect(visited).toEqual(ids(25));
    expect(result.pageBase).toBe(0);
  });

  test('a list from 0 that is so short that page 1 is empty is still found', async () => {
    const { visited } = await scanOver((number) => pageOf(ids(4), number, 10, 0));

    expect(visited).toEqual(ids(4));
  });

  test('a port that appears between the two calls does not mislead', async () => {
    const { result } = await scanOver((number, call) =>
      pageOf(call === 1 ? ids(25) : ['port-new', ...ids(25)], number, 10),
    );

    expect(result.pageBase).toBe(1);
  });

  test('a page 0 that shares half its ports with page 1 means 1', async () => {
    const { result } = await scanOver((number) => pageOf(number === 0 ? ids(10, 6) : ids(25), number, 10));

    expect(result.pageBase).toBe(1);
  });

  test('an outage while finding out is an error, not an answer', async () => {
    const scan = scanOver((number) => {
      if (number === 0) throw new Unavailable('answered 503', { call: 'GET /api/porting/1' });
      return pageOf(ids(25), number, 10);
    });

    await expect(scan).rejects.toThrow(Unavailable);
  });
});

describe('fault 44: a list that misbehaves', () => {
  test('a port inserted while paging is not visited twice', async () => {
    const { visited } = await scanOver(
      (number, call) => pageOf(call === 1 ? ids(25) : ['port-new', ...ids(25)], number, 10),
      { pageSize: 10, pageBase: 1 },
    );

    expect(new Set(visited).size).toBe(visited.length);
    expect(visited).toEqual([...ids(25), 'port-new']);
  });

  test('a page answered again and again ends the scan', async () => {
    const page = { ...pageOf(ids(10), 1, 10), total: 1_000, totalPages: 100 };
    const { asked, visited, result } = await scanOver(() => page, { pageSize: 10, pageBase: 1 });

    // Page 1 once more: that the ports which are missing have come to its front would explain it.
    expect(asked).toEqual([1, 2, 1]);
    expect(visited).toEqual(ids(10));
    expect(result).toMatchObject({ ended: 'repeated-page', isWhole: false });
  });

  test('totals that are too small hide no port of a full page', async () => {
    const lying = (number: number) => ({ ...pageOf(ids(25), number, 10), total: 3, totalPages: 1 });
    const { visited } = await scanOver(lying, { pageSize: 10, pageBase: 1 });

    expect(visited).toEqual(ids(25));
  });

  test('totals that are too large end with the empty page', async () => {
    const lying = (number: number) => ({ ...pageOf(ids(25), number, 10), total: 9_999, totalPages: 999 });
    const { result } = await scanOver(lying, { pageSize: 10, pageBase: 1 });

    expect(result).toMatchObject({ ports: 25, ended: 'empty-page', isWhole: false });
  });

  test('pages smaller than asked for are no end', async () => {
    const { visited } = await scanOver((number) => pageOf(ids(25), number, 5), { pageSize: 50, pageBase: 1 });

    expect(visited).toEqual(ids(25));
  });

  test('an endless list ends at the limit, and says that it did', async () => {
    const endless = (number: number) => ({ ...pageOf(ids(10, number * 10), 1, 10), total: 9e9, totalPages: 9e8 });
    const { result } = await scanOver(endless, { pageSize: 10, pageBase: 1, maximumPages: 20 });

    expect(result).toEqual({ ports: 200, calls: 20, pageBase: 1, ended: 'limit', isWhole: false });
  });
});

describe('a list is whole', () => {
  test.each([
    [3, 20],
    [1, 0],
  ])('only where it shows as many ports as it says: page %i and all behind it answered empty', async (from, shown) => {
    const degraded = (number: number) => ({
      ...pageOf(ids(45), number, 10),
      ...(number >= from || number === 0 ? { data: [] } : {}),
    });
    const { result } = await scanOver(degraded, { pageSize: 10, pageBase: 1 });

    expect(result).toMatchObject({ ports: shown, ended: 'empty-page', isWhole: false });
  });

  test('whichever page it was that told of more', async () => {
    const { result } = await scanOver(
      (number, call) => ({ ...pageOf(ids(25), number, 10), total: call === 2 ? 26 : 25 }),
      {
        pageSize: 10,
        pageBase: 1,
      },
    );

    expect(result).toMatchObject({ ports: 25, isWhole: false });
  });

  test('although others come to its front while it is read: they are read as well', async () => {
    const came = ids(5, 100);
    const later = ids(8, 200);
    const { asked, visited, result } = await scanOver(
      (number, call) => pageOf([...(call >= 5 ? later : []), ...(call >= 3 ? came : []), ...ids(28)], number, 10),
      { pageSize: 10, pageBase: 1 },
    );

    expect(asked).toEqual([1, 2, 3, 4, 1, 2]);
    expect(new Set(visited)).toEqual(new Set([...ids(28), ...came, ...later]));
    expect(result).toEqual({ ports: 41, calls: 6, pageBase: 1, ended: 'last-page', isWhole: true });
  });

  test('or not, where others come to its front for ever', async () => {
    const growing = (number: number, call: number) => ({
      ...pageOf(call > 3 ? ids(100, 1000 * call) : ids(25), number, 10),
      total: 1000,
      totalPages: 3,
    });
    const { asked, result } = await scanOver(growing, { pageSize: 10, pageBase: 1, maximumPages: 4 });

    expect(asked).toEqual([1, 2, 3, 1, 2, 3, 4]);
    expect(result).toMatchObject({ ended: 'last-page', isWhole: false });
  });

  test('not where pages were left unread, whatever it says of its length', async () => {
    let calls = 0;
    const lying = (number: number, call: number) => {
      calls = call;
      return { ...pageOf(ids(35), number, 10), total: 15 };
    };
    const { result } = await scanOver(lying, { pageSize: 10, pageBase: 1, isOver: () => calls >= 2 });

    expect(result).toEqual({ ports: 20, calls: 2, pageBase: 1, ended: 'out-of-time', isWhole: false });
  });

  test.each([
    [2, [1, 2]],
    [4, [1, 2, 3, 1]],
  ])('not where the time was up after %i calls', async (most, read) => {
    let calls = 0;
    const growing = (number: number, call: number) => {
      calls = call;
      return pageOf([...ids(call > 2 ? 15 : 0, 100), ...ids(25)], number, 10);
    };
    const { asked, result } = await scanOver(growing, { pageSize: 10, pageBase: 1, isOver: () => calls >= most });

    expect(asked).toEqual(read);
    expect(result.isWhole).toBe(false);
  });

  test('not where the visitor was content', async () => {
    const client = { listPorts: async (number: number) => pageOf(ids(7), number, 10) };
    const result = await scanPorts(client, () => 'stop');

    expect(result).toMatchObject({ ended: 'stopped', isWhole: false });
  });
});

test('a visitor finds what came to the front meanwhile, and ends the scan there as well', async () => {
  let calls = 0;
  const listPorts = async (number: number) => {
    calls += 1;
    return pageOf(calls === 1 ? ids(25) : ['port-new', ...ids(25)], number, 10);
  };
  const result = await scanPorts({ listPorts }, ({ id }) => (id === 'port-new' ? 'stop' : undefined), {
    pageSize: 10,
    pageBase: 1,
  });

  expect(result).toMatchObject({ calls: 4, ended: 'stopped', isWhole: false });
});

test('a visitor ends the scan with the port it looked for', async () => {
  const visited: string[] = [];
  const client = { listPorts: async (number: number) => pageOf(ids(100), number, 10) };

  const result = await scanPorts(
    client,
    async (port) => {
      visited.push(port.id);
      return port.id === 'port-12' ? 'stop' : undefined;
    },
    { pageSize: 10, pageBase: 1 },
  );

  expect(visited.at(-1)).toBe('port-12');
  expect(result).toMatchObject({ ports: 12, calls: 2, ended: 'stopped' });
});

test('any honest list is visited whole, whatever its size, page size and first page number', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 120 }),
      fc.integer({ min: 1, max: 50 }),
      fc.constantFrom(0, 1),
      async (count, pageSize, base) => {
        const { visited } = await scanOver((number) => pageOf(ids(count), number, pageSize, base), { pageSize });
        expect(visited).toEqual(ids(count));
      },
    ),
  );
});

test('any list ends, and no port is visited twice, whatever it answers', async () => {
  const page = fc.record({
    total: fc.nat(500),
    totalPages: fc.nat(50),
    data: fc.array(
      fc.nat(60).map((id) => portSummary(`port-${id}`)),
      { maxLength: 20 },
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 30 }), async (pages) => {
      const { visited, asked } = await scanOver((_number, call) => pages[(call - 1) % pages.length] as PortList);
      expect(new Set(visited).size).toBe(visited.length);
      expect(asked.length).toBeLessThanOrEqual(128);
    }),
  );
});
