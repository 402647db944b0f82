// Ports are found by the token in their name. Two complete scans prove that a port does not exist.

import { describe, expect, test } from 'vitest';
import type { SyncDependencies } from '#functions/sync/dependencies.ts';
import { findPorts } from '#functions/sync/unknown-outcomes/find-ports.ts';
import { portName, requestToken } from '#shared/domain/requests/identity.ts';
import type { PortSummary } from '#shared/porting/contract.ts';
import { createDeadline } from '#shared/runtime/deadline.ts';
import { portSummaryOf } from '../../../support/results-rig.ts';

const [token, other] = [requestToken('import-a', 1), requestToken('import-a', 2)];
const named = (id: string, tokenInName: string) => portSummaryOf(id, { name: portName('Group', tokenInName) });

/** What the ledger knows, and time. */
const otherwise = { ports: { due: async () => [] }, settings: { limit: 100 }, deadline: createDeadline(() => 60_000) };

/** A service whose list has one page, which is different for each scan. */
function dependenciesFor(scans: readonly (readonly PortSummary[])[], calls: number[] = []): SyncDependencies {
  let scan = -1;
  const listPorts = async (page: number) => {
    if (page === 1) scan += 1;
    calls.push(page);
    const data = [...(scans[Math.min(scan, scans.length - 1)] ?? [])];
    return { total: data.length, totalPages: 1, data: page === 1 ? data : [] };
  };
  return { ...otherwise, client: { listPorts } } as unknown as SyncDependencies;
}

test('a port with one of the tokens is found, and others are ignored', async () => {
  const calls: number[] = [];
  const list = [named('p1', token), portSummaryOf('p2'), named('p3', requestToken('import-z', 1)), named('p4', token)];
  const found = await findPorts(new Set([token]), dependenciesFor([list], calls));
  expect([found.portsOf(token), found.portsOf(requestToken('import-z', 1)), found.complete]).toEqual([
    ['p1', 'p4'],
    [],
    true,
  ]);
  // The first scan shows all tokens.
  expect(calls).toEqual([1]);
});

test('the second scan can show what the first one missed', async () => {
  const calls: number[] = [];
  const parts = dependenciesFor([[named('p1', token)], [named('p1', token), named('p2', other)]], calls);
  const found = await findPorts(new Set([token, other]), parts);
  expect([found.portsOf(token), found.portsOf(other), found.complete]).toEqual([['p1'], ['p2'], true]);
  expect(calls).toEqual([1, 1]);
});

test('only the first scan finds out whether pages start at 0 or 1', async () => {
  const calls: number[] = [];
  const ports = Array.from({ length: 60 }, (_, index) => portSummaryOf(`p${index}`));
  const listPorts = async (page: number, pageSize: number) => {
    calls.push(page);
    const data = page === 0 ? [] : ports.slice((page - 1) * pageSize, page * pageSize);
    return { total: ports.length, totalPages: 2, data };
  };
  await findPorts(new Set([token]), {
    ...otherwise,
    client: { listPorts },
  } as unknown as SyncDependencies);
  expect(calls).toEqual([1, 0, 2, 1, 2]);
});

test('a port that moves over the end of a page in both scans is found, because their pages end at other ports', async () => {
  const ports = Array.from({ length: 120 }, (_, index) => portSummaryOf(`p${index}`));
  ports[50] = named('own', token);
  const newcomers = [portSummaryOf('n1'), portSummaryOf('n2')];
  // Behind the first page two ports are skipped and two new ones shown, so that the total is right.
  const listPorts = async (page: number, pageSize: number) => {
    const data = page < 2 ? ports.slice(0, pageSize) : [...ports, ...newcomers].slice((page - 1) * pageSize + 2);
    return { total: ports.length, totalPages: Math.ceil(ports.length / pageSize), data: data.slice(0, pageSize) };
  };
  const found = await findPorts(new Set([token]), {
    ...otherwise,
    client: { listPorts },
  } as unknown as SyncDependencies);
  expect(found.portsOf(token)).toEqual(['own']);
});

/** A list without end in the given scan, which ends at its limit. */
function endlessIn(scan: number): SyncDependencies {
  let scans = 0;
  let ports = 0;
  const listPorts = async (page: number) => {
    if (page === 1) scans += 1;
    ports += 1;
    const data = page === 0 ? [] : [portSummaryOf(`p${ports}`)];
    return scans === scan ? { total: 1e9, totalPages: 1e9, data } : { total: 1, totalPages: 1, data };
  };
  return { ...otherwise, client: { listPorts } } as unknown as SyncDependencies;
}

test.each([1, 2])('nothing is proven when scan %i did not read the list to its end', async (scan) => {
  const found = await findPorts(new Set([token]), endlessIn(scan));
  expect([found.portsOf(token), found.complete, found.isCutShort]).toEqual([[], false, true]);
});

test('nothing is proven by a list that shows fewer ports than its total', async () => {
  const ports = Array.from({ length: 100 }, (_, index) => portSummaryOf(`p${index}`));
  const listPorts = async (page: number, pageSize: number) => {
    const data = page === 0 || page > 2 ? [] : ports.slice((page - 1) * pageSize, page * pageSize);
    return { total: 1000, totalPages: 20, data };
  };
  const found = await findPorts(new Set([token]), {
    ...otherwise,
    client: { listPorts },
  } as unknown as SyncDependencies);
  expect([found.portsOf(token), found.complete]).toEqual([[], false]);
});

describe('a port in progress that the ledger knows', () => {
  const known = (portId: string, name: string, missingReads = 0) => ({ portId, name, missingReads });
  const search = (items: readonly object[], scans: readonly (readonly PortSummary[])[]) =>
    findPorts(new Set([token]), { ...dependenciesFor(scans), ports: { due: async () => items } } as never);
  const [one, two] = [named('p1', other), named('p2', other)];

  test('must be in both scans, or nothing is proven', async () => {
    const item = known('p1', one.name);
    expect((await search([item], [[one]])).complete).toBe(true);
    expect((await search([item], [[two]])).complete).toBe(false);
    expect((await search([item], [[one], [two]])).complete).toBe(false);
    expect(await search([item], [[]])).toMatchObject({ complete: false, listed: 0 });
    expect(await search([], [[], [one]])).toMatchObject({ listed: 0 });
    expect(await search([], [[one], []])).toMatchObject({ listed: 0 });
  });

  test('is every one that has a due time, however late that is', async () => {
    const asked: string[] = [];
    const due = async (until: string) => {
      asked.push(until);
      return [];
    };
    await findPorts(new Set([token]), { ...dependenciesFor([[one]]), ports: { due } } as never);
    expect(asked.map((until) => until > '9999-12-31')).toEqual([true]);
  });

  test('need not be there if the service did not find it, or if it is of a request that is searched for', async () => {
    expect((await search([known('p1', one.name, 1)], [[two]])).complete).toBe(true);
    expect((await search([known('p1', portName('Group', token))], [[two]])).complete).toBe(true);
  });
});

/** Two pages, with time for this many calls. */
const overAfter = (most: number, calls: number[]): SyncDependencies => {
  const ports = Array.from({ length: 80 }, (_, index) => portSummaryOf(`p${index}`));
  const listPorts = async (page: number, pageSize: number) => {
    calls.push(page);
    return { total: 80, totalPages: 2, data: page === 0 ? [] : ports.slice((page - 1) * pageSize, page * pageSize) };
  };
  const deadline = createDeadline(() => (calls.length < most ? 30_000 : 29_999));
  return { ...otherwise, client: { listPorts }, deadline } as unknown as SyncDependencies;
};

test.each([
  ['the first scan', 2, [1, 0]],
  ['the second scan', 4, [1, 0, 2, 1]],
])('%s ends when its time is over: no further call is made, and nothing is proven', async (_which, most, asked) => {
  const calls: number[] = [];
  const found = await findPorts(new Set([token]), overAfter(most, calls));
  expect([found.complete, found.isCutShort]).toEqual([false, true]);
  expect(calls).toEqual(asked);
});

test('a list that is read completely in time is not cut short', async () => {
  const found = await findPorts(new Set([token]), overAfter(6, []));
  expect([found.complete, found.isCutShort]).toEqual([true, false]);
});
