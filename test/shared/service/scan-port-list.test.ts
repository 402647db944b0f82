// The list scan: every port of a correct list once, the first page number, and a visitor that ends it (spec gap 32).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Unavailable } from '#shared/service/errors.ts';
import { createIdSet, newScan } from '#shared/service/scan-port-list.ts';
import { declined, ids, pageOf, scanOver } from '../../support/service/port-list-scan.ts';

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

test('pages within the reported length are read at the same time, and those behind it one by one', async () => {
  let running = 0;
  const widths: number[] = [];
  const page = async (number: number) => {
    running += 1;
    widths.push(running);
    await Promise.resolve();
    running -= 1;
    return pageOf(ids(60), number, 10);
  };
  const { asked, visited } = await scanOver(page, { pageSize: 10, pageBase: 1, callsAtOnce: 3 });

  expect(asked).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(widths).toEqual([1, 1, 2, 3, 1, 2, 1]);
  expect(visited).toEqual(ids(60));
});

describe('a scan that was interrupted', () => {
  /** Reads `first` until this many calls were made, and then `second` to its end. */
  const inTwoRuns = async (calls: number, first: readonly string[], second: readonly string[]) => {
    let made = 0;
    const isOver = () => made >= calls;
    const counted = (all: readonly string[]) => (number: number) => {
      made += 1;
      return pageOf(all, number, 10);
    };
    const { scan, result } = await scanOver(counted(first), { pageSize: 10, pageBase: 1, isOver });
    const seen = createIdSet(scan.seen.toBytes());
    const after = await scanOver(counted(second), {}, { ...scan, seen });
    return { before: result, ...after };
  };

  test('continues where it stopped, after the last page of before', async () => {
    const { before, asked, visited, result } = await inTwoRuns(2, ids(45), ids(45));
    expect(before).toMatchObject({ ports: 20, ended: 'out-of-time', isComplete: false });
    expect(asked).toEqual([2, 3, 4, 5]);
    expect(visited).toEqual(ids(25, 21));
    expect(result).toMatchObject({ ports: 45, ended: 'last-page', isComplete: true });
  });

  test.each([
    [3, [2, 3, 4, 5]],
    [13, [2, 1, 2, 3, 4]],
  ])('reads the ports that %i removed ones moved to pages of before', async (removed, pages) => {
    const { asked, visited } = await inTwoRuns(2, ids(45), ids(45).slice(removed));
    expect(asked).toEqual(pages);
    expect(visited).toEqual(ids(25, 21));
  });

  test('reads on behind pages that new ports at the front moved, and then the front', async () => {
    const { visited, result } = await inTwoRuns(3, ids(45), [...ids(22, 100), ...ids(45)]);
    expect([...visited].sort()).toEqual([...ids(15, 31), ...ids(22, 100)].sort());
    expect(result).toMatchObject({ ports: 67, isComplete: true });
  });

  test('at its end continues at the front of the list', async () => {
    const came = [...ids(15, 100), ...ids(25)];
    let made = 0;
    const grown = (number: number) => {
      made += 1;
      return made > 3 ? pageOf(came, number, 10) : { ...pageOf(ids(25), number, 10), total: 40 };
    };
    const { scan, result } = await scanOver(grown, { pageSize: 10, pageBase: 1, isOver: () => made === 3 });
    expect([scan.isAtEnd, result.ended]).toEqual([true, 'out-of-time']);
    const { asked, result: after } = await scanOver(grown, {}, scan);
    expect(asked).toEqual([1, 2]);
    expect(after).toMatchObject({ ports: 40, ended: 'last-page', isComplete: true });
  });

  test('begins again where no page shows a port of before', async () => {
    const { asked } = await inTwoRuns(2, ids(45), ids(45, 100));
    expect(asked).toEqual([2, 1, 1, 2, 3, 4, 5]);
  });
});

test('a failure ends the scan after the calls that were made at the same time, and it continues with them', async () => {
  const page = async (number: number) => {
    if (number === 3) throw new Unavailable('answered 503', { call: 'GET /api/porting/1' });
    return pageOf(ids(45), number, 10);
  };
  const scan = newScan(10, 1);
  await expect(scanOver(page, { callsAtOnce: 2 }, scan)).rejects.toThrow(Unavailable);
  expect([scan.pages, scan.seen.size]).toEqual([1, 10]);
  const { visited } = await scanOver((number) => pageOf(ids(45), number, 10), {}, scan);
  expect(visited).toEqual(ids(35, 11));
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
