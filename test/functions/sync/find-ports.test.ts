// Ports are found by the token in their name; that one is absent is proven by two scans that saw the whole list.
import { expect, test } from 'vitest';
import { findPorts } from '#functions/sync/find-ports.ts';
import type { SyncParts } from '#functions/sync/parts.ts';
import { portName, requestToken } from '#shared/domain/identity.ts';
import type { PortSummary } from '#shared/porting/contract.ts';
import { portSummaryOf } from '../../support/results-rig.ts';

const [token, other] = [requestToken('import-a', 1), requestToken('import-a', 2)];
const named = (id: string, tokenInName: string) => portSummaryOf(id, { name: portName('Group', tokenInName) });

/** A service whose list is, scan by scan, one of these, on one page. */
function partsOf(scans: readonly (readonly PortSummary[])[], calls: number[] = []): SyncParts {
  let scan = -1;
  const listPorts = async (page: number) => {
    if (page === 1) scan += 1;
    calls.push(page);
    const data = [...(scans[Math.min(scan, scans.length - 1)] ?? [])];
    return { total: data.length, totalPages: 1, data: page === 1 ? data : [] };
  };
  return { client: { listPorts }, remainingMs: () => 60_000 } as unknown as SyncParts;
}

test('a port with one of the tokens is found; others do not count', async () => {
  const calls: number[] = [];
  const list = [named('p1', token), portSummaryOf('p2'), named('p3', requestToken('import-z', 1)), named('p4', token)];
  const found = await findPorts(new Set([token]), partsOf([list], calls));
  expect([found.portsOf(token), found.portsOf(requestToken('import-z', 1)), found.complete]).toEqual([
    ['p1', 'p4'],
    [],
    true,
  ]);
  // The first scan showed them all.
  expect(calls).toEqual([1]);
});

test('what the first scan missed may be in the second', async () => {
  const calls: number[] = [];
  const parts = partsOf([[named('p1', token)], [named('p1', token), named('p2', other)]], calls);
  const found = await findPorts(new Set([token, other]), parts);
  expect([found.portsOf(token), found.portsOf(other), found.complete]).toEqual([['p1'], ['p2'], true]);
  expect(calls).toEqual([1, 1]);
});

test('where the pages begin is found out by the first scan alone', async () => {
  const calls: number[] = [];
  const ports = Array.from({ length: 60 }, (_, index) => portSummaryOf(`p${index}`));
  const listPorts = async (page: number, pageSize: number) => {
    calls.push(page);
    const data = page === 0 ? [] : ports.slice((page - 1) * pageSize, page * pageSize);
    return { total: ports.length, totalPages: 2, data };
  };
  await findPorts(new Set([token]), { client: { listPorts }, remainingMs: () => 60_000 } as unknown as SyncParts);
  expect(calls).toEqual([1, 0, 2, 1, 2]);
});

/** A list that goes on for ever in the given scan: it ends at its limit. */
function endlessIn(scan: number): SyncParts {
  let scans = 0;
  let ports = 0;
  const listPorts = async (page: number) => {
    if (page === 1) scans += 1;
    ports += 1;
    const data = page === 0 ? [] : [portSummaryOf(`p${ports}`)];
    return scans === scan ? { total: 1e9, totalPages: 1e9, data } : { total: 1, totalPages: 1, data };
  };
  return { client: { listPorts }, remainingMs: () => 60_000 } as unknown as SyncParts;
}

test.each([1, 2])('nothing is proven to be absent when scan %i did not see the end of the list', async (scan) => {
  const found = await findPorts(new Set([token]), endlessIn(scan));
  expect([found.portsOf(token), found.complete, found.isCutShort]).toEqual([[], false, true]);
});

test('nothing is proven to be absent by a list that says that it has more than it shows', async () => {
  const ports = Array.from({ length: 100 }, (_, index) => portSummaryOf(`p${index}`));
  const listPorts = async (page: number, pageSize: number) => {
    const data = page === 0 || page > 2 ? [] : ports.slice((page - 1) * pageSize, page * pageSize);
    return { total: 1000, totalPages: 20, data };
  };
  const found = await findPorts(new Set([token]), {
    client: { listPorts },
    remainingMs: () => 60_000,
  } as unknown as SyncParts);
  expect([found.portsOf(token), found.complete]).toEqual([[], false]);
});

/** Two pages; the time is up once so many calls were made. */
const overAfter = (most: number, calls: number[]): SyncParts => {
  const ports = Array.from({ length: 80 }, (_, index) => portSummaryOf(`p${index}`));
  const listPorts = async (page: number, pageSize: number) => {
    calls.push(page);
    return { total: 80, totalPages: 2, data: page === 0 ? [] : ports.slice((page - 1) * pageSize, page * pageSize) };
  };
  const remainingMs = () => (calls.length < most ? 30_000 : 29_999);
  return { client: { listPorts }, remainingMs } as unknown as SyncParts;
};

test.each([
  ['the first scan', 2, [1, 0]],
  ['the second scan', 4, [1, 0, 2, 1]],
])('%s ends where its time is up: nothing more is asked, and nothing is proven', async (_which, most, asked) => {
  const calls: number[] = [];
  const found = await findPorts(new Set([token]), overAfter(most, calls));
  expect([found.complete, found.isCutShort]).toEqual([false, true]);
  expect(calls).toEqual(asked);
});

test('a list that is read whole within the time is not cut short', async () => {
  const found = await findPorts(new Set([token]), overAfter(6, []));
  expect([found.complete, found.isCutShort]).toEqual([true, false]);
});
