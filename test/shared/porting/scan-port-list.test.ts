// The list scan: every port of a correct list once, the first page number, and a visitor that ends it (spec gap 32).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Unavailable } from '#shared/porting/errors.ts';
import { scanPorts } from '#shared/porting/scan-port-list.ts';
import { declined, ids, pageOf, scanOver } from '../../support/port-list-scan.ts';

describe('a correct list', () => {
  test.each([0, 1, 9, 10, 11, 35, 100])('of %i ports is visited completely, each port once', async (count) => {
    const { visited } = await scanOver((number) => pageOf(ids(count), number, 10));

    expect(visited).toEqual(ids(count));
  });

  test('that fits on one page costs one call', async () => {
    const { asked, result } = await scanOver((number) => pageOf(ids(7), number, 10));

    expect(asked).toEqual([1]);
    expect(result).toEqual({ ports: 7, calls: 1, pageBase: undefined, ended: 'last-page', isComplete: true });
  });

  test('ends with a last page that is not full', async () => {
    const { asked, result } = await scanOver((number) => pageOf(ids(28), number, 10), { pageSize: 10, pageBase: 1 });

    expect(asked).toEqual([1, 2, 3]);
    expect(result).toEqual({ ports: 28, calls: 3, pageBase: 1, ended: 'last-page', isComplete: true });
  });

  test('ends with the empty page after a full last page', async () => {
    const { asked, result } = await scanOver((number) => pageOf(ids(30), number, 10), { pageSize: 10, pageBase: 1 });

    expect(asked).toEqual([1, 2, 3, 4]);
    expect(result).toEqual({ ports: 30, calls: 4, pageBase: 1, ended: 'empty-page', isComplete: true });
  });

  test('ends with the page after a full last page that the service declines', async () => {
    const page = (number: number) => {
      if (number > 3) throw declined;
      return pageOf(ids(30), number, 10);
    };
    const { result } = await scanOver(page, { pageSize: 10, pageBase: 1 });

    expect(result).toMatchObject({ ports: 30, ended: 'empty-page', isComplete: true });
  });

  test('has more ports than a total that lags', async () => {
    const lagging = (number: number) => ({ ...pageOf(ids(51), number, 10), total: 50, totalPages: 5 });
    const { visited } = await scanOver(lagging, { pageSize: 10, pageBase: 1 });

    expect(visited).toEqual(ids(51));
  });
});

describe('the first page number', () => {
  test('is 1 when page 0 repeats page 1', async () => {
    const { asked, result } = await scanOver((number) => pageOf(ids(25), number, 10));

    expect(asked).toEqual([1, 0, 2, 3]);
    expect(result.pageBase).toBe(1);
  });

  test('is 1 when page 0 is declined', async () => {
    const { visited, result } = await scanOver((number) => {
      if (number === 0) throw declined;
      return pageOf(ids(25), number, 10);
    });

    expect(result.pageBase).toBe(1);
    expect(visited).toHaveLength(25);
  });

  test('is 0 when page 0 has other ports, and no page is read twice', async () => {
    const { asked, visited, result } = await scanOver((number) => pageOf(ids(25), number, 10, 0));

    expect(asked).toEqual([1, 0, 2]);
    expect(visited).toEqual(ids(25));
    expect(result.pageBase).toBe(0);
  });

  test('is 0 also for a list so short that page 1 is empty', async () => {
    const { visited } = await scanOver((number) => pageOf(ids(4), number, 10, 0));

    expect(visited).toEqual(ids(4));
  });

  test('is found although a port appears between the two calls', async () => {
    const { result } = await scanOver((number, call) =>
      pageOf(call === 1 ? ids(25) : ['port-new', ...ids(25)], number, 10),
    );

    expect(result.pageBase).toBe(1);
  });

  test('is 1 when page 0 shares half of its ports with page 1', async () => {
    const { result } = await scanOver((number) => pageOf(number === 0 ? ids(10, 6) : ids(25), number, 10));

    expect(result.pageBase).toBe(1);
  });

  test('is not decided by an outage: that is an error', async () => {
    const scan = scanOver((number) => {
      if (number === 0) throw new Unavailable('answered 503', { call: 'GET /api/porting/1' });
      return pageOf(ids(25), number, 10);
    });

    await expect(scan).rejects.toThrow(Unavailable);
  });
});

test.each([1, 2, 4])('a page %i that the service counts and declines is an error', async (page) => {
  const scan = scanOver(
    (number) => {
      if (number === page) throw declined;
      return pageOf(ids(35), number, 10);
    },
    { pageSize: 10, pageBase: 1 },
  );

  await expect(scan).rejects.toBe(declined);
});

test('a visitor also gets ports that were added at the front, and can end the scan there', async () => {
  let calls = 0;
  const listPorts = async (number: number) => {
    calls += 1;
    return pageOf(calls === 1 ? ids(25) : ['port-new', ...ids(25)], number, 10);
  };
  const result = await scanPorts({ listPorts }, ({ id }) => (id === 'port-new' ? 'stop' : undefined), {
    pageSize: 10,
    pageBase: 1,
  });

  expect(result).toMatchObject({ calls: 4, ended: 'stopped', isComplete: false });
});

test('a visitor can end the scan with the port it looks for', async () => {
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

test('any correct list is visited completely, whatever its size, page size and first page number', async () => {
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
