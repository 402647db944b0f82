// The caps on calls at the same time: counted by the simulator in every run, and seen to be missed where they are broken.
import { expect, test } from 'vitest';
import { type CallCaps, watchCalls } from './call-watch.ts';
import { noFaults } from './faults.ts';
import { smallScenario } from './scenario.ts';
import { simulate } from './simulator.ts';

const caps: CallCaps = { atOnce: { ingest: 1, submit: 2, report: 0, sync: 4 }, perSecond: 2 };

test('calls are counted by stage, until they end', () => {
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

test('calls are counted by time: as many as the pace gives in ten seconds, and those of a second that are late', () => {
  const complaints: string[] = [];
  let now = 0;
  const watch = watchCalls(
    caps,
    () => now,
    (complaint) => void complaints.push(complaint),
  );
  const callOnce = () => watch.begin('sync')();
  for (let call = 0; call < 22; call += 1) callOnce();
  expect(complaints).toEqual([]);
  callOnce();
  expect(complaints).toEqual(['I7 23 calls within 10 seconds, at most 22']);
  now = 10_000;
  callOnce();
  expect(complaints.length).toBe(1);
});

test('an environment that keeps a pace of its own is caught by the simulator', async () => {
  const { violations } = await simulate({
    seed: 1,
    scenario: smallScenario,
    faults: noFaults,
    sabotage: {
      syncClient: (client) => ({
        ...client,
        port: async (portId) => {
          for (let call = 0; call < 120; call += 1) await client.port(portId);
          return client.port(portId);
        },
      }),
      pace: (pace) => ({ ...pace, enter: async () => {} }),
    },
  });
  expect(violations.join()).toMatch(/I7 \d+ calls within 10 seconds/);
});

test('a stage that calls more often at once than it may is caught by the simulator', async () => {
  const { violations } = await simulate({
    seed: 1,
    scenario: smallScenario,
    faults: noFaults,
    sabotage: {
      syncClient: (client) => ({
        ...client,
        port: async (portId) => {
          const [port] = await Promise.all(Array.from({ length: 5 }, () => client.port(portId)));
          if (port === undefined) throw new Error('no port');
          return port;
        },
      }),
    },
  });
  expect(violations.map((violation) => violation.slice(0, 2))).toContain('I7');
});
