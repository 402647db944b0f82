// A small import that is uploaded while a large one is in progress.
import { expect, test } from 'vitest';
import type { SubmitMessage } from '#shared/request/messages.ts';
import { createDice } from './dice.ts';
import { drop, settle } from './drive.ts';
import { noFaults } from './faults.ts';
import { concurrency } from './lambda.ts';
import { queueUrl, submitBatch } from './pipeline.ts';
import { validRows } from './scenario.ts';
import { createWorld, type World } from './world.ts';

const start = Date.parse('2026-07-06T09:00:00Z');
/** Three rows are a request here: 60 requests, and 2. */
const large = validRows(0, 180);
const small = validRows(1_000, 5);
/** Messages that submit may already have received when those of the small import arrive. */
const inHand = concurrency.submit * submitBatch;

const isSmall = (text: string): boolean => small.some(({ msisdn }) => text.includes(msisdn.slice(1)));

function openWorld(): World {
  const fates = { faults: () => noFaults, takesTwice: true, sabotage: undefined, isFair: () => true };
  return createWorld({ seed: 1, dice: createDice(1), start, ...fates, count: () => {} });
}

/** The imports with messages in the submit queue. */
const importsInLine = ({ queue }: World): number =>
  new Set(queue.bodies(queueUrl('submit')).map((body) => (JSON.parse(body) as SubmitMessage).importId)).size;

async function stepUntil(isSo: () => boolean, world: World): Promise<void> {
  while (!isSo() && (await world.timeline.step(start + 3_600_000)));
}

test('two requests that arrive after sixty others are sent next', async () => {
  const world = openWorld();
  const ports = () => world.network.ports().map(({ rows }) => JSON.stringify(rows));
  await drop('create-port/large.csv', large, world);
  await stepUntil(() => ports().length > 0, world);
  await drop('create-port/small.csv', small, world);
  // Ingest plans and releases it while submit sends the requests of the large one.
  await stepUntil(() => importsInLine(world) > 1, world);
  const before = ports().length;
  await settle(world);
  const places = ports().flatMap((rows, place) => (isSmall(rows) ? [place] : []));
  expect(ports()).toHaveLength(62);
  expect(before).toBeLessThan(20);
  expect(places).toHaveLength(2);
  expect(Math.max(...places)).toBeLessThan(before + inHand + places.length);
});
