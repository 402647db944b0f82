// The time of trouble: files are dropped, faults hit, processes die.
import { setTimeout as pause } from 'node:timers/promises';
import { correct } from './corrections.ts';
import { killWorker } from './engine.ts';
import { soakFiles } from './files.ts';
import { drop, type Stage } from './stage.ts';
import { calm, type Recurring, randomFaults, runRecurring } from './trouble.ts';
import { viewOf } from './view.ts';

const count = (counts: Map<string, number>, name: string, times = 1): void => {
  counts.set(name, (counts.get(name) ?? 0) + times);
};

/** For `troubleMs`; afterwards everything has been dropped, and the faults are off. */
export async function makeTrouble(
  stage: Stage,
  { rows, seed, troubleMs }: { readonly rows: number; readonly seed: number; readonly troubleMs: number },
): Promise<void> {
  const { dice } = stage;
  const files = soakFiles(rows, seed);
  const betweenDrops = (troubleMs * 0.8) / files.length;
  const changeFaults = (): Promise<void> => setFaults(stage, randomFaults(dice));
  const dropNext = async (): Promise<void> => {
    const file = files.shift();
    if (file !== undefined) await drop(stage, file);
  };
  await changeFaults();
  await dropNext();
  const things: Recurring[] = [
    { name: 'drop', least: betweenDrops, most: betweenDrops, act: dropNext },
    { name: 'faults', least: 15_000, most: 25_000, act: changeFaults },
    { name: 'worker', least: 1_000, most: 6_000, act: () => killSomeWorker(stage, ['ingest', 'submit', 'report']) },
    // A run of sync that was killed holds its lease for half a minute: killed all the time, it would never come to an end.
    { name: 'sync', least: 70_000, most: 110_000, act: () => killSomeWorker(stage, ['sync']) },
    { name: 'service', least: 40_000, most: 80_000, act: () => killService(stage) },
    { name: 'engine', least: 60_000, most: 120_000, act: () => killEngine(stage) },
    { name: 'corrections', least: 50_000, most: 70_000, act: async () => void (await correct(stage)) },
  ];
  const end = performance.now() + troubleMs;
  await runRecurring(things, dice, () => performance.now() > end, pause);
  // The clock decides when a file is dropped, but not whether.
  while (files.length > 0) await dropNext();
  await setFaults(stage, calm);
}

async function setFaults({ outside, faults }: Stage, plan: typeof calm): Promise<void> {
  for (const [kind, times] of await outside.setFaults(plan)) count(faults, kind, times);
}

async function killSomeWorker({ engine, dice, kills, tell }: Stage, among: readonly string[]): Promise<void> {
  const busy = await engine.busy();
  const workers = engine.workers().filter(({ stage }) => busy.includes(stage) && among.includes(stage));
  if (workers.length === 0) return;
  const stages = [...new Set(workers.map((worker) => worker.stage))];
  const stage = dice.pick(stages);
  killWorker(dice.pick(workers.filter((worker) => worker.stage === stage)));
  count(kills, stage);
  tell(`killed a worker of ${stage}`);
}

async function killService({ outside, dice, kills, tell }: Stage): Promise<void> {
  await outside.kill();
  count(kills, 'service');
  tell('killed the porting service');
  await pause(dice.between(500, 3_000));
  await outside.revive();
}

async function killEngine(stage: Stage): Promise<void> {
  stage.view.close();
  await stage.engine.kill();
  count(stage.kills, 'engine');
  stage.tell('killed the engine');
  await stage.engine.start();
  stage.view = viewOf(stage.engine.facts);
}
