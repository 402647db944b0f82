// The limits on concurrent calls and on the call rate: the simulation counts calls in every run and detects violations.
import { expect, test } from 'vitest';
import { type CallCaps, watchCalls } from './call-watch.ts';
import { simulate } from './chaos.ts';
import { noFaults } from './faults.ts';
import { smallScenario } from './scenario.ts';

const caps: CallCaps = { atOnce: { ingest: 1, submit: 2, report: 0, sync: 4 }, perSecond: 2 };

test('calls are counted by step, until they end', () => {
  const complaints: string[] = [];
  const watch = watchCalls(
    caps,
    () => 0,
    (complaint) => void complaints.push(complaint),
  );
  const ends = [watch.begin('submit'), watch.begin('ingest'), watch.begin('submit')];
  for (const end of ends) end();
  watch.begin('submit');
  watch.begin('submit');
  expect(complaints).toEqual([]);
  watch.begin('submit');
  expect(complaints).toEqual(['I7 3 calls of submit at once, at most 2']);
});

test('calls are counted by time: the rate limit over ten seconds, plus one second of delayed calls', () => {
  const complaints: string[] = [];
  let now = 0;
  const watch = watchCalls(
    caps,
    () => now,
    (complaint) => void complaints.push(complaint),
  );
  const callService = () => watch.begin('sync')();
  for (let call = 0; call < 22; call += 1) callService();
  expect(complaints).toEqual([]);
  callService();
  expect(complaints).toEqual(['I7 23 calls within 10 seconds, at most 22']);
  now = 10_000;
  callService();
  expect(complaints.length).toBe(1);
});

test('an environment with a separate rate limit is detected', async () => {
  const { violations } = await simulate({
    seed: 1,
    scenario: smallScenario,
    faults: noFaults,
    sabotage: {
      syncClient: (client) => ({
        ...client,
        // Two at a time: one after the other would wait for as long as the rate limit.
        port: async (portId) => {
          const many = async () => {
            for (let call = 0; call < 120; call += 1) await client.port(portId);
          };
          await Promise.all([many(), many()]);
          return client.port(portId);
        },
      }),
      rateLimiter: (rateLimiter) => ({ ...rateLimiter, acquire: async () => 0 }),
    },
  });
  expect(violations.join()).toMatch(/I7 \d+ calls within 10 seconds/);
});

test('a step with too many concurrent calls is detected', async () => {
  const { violations } = await simulate({
    seed: 1,
    scenario: smallScenario,
    faults: noFaults,
    sabotage: {
      syncClient: (client) => ({
        ...client,
        port: async (portId) => {
          const [port] = await Promise.all(Array.from({ length: 11 }, () => client.port(portId)));
          if (port === undefined) throw new Error('no port');
          return port;
        },
      }),
      rateLimiter: (rateLimiter) => ({ ...rateLimiter, acquire: async () => 0 }),
    },
  });
  expect(violations.join()).toMatch(/I7 \d+ calls of sync at once, at most 10/);
});
