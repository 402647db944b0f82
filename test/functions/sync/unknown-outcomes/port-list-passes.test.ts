// Ports are found by the token in their name. Two complete scans prove that a port does not exist.
import { describe, expect, test } from 'vitest';
import type { SyncPipeline } from '#functions/sync/run.ts';
import { createSearchStore, type Search } from '#functions/sync/unknown-outcomes/kept-search.ts';
import { findPorts, type Sought } from '#functions/sync/unknown-outcomes/port-list-passes.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import type { PortSummary } from '#shared/service/contract.ts';
import { createFiles } from '#shared/store/files.ts';
import { portName, requestToken } from '#shared/text/identity.ts';
import { double } from '../../../support/double.ts';
import { createBucketTwin } from '../../../support/in-memory/bucket.ts';
import { portSummaryOf } from '../../../support/steps/submit-and-sync.ts';
import { testResources } from '../../../support/steps/test-pipeline.ts';

const [token, other] = [requestToken('import-a', 1), requestToken('import-a', 2)];
const named = (id: string, tokenInName: string) => portSummaryOf(id, { name: portName('Group', tokenInName) });

/** What the ledger knows, and time. */
const otherwise = {
  ports: { due: async () => [] },
  settings: { limit: 100, callsAtOnce: 1 },
  deadline: createDeadline(() => 60_000),
};
const stamp = '1.1';
const sought = (...tokens: readonly string[]) => new Map(tokens.map((each) => [each, { stamp, passes: 0 } as const]));
const wide = { limit: 100, callsAtOnce: 10 };

/** As the next run reads it. */
async function storedAndLoaded(search: Search): Promise<Search> {
  const files = createFiles(createBucketTwin({ now: () => 0 }) as never);
  const store = createSearchStore('search/1', double({ files, resources: testResources, clocks: { wall: () => 0 } }));
  await store.save(search);
  return store.load();
}
const [complete, incomplete] = [{ isComplete: true }, { isComplete: false }];

/** A service whose list has one page, which is different for each scan. */
function dependenciesFor(scans: readonly (readonly PortSummary[])[], calls: number[] = []): SyncPipeline {
  let scan = -1;
  const listPorts = async (page: number) => {
    if (page === 1) scan += 1;
    calls.push(page);
    const data = [...(scans[Math.min(scan, scans.length - 1)] ?? [])];
    return { total: data.length, totalPages: 1, data: page === 1 ? data : [] };
  };
  return { ...otherwise, client: { listPorts } } as unknown as SyncPipeline;
}

test('a port with one of the tokens is found, and others are ignored', async () => {
  const calls: number[] = [];
  const list = [named('p1', token), portSummaryOf('p2'), named('p3', requestToken('import-z', 1)), named('p4', token)];
  const found = await findPorts(sought(token), dependenciesFor([list], calls));
  expect([[...found.portsOf(token).keys()], found.isFound(token)]).toEqual([['p1', 'p4'], true]);
  expect([...found.portsOf(requestToken('import-z', 1)).keys()]).toEqual([]);
  // The first scan shows all tokens.
  expect(calls).toEqual([1]);
});

test('the second scan can show what the first one missed', async () => {
  const calls: number[] = [];
  const parts = dependenciesFor([[named('p1', token)], [named('p1', token), named('p2', other)]], calls);
  const found = await findPorts(sought(token, other), parts);
  expect([[...found.portsOf(token).keys()], [...found.portsOf(other).keys()]]).toEqual([['p1'], ['p2']]);
  expect([found.isFound(token), found.isFound(other), found.isFound('another')]).toEqual([true, true, false]);
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
  await findPorts(sought(token), {
    ...otherwise,
    client: { listPorts },
  } as unknown as SyncPipeline);
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
  const found = await findPorts(sought(token), {
    ...otherwise,
    client: { listPorts },
  } as unknown as SyncPipeline);
  expect([...found.portsOf(token).keys()]).toEqual(['own']);
});

test.each([
  { short: [], passes: 2, isComplete: true },
  { short: [1], passes: 3, isComplete: true },
  { short: [2], passes: 3, isComplete: true },
  { short: [1, 3], passes: 4, isComplete: true },
  { short: [2, 3], passes: 4, isComplete: true },
  { short: [1, 2], passes: 2, isComplete: false },
  { short: [1, 3, 4], passes: 4, isComplete: false },
  { short: [2, 3, 4], passes: 4, isComplete: false },
])(
  'a list that shows fewer ports than its total in passes $short: after $passes, proof is $isComplete',
  async (expected) => {
    let passes = 0;
    const listPorts = async (page: number) => ({
      total: expected.short.some((pass) => pass === passes) ? 2 : 1,
      totalPages: 1,
      data: page === 1 ? [portSummaryOf('p1')] : [],
    });
    // What the ledger knows is read as each pass begins.
    const due = async () => {
      passes += 1;
      return [];
    };
    const parts = { ...otherwise, ports: { due }, client: { listPorts } };
    const found = await findPorts(sought(token), parts as unknown as SyncPipeline);
    expect(found.proofOf(token)).toMatchObject({ isComplete: expected.isComplete });
    expect(passes).toBe(expected.passes);
  },
);

test('nothing is proven by a list that shows fewer ports than its total', async () => {
  const ports = Array.from({ length: 100 }, (_, index) => portSummaryOf(`p${index}`));
  const listPorts = async (page: number, pageSize: number) => {
    const data = page === 0 || page > 2 ? [] : ports.slice((page - 1) * pageSize, page * pageSize);
    return { total: 1000, totalPages: 20, data };
  };
  const found = await findPorts(sought(token), {
    ...otherwise,
    client: { listPorts },
  } as unknown as SyncPipeline);
  expect([[...found.portsOf(token).keys()], found.proofOf(token)]).toMatchObject([[], incomplete]);
});

describe('a port in progress that the ledger knows', () => {
  const known = (portId: string, name: string, missingReads = 0) => ({ portId, name, missingReads });
  const proof = async (items: readonly object[], scans: readonly (readonly PortSummary[])[]) => {
    const ports = { due: async () => items };
    return (await findPorts(sought(token), { ...dependenciesFor(scans), ports } as never)).proofOf(token);
  };
  const [one, two] = [named('p1', other), named('p2', other)];

  test('must be in both scans, or nothing is proven', async () => {
    const item = known('p1', one.name);
    expect(await proof([item], [[one]])).toMatchObject(complete);
    expect(await proof([item], [[two]])).toMatchObject(incomplete);
    expect(await proof([item], [[one], [two]])).toMatchObject(incomplete);
    expect(await proof([item], [[]])).toMatchObject({ isComplete: false, listed: 0 });
    expect(await proof([], [[], [one]])).toMatchObject({ listed: 0 });
    expect(await proof([], [[one], []])).toMatchObject({ listed: 0 });
  });

  test('is every one that has a due time, however late that is', async () => {
    const asked: string[] = [];
    const due = async (_account: string, until: string) => {
      asked.push(until);
      return [];
    };
    await findPorts(sought(token), { ...dependenciesFor([[one]]), ports: { due } } as never);
    expect(asked.map((until) => until > '9999-12-31')).toEqual([true, true]);
  });

  test('need not be there if the service did not find it, or if it is of a request that is searched for', async () => {
    expect(await proof([known('p1', one.name, 1)], [[two]])).toMatchObject(complete);
    expect(await proof([known('p1', portName('Group', token))], [[two]])).toMatchObject(complete);
  });

  test('need not be there either if it has ended before the pass is over', async () => {
    let readings = 0;
    const due = async () => {
      readings += 1;
      return readings % 2 === 1 ? [known('p1', one.name)] : [];
    };
    const found = await findPorts(sought(token), { ...dependenciesFor([[two]]), ports: { due } } as never);
    expect([found.proofOf(token), readings]).toMatchObject([complete, 4]);
  });
});

describe('a search that takes several runs', () => {
  /** Runs of so many calls each, until the search is over. Answers the last result and the pages of each run. */
  async function searchInRuns(
    callsPerRun: number,
    ports: () => readonly PortSummary[],
    soughtIn: (run: number) => ReadonlyMap<string, Sought> = () => sought(token),
  ) {
    const runs: number[][] = [];
    let kept: Search = {};
    for (let run = 1; run < 50; run += 1) {
      const calls: number[] = [];
      const listPorts = async (page: number, size: number) => {
        calls.push(page);
        const all = ports();
        const data = page < 1 ? [] : all.slice((page - 1) * size, page * size);
        return { total: all.length, totalPages: Math.ceil(all.length / size), data };
      };
      const deadline = createDeadline(() => (calls.length < callsPerRun ? 30_000 : 29_999));
      const dependencies = { ...otherwise, client: { listPorts }, deadline } as unknown as SyncPipeline;
      const found = await findPorts(soughtIn(run), dependencies, kept);
      runs.push(calls);
      if (kept.pass === undefined && kept.earlier === undefined) return { found, runs };
      kept = await storedAndLoaded(kept);
    }
    throw new Error('the search never ended');
  }

  const many = (count: number) => Array.from({ length: count }, (_, index) => portSummaryOf(`p${index}`));

  test('continues where it stopped, and proves the absence with two passes', async () => {
    const { found, runs } = await searchInRuns(3, () => many(230));
    expect(found.proofOf(token)).toEqual({ isComplete: true, isEndless: false, listed: 230 });
    // Each run reads the last page of the run before again.
    expect(runs).toEqual([
      [1, 0, 2],
      [2, 3, 4],
      [4, 5, 1],
      [1, 2, 3],
      [3, 4, 5],
      [5, 6],
    ]);
  });

  test('finds a port that moves between two runs to a page that was read', async () => {
    const ports = [...many(60), named('own', token), ...many(230).slice(60)];
    let asked = 0;
    const shrinking = () => {
      asked += 1;
      return asked > 3 ? ports.slice(15) : ports;
    };
    const { found } = await searchInRuns(3, shrinking, () => new Map([[token, { stamp, passes: 1 }]]));
    expect([...found.portsOf(token).keys()]).toEqual(['own']);
  });

  test('proves nothing about an attempt that was made after a pass began', async () => {
    const changing = (run: number) => new Map([[token, { stamp: run < 3 ? '1.1' : '2.4', passes: 0 } as const]]);
    const { found, runs } = await searchInRuns(3, () => many(230), changing);
    expect(found.proofOf(token)).toMatchObject(complete);
    // The third run begins again.
    expect(runs.slice(0, 4)).toEqual([
      [1, 0, 2],
      [2, 3, 4],
      [1, 0, 2],
      [2, 3, 4],
    ]);
  });

  test('covers a request that came later with the next two passes', async () => {
    const later = (run: number) => (run === 1 ? sought(token) : sought(token, other));
    const { found, runs } = await searchInRuns(4, () => many(230), later);
    expect([found.proofOf(other), runs.length]).toMatchObject([complete, 6]);
    // The one that came first needs two passes only.
    expect((await searchInRuns(4, () => many(230))).runs).toHaveLength(4);
  });

  test('uses a port at once that was found, unless an earlier attempt may have created another one', async () => {
    const ports = [named('own', token), ...many(230), named('second', token)];
    const at = (passes: Sought['passes']) =>
      searchInRuns(
        3,
        () => ports,
        () => new Map([[token, { stamp, passes }]]),
      );
    expect((await at(0)).runs).toHaveLength(1);
    expect([...(await at(0)).found.portsOf(token).keys()]).toEqual(['own']);
    expect([...(await at(1)).found.portsOf(token).keys()]).toEqual(['own', 'second']);
    expect((await at(2)).found.proofOf(token)).toMatchObject(complete);
  });

  test('remembers a port that only an incomplete pass showed', async () => {
    let begun = 0;
    const due = async () => {
      begun += 1;
      return [];
    };
    const listPorts = async (page: number) => {
      const [data, total] = begun === 2 ? [[named('own', token)], 2] : [many(1), 1];
      return { total, totalPages: 1, data: page === 1 ? data : [] };
    };
    let kept: Search = {};
    for (let run = 1; run < 9; run += 1) {
      // One pass a run.
      const deadline = createDeadline(() => (begun < run || kept.pass !== undefined ? 30_000 : 29_999));
      const parts = { ...otherwise, ports: { due }, client: { listPorts }, deadline } as unknown as SyncPipeline;
      const found = await findPorts(new Map([[token, { stamp, passes: 2 }]]), parts, kept);
      kept = await storedAndLoaded(kept);
      if (found.proofOf(token) === undefined) continue;
      expect([[...found.portsOf(token).keys()], found.proofOf(token), begun]).toMatchObject([['own'], complete, 3]);
      return;
    }
    throw new Error('the search never ended');
  });

  test('ends without proof where the list has no end', async () => {
    let calls = 0;
    const listPorts = async () => {
      calls += 1;
      return { total: 1e9, totalPages: 1e9, data: [portSummaryOf(`p${calls}`)] };
    };
    const deadline = createDeadline(() => 60_000);
    const dependencies = { ...otherwise, client: { listPorts }, deadline } as unknown as SyncPipeline;
    const found = await findPorts(sought(token), { ...dependencies, settings: wide } as never);
    expect(found.proofOf(token)).toMatchObject({ isComplete: false, isEndless: true });
    expect(calls).toBe(200_000);
  });
});

describe('a long list', () => {
  const newest = named('own', token);
  const long = Array.from({ length: 50_000 }, (_, index) => portSummaryOf(`p${index}`));

  const newer = Array.from({ length: 120 }, (_, index) => portSummaryOf(`n${index}`));

  test.each([
    ['at its front', [newest, ...long], [1, 0]],
    ['at its end', [...long, newest], [1, 0, 1, 1001]],
    ['behind 120 newer ones', [...long, newest, ...newer], [1, 0, 1, 1003, 2, 1002, 3, 1001]],
  ])('shows a new port %s with a few calls', async (_where, ports, calls) => {
    const asked: number[] = [];
    const listPorts = async (page: number, size: number) => {
      asked.push(page);
      const data = page < 1 ? [] : ports.slice((page - 1) * size, page * size);
      return { total: ports.length, totalPages: Math.ceil(ports.length / size), data };
    };
    const found = await findPorts(sought(token), { ...otherwise, client: { listPorts }, settings: wide } as never);
    expect([[...found.portsOf(token).keys()], found.isFound(token)]).toEqual([['own'], true]);
    expect(asked).toEqual(calls);
  });
});
