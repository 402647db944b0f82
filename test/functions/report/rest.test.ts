// When report looks at an import at once, and when it leaves that to one message that waits.
import { describe, expect, test } from 'vitest';
import { mayLook, restOf } from '#functions/report/rest.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { importItemOf } from '../../support/results-rig.ts';

const noon = Date.parse('2026-07-06T12:00:00Z');
const seconds = (count: number): number => count * 1_000;
const iso = (epochMs: number): string => new Date(epochMs).toISOString();

/** One import of 10,000 requests, and what was done about it, in order. */
function largeImport(changes: Partial<ImportItem> = {}) {
  let now = noon;
  let item = importItemOf('import-a', { requestCount: 10_000, ...changes });
  const done: string[] = [];
  const parts = {
    imports: {
      update: async (_: string, given: Partial<ImportItem>) => {
        done.push(`noted ${Object.keys(given)}`);
        item = { ...item, ...given };
        return item;
      },
    },
    queues: {
      send: async (queueUrl: string, bodies: readonly unknown[], { delaySeconds = 0 } = {}) => {
        done.push(`sent ${JSON.stringify(bodies)} to ${queueUrl}, in ${delaySeconds} s`);
      },
    },
    reportQueueUrl: 'reports',
    restOf,
    wall: () => now,
  };
  return {
    done,
    item: () => item,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    mayLook: (cameBack = false, other: Partial<typeof parts> = {}) => mayLook(item, cameBack, { ...parts, ...other }),
  };
}

describe('the rest', () => {
  test.each([
    [1, 0],
    [1_666, 0],
    [1_667, 5_001],
    [10_000, 30_000],
    [300_000, 900_000],
    [10_000_000, 900_000],
  ])('after a look at %i requests lasts %i ms', (requestCount, rest) => {
    expect(restOf(requestCount)).toBe(rest);
  });
});

test('an import of a few hundred requests is looked at as often as anybody tells of it', async () => {
  const small = largeImport({ requestCount: 600 });
  expect([await small.mayLook(), await small.mayLook()]).toEqual([true, true]);
  expect(small.done).toEqual([]);
});

test('a large one is looked at at once, and rests from then on', async () => {
  const large = largeImport();
  expect(await large.mayLook()).toBe(true);
  expect(large.item()).toMatchObject({ restsUntil: iso(noon + seconds(30)) });
  large.pass(seconds(30));
  expect(await large.mayLook()).toBe(true);
});

test('what changes meanwhile is left to one message, sent before it is noted', async () => {
  const large = largeImport({ restsUntil: iso(noon + seconds(20)) });
  for (let message = 0; message < 300; message += 1) expect(await large.mayLook()).toBe(false);
  expect(large.done).toEqual(['sent [{"importId":"import-a"}] to reports, in 20 s', 'noted putOffTo']);
});

test('that message looks, and the next rest has a message of its own', async () => {
  const large = largeImport({ restsUntil: iso(noon + seconds(20)) });
  await large.mayLook();
  large.pass(seconds(20));
  expect(await large.mayLook()).toBe(true);
  large.pass(seconds(1));
  expect(await large.mayLook()).toBe(false);
  expect(large.done.at(-2)).toContain('in 29 s');
});

test('by a clock that is two seconds behind, the message that waited leaves another: it never counts on itself', async () => {
  const large = largeImport({ restsUntil: iso(noon + seconds(20)) });
  await large.mayLook();
  large.pass(seconds(18));
  expect(await large.mayLook()).toBe(false);
  expect(large.done.at(-2)).toContain('in 2 s');
});

test('a message that came back is looked at: one that fails each time must be put aside', async () => {
  const large = largeImport({ restsUntil: iso(noon + seconds(20)) });
  expect(await large.mayLook(true)).toBe(true);
  expect(large.item()).toMatchObject({ restsUntil: iso(noon + seconds(30)) });
});

test('when no message could be left, nothing is noted, and this one fails', async () => {
  const large = largeImport({ restsUntil: iso(noon + seconds(20)) });
  const queues = { send: () => Promise.reject(new Error('SQS is down')) };
  await expect(large.mayLook(false, { queues })).rejects.toThrow('SQS is down');
  expect(large.done).toEqual([]);
});
