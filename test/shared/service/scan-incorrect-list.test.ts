// The list scan against lists with wrong totals, moving ports and no end (spec gap 32; fault 44).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PortList } from '#shared/service/contract.ts';
import { ids, pageOf, scanOver } from '../../support/service/port-list-scan.ts';
import { portSummary } from '../../support/service/scripted-server.ts';

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
