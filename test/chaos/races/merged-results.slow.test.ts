// Report writes the corrections of an import into its results. In any order of effects, and wherever a run is killed,
// the results show at the end what each correction sent. Sync does not run: it would notify report again.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resultsKey } from '#shared/store/object-keys.ts';
import { swept, sweptRuns } from '../fault-runs.ts';
import { buckets } from '../pipeline.ts';
import { deliver, type Race, serialQueue, startRace } from './race.ts';

const numRuns = Number(process.env.RACE_RUNS ?? sweptRuns(15));
const seed = Number(process.env.RACE_SEED ?? 4_711);
const timeout = 60_000 + numRuns * 1_000;

const header = 'serialNumber,network,message';
const sims = ['89440023210010002509', '89440023210010002608'];

/** Both rows of the first file are invalid; each is sent by a separate correction. No report has run. */
async function sendCorrections(race: Race): Promise<string> {
  const rows = sims.map((sim) => `${sim},232,`);
  await race.alone(deliver('ingest', await race.upload('send-sms/first.csv', `${[header, ...rows].join('\n')}\n`)));
  const [root] = race.world.table.items().filter(({ sk }) => sk === 'import');
  const importId = String(root?.importId);
  await reportAll(race, importId);
  for (const [index, sim] of sims.entries()) {
    const text = `${header},importId,line\n${sim},232,Fixed,${importId},${index + 2}\n`;
    await race.alone(deliver('ingest', await race.upload(`send-sms/correction-${index}.csv`, text)));
  }
  for (const message of race.take('submit')) await race.alone(deliver('submit', message));
  // The index that lists imports is behind for at most three seconds.
  race.world.timeline.moveTo(race.world.timeline.now() + 3_000);
  return importId;
}

/** Until no message waits. Returns the results. */
async function reportAll(race: Race, importId: string): Promise<string> {
  for (let messages = race.take('report'); messages.length > 0; messages = race.take('report')) {
    for (const message of messages) await race.alone(deliver('report', message));
  }
  return race.world.bucket.text(buckets.results, resultsKey(importId));
}

function expectMerged(text: string): void {
  const rows: { line: string; outcome: string }[] = parse(text, { columns: true, bom: true });
  expect(rows.map(({ line, outcome }) => [line, outcome])).toEqual([
    ['2', 'accepted'],
    ['3', 'accepted'],
  ]);
}

test('two corrections are reported on at once, with their first import', { timeout }, () =>
  fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.nat(1_000), async (turns, worldSeed) => {
      const race = startRace(turns, worldSeed);
      const importId = await sendCorrections(race);
      for (let messages = race.take('report'); messages.length > 0; messages = race.take('report')) {
        const distinct = new Set(messages.map((message) => JSON.stringify(message)));
        await race.together(...[...distinct].map((message) => deliver('report', JSON.parse(message))));
      }
      expectMerged(race.world.bucket.text(buckets.results, resultsKey(importId)));
    }),
    { numRuns, seed },
  ),
);

/** As many effects as the report on a correction and on its first import have, and some more. */
const effects = Array.from({ length: 60 }, (_, index) => index);

test.each(swept(effects))('report is killed after effect %i, and its messages are delivered again', async (place) => {
  const race = startRace(serialQueue, place);
  const importId = await sendCorrections(race);
  const { pipeline, environment } = race.world.open();
  race.strikes.add({ fate: 'killed-after', after: place });
  const messages = race.take('report');
  const all = async () => {
    for (const message of messages) await deliver('report', message)(pipeline);
  };
  await Promise.race([all(), environment.death]);
  race.strikes.clear();
  for (const message of messages) await race.alone(deliver('report', message));
  expectMerged(await reportAll(race, importId));
});
