// Tests of the tests: a ledger that is broken on purpose must be caught, in each of the ways that would port a line twice.
import { expect, test } from 'vitest';
import type { RequestItem } from '#shared/domain/ledger.ts';
import type { Sabotage } from './pipeline.ts';
import { simulate } from './simulator.ts';

const mostSeeds = 80;

/** The invariants that broke, seed after seed until those that are wanted have. */
async function caughtBy(sabotage: Sabotage, ...wanted: readonly string[]): Promise<Set<string>> {
  const caught = new Set<string>();
  for (let seed = 1; seed <= mostSeeds && wanted.some((one) => !caught.has(one)); seed += 1) {
    const { violations } = await simulate({ seed, sabotage, takesTwice: true });
    for (const violation of violations) caught.add(violation.slice(0, 2));
  }
  return caught;
}

test('an intent that is written after the call is caught', async () => {
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
              return true;
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

test('a reconcile that does not look, and sends again blindly, is caught', async () => {
  const caught = await caughtBy(
    {
      syncClient: (client) => ({ ...client, listPorts: async () => ({ total: 0, totalPages: 0, data: [] }) }),
    },
    'I3',
  );
  expect(caught).toContain('I3');
});

test('a ledger without its fence, on which the last writer wins, is caught', async () => {
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
