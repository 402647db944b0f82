// The list scan: every port of a correct list once, the first page number, and a visitor that ends it (spec gap 32).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PortList } from '#shared/service/contract.ts';
import { Unavailable } from '#shared/service/errors.ts';
import { createIdSet, newScan } from '#shared/service/scan-port-list.ts';
import { declined, ids, pageOf, scanOver } from '../../support/service/port-list-scan.ts';
import { portSummary } from '../../support/service/scripted-server.ts';

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

  test('continues where it stopped, after the last page that was read', async () => {
    const { before, asked, visited, result } = await inTwoRuns(2, ids(45), ids(45));
    expect(before).toMatchObject({ ports: 20, ended: 'out-of-time', isComplete: false });
    expect(asked).toEqual([2, 3, 4, 5]);
    expect(visited).toEqual(ids(25, 21));
    expect(result).toMatchObject({ ports: 45, ended: 'last-page', isComplete: true });
  });

  test.each([
    [3, [2, 3, 4, 5]],
    [13, [2, 1, 2, 3, 4]],
  ])('reads the ports that %i removed ones moved to pages that were read', async (removed, pages) => {
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

  test('begins again where no page shows a port that was read', async () => {
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

// The list scan against lists with wrong totals, moving ports and no end (spec gap 32; fault 44).
describe('an incorrect list', () => {
  describe('an incorrect list (fault 44)', () => {
    test('with a port inserted during the scan does not visit a port twice', async () => {
      const { visited } = await scanOver(
        (number, call) => pageOf(call === 1 ? ids(25) : ['port-new', ...ids(25)], number, 10),
        { pageSize: 10, pageBase: 1 },
      );

      expect(new Set(visited).size).toBe(visited.length);
      expect(visited).toEqual([...ids(25), 'port-new']);
    });

    test('that repeats a page ends the scan', async () => {
      const page = { ...pageOf(ids(10), 1, 10), total: 1_000, totalPages: 100 };
      const { asked, visited, result } = await scanOver(() => page, { pageSize: 10, pageBase: 1 });

      // Page 1 again: the missing ports could have moved to the front of the list.
      expect(asked).toEqual([1, 2, 1]);
      expect(visited).toEqual(ids(10));
      expect(result).toMatchObject({ ended: 'repeated-page', isComplete: false });
    });

    test('with totals that are too small hides no port of a full page', async () => {
      const lying = (number: number) => ({ ...pageOf(ids(25), number, 10), total: 3, totalPages: 1 });
      const { visited } = await scanOver(lying, { pageSize: 10, pageBase: 1 });

      expect(visited).toEqual(ids(25));
    });

    test('with totals that are too large ends with the empty page', async () => {
      const lying = (number: number) => ({ ...pageOf(ids(25), number, 10), total: 9_999, totalPages: 999 });
      const { result } = await scanOver(lying, { pageSize: 10, pageBase: 1 });

      expect(result).toMatchObject({ ports: 25, ended: 'empty-page', isComplete: false });
    });

    test('with pages smaller than requested is read to its end', async () => {
      const { visited } = await scanOver((number) => pageOf(ids(25), number, 5), { pageSize: 50, pageBase: 1 });

      expect(visited).toEqual(ids(25));
    });

    test('without an end is read to the limit, which the result shows', async () => {
      const endless = (number: number) => ({ ...pageOf(ids(10, number * 10), 1, 10), total: 9e9, totalPages: 9e8 });
      const { result } = await scanOver(endless, { pageSize: 10, pageBase: 1, maximumPages: 20 });

      expect(result).toEqual({ ports: 200, calls: 20, pageBase: 1, ended: 'limit', isComplete: false });
    });
  });

  describe('a list is complete', () => {
    test.each([
      [3, 20],
      [1, 0],
    ])('only where it shows as many ports as its total: page %i and all later pages are empty', async (from, shown) => {
      const degraded = (number: number) => ({
        ...pageOf(ids(45), number, 10),
        ...(number >= from || number === 0 ? { data: [] } : {}),
      });
      const { result } = await scanOver(degraded, { pageSize: 10, pageBase: 1 });

      expect(result).toMatchObject({ ports: shown, ended: 'empty-page', isComplete: false });
    });

    test('only when the largest total of any page is reached', async () => {
      const { result } = await scanOver(
        (number, call) => ({ ...pageOf(ids(25), number, 10), total: call === 2 ? 26 : 25 }),
        {
          pageSize: 10,
          pageBase: 1,
        },
      );

      expect(result).toMatchObject({ ports: 25, isComplete: false });
    });

    test('although ports are added at its front: they are read as well', async () => {
      const came = ids(5, 100);
      const later = ids(8, 200);
      const { asked, visited, result } = await scanOver(
        (number, call) => pageOf([...(call >= 5 ? later : []), ...(call >= 3 ? came : []), ...ids(28)], number, 10),
        { pageSize: 10, pageBase: 1 },
      );

      expect(asked).toEqual([1, 2, 3, 4, 1, 2]);
      expect(new Set(visited)).toEqual(new Set([...ids(28), ...came, ...later]));
      expect(result).toEqual({ ports: 41, calls: 6, pageBase: 1, ended: 'last-page', isComplete: true });
    });

    test('but not when ports are added at its front without end', async () => {
      const growing = (number: number, call: number) => ({
        ...pageOf(call > 3 ? ids(100, 1000 * call) : ids(25), number, 10),
        total: 1000,
        totalPages: 3,
      });
      const { asked, result } = await scanOver(growing, { pageSize: 10, pageBase: 1, maximumPages: 4 });

      expect(asked).toEqual([1, 2, 3, 1, 2, 3, 4]);
      expect(result).toMatchObject({ ended: 'last-page', isComplete: false });
    });

    test('but not when pages are left unread, whatever the total is', async () => {
      let calls = 0;
      const lying = (number: number, call: number) => {
        calls = call;
        return { ...pageOf(ids(35), number, 10), total: 15 };
      };
      const { result } = await scanOver(lying, { pageSize: 10, pageBase: 1, isOver: () => calls >= 2 });

      expect(result).toEqual({ ports: 20, calls: 2, pageBase: 1, ended: 'out-of-time', isComplete: false });
    });

    test.each([
      [2, [1, 2]],
      [6, [1, 2, 3, 4, 5, 1]],
    ])('but not when the time is over after %i calls', async (most, read) => {
      let calls = 0;
      const growing = (number: number, call: number) => {
        calls = call;
        return pageOf([...ids(call > 2 ? 15 : 0, 100), ...ids(25)], number, 10);
      };
      const { asked, result } = await scanOver(growing, { pageSize: 10, pageBase: 1, isOver: () => calls >= most });

      expect(asked).toEqual(read);
      expect(result.isComplete).toBe(false);
    });
  });

  test('any scan ends, and visits no port twice, whatever the service answers', async () => {
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
});
