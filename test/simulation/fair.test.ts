// A small import that is uploaded while a large one is in progress.
import { expect, test } from 'vitest';
import type { SubmitMessage } from '#shared/domain/imports/plan.ts';
import { numberAt, simAt } from '../support/rows-ingest.ts';
import { createDice } from './dice.ts';
import { notify, put, settle } from './drive.ts';
import { noFaults } from './faults.ts';
import { concurrency } from './lambda.ts';
import { queueUrl, submitBatch } from './pipeline.ts';
import { csvTextOf, type Row } from './scenario.ts';
import { createWorld, type World } from './world.ts';

const start = Date.parse('2026-07-06T09:00:00Z');
/** Three rows are a request here: 60 requests, and 2. */
const large = rowsFrom(0, 180);
const small = rowsFrom(1_000, 5);
/** Messages that submit may already have received when those of the small import arrive. */
const inHand = concurrency.submit * submitBatch;

function rowsFrom(first: number, count: number): Row[] {
  return Array.from({ length: count }, (_, index) => ({
    msisdn: numberAt(first + index),
    serialNo: simAt(first + index),
    pac: `ABC${100_000 + index}`,
    boltOns: '',
  }));
}

const isSmall = (text: string): boolean => small.some(({ msisdn }) => text.includes(msisdn.slice(1)));

function openWorld(): World {
  const fates = { faults: () => noFaults, takesTwice: true, sabotage: undefined, isFair: () => true };
  return createWorld({ seed: 1, dice: createDice(1), start, ...fates, count: () => {} });
}

async function drop(key: string, rows: readonly Row[], world: World): Promise<void> {
  notify(await put(key, csvTextOf(rows), world), 0, world);
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
