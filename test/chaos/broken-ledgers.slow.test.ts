// Tests of the simulation: it detects a ledger that is broken on purpose and would port a number twice.
import { expect, test } from 'vitest';
import type { RequestItem } from '#shared/request/request.ts';
import { simulate } from './chaos.ts';
import type { Sabotage } from './pipeline.ts';

const mostSeeds = 80;

/** The invariants that were violated, seed after seed, until all expected ones were. */
async function caughtBy(sabotage: Sabotage, ...wanted: readonly string[]): Promise<Set<string>> {
  const caught = new Set<string>();
  for (let seed = 1; seed <= mostSeeds && wanted.some((one) => !caught.has(one)); seed += 1) {
    const { violations } = await simulate({ seed, sabotage, takesTwice: true });
    for (const violation of violations) caught.add(violation.slice(0, 2));
  }
  return caught;
}

test('a write-ahead record that is written after the call is detected', async () => {
  const caught = await caughtBy(
    {
      submit: (requests, client) => {
        let held: { readonly seen: RequestItem; readonly next: RequestItem } | undefined;
        return {
          requests: {
            ...requests,
            replace: async (seen, next) => {
              if (next.state !== 'in-flight') return requests.replace(seen, next);
              held = { seen, next };
              return { ...next, revision: (seen.revision ?? 0) + 1 };
            },
          },
          client: {
            ...client,
            createPort: async (body) => {
              try {
                return await client.createPort(body);
              } finally {
                if (held !== undefined) await requests.replace(held.seen, held.next);
              }
            },
          },
        };
      },
    },
    'I2',
    'I3',
  );
  expect(caught).toContain('I2');
  expect(caught).toContain('I3');
});

test('a reconciliation that resends without a search is detected', async () => {
  const caught = await caughtBy(
    {
      syncClient: (client) => ({ ...client, listPorts: async () => ({ total: 0, totalPages: 0, data: [] }) }),
    },
    'I3',
  );
  expect(caught).toContain('I3');
});

test('a ledger without conditional writes is detected', async () => {
  const caught = await caughtBy(
    {
      requests: (requests) => ({
        ...requests,
        replace: async (seen, next) => {
          const standing = await requests.get(seen.importId, seen.request);
          return requests.replace(standing ?? seen, next);
        },
      }),
    },
    'I3',
  );
  expect(caught).toContain('I3');
});
