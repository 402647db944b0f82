// Uploads files, injects faults and kills processes.
import { setTimeout as pause } from 'node:timers/promises';
import { importCorrections } from './corrections.ts';
import { connectToEmulator } from './emulator-client.ts';
import { killWorker } from './emulator-process.ts';
import { noFaults, type Recurring, randomFaults, runRecurring } from './fault-plan.ts';
import { soakFiles } from './files.ts';
import { type SoakContext, uploadFile } from './soak-context.ts';
import { resumeImports, stopSomeImport, undoSomeImport } from './stops.ts';

const count = (counts: Map<string, number>, name: string, times = 1): void => {
  counts.set(name, (counts.get(name) ?? 0) + times);
};

/** Runs for `faultsMs`. Afterwards every file is uploaded, and the faults are off. */
export async function injectFaults(
  context: SoakContext,
  { rows, seed, faultsMs }: { readonly rows: number; readonly seed: number; readonly faultsMs: number },
): Promise<void> {
  const { dice } = context;
  const files = soakFiles(rows, seed);
  const betweenUploads = (faultsMs * 0.8) / files.length;
  const changeFaults = (): Promise<void> => setFaults(context, randomFaults(dice));
  const uploadNext = async (): Promise<void> => {
    const file = files.shift();
    if (file !== undefined) await uploadFile(context, file);
  };
  await changeFaults();
  await uploadNext();
  const actions: Recurring[] = [
    { name: 'upload', least: betweenUploads, most: betweenUploads, act: uploadNext },
    { name: 'faults', least: 15_000, most: 25_000, act: changeFaults },
    { name: 'worker', least: 1_000, most: 6_000, act: () => killSomeWorker(context, ['ingest', 'submit', 'report']) },
    // After a killed run the lease blocks sync for 30 seconds: killed more often, no run would ever complete.
    { name: 'sync', least: 70_000, most: 110_000, act: () => killSomeWorker(context, ['sync']) },
    { name: 'service', least: 40_000, most: 80_000, act: () => killSimulator(context) },
    { name: 'emulator', least: 60_000, most: 120_000, act: () => killEmulator(context) },
    { name: 'stop', least: 15_000, most: 30_000, act: () => stopSomeImport(context) },
    { name: 'undo', least: 20_000, most: 30_000, act: () => undoSomeImport(context) },
    { name: 'resume', least: 40_000, most: 60_000, act: () => resumeImports(context) },
    { name: 'corrections', least: 50_000, most: 70_000, act: async () => void (await importCorrections(context)) },
  ];
  const end = performance.now() + faultsMs;
  await runRecurring(actions, dice, () => performance.now() > end, pause);
  while (files.length > 0) await uploadNext();
  await setFaults(context, noFaults);
}

async function setFaults({ simulator, faults }: SoakContext, plan: typeof noFaults): Promise<void> {
  for (const [kind, times] of await simulator.setFaults(plan)) count(faults, kind, times);
}

async function killSomeWorker({ emulator, dice, kills, log }: SoakContext, among: readonly string[]): Promise<void> {
  const busy = await emulator.busy();
  const workers = emulator.workers().filter(({ step }) => busy.includes(step) && among.includes(step));
  if (workers.length === 0) return;
  const steps = [...new Set(workers.map(({ step }) => step))];
  const step = dice.pick(steps);
  killWorker(dice.pick(workers.filter((worker) => worker.step === step)));
  count(kills, step);
  log(`killed a worker of ${step}`);
}

async function killSimulator({ simulator, dice, kills, log }: SoakContext): Promise<void> {
  await simulator.kill();
  count(kills, 'service');
  log('killed the simulator');
  await pause(dice.between(500, 3_000));
  await simulator.restart();
}

async function killEmulator(context: SoakContext): Promise<void> {
  context.client.close();
  await context.emulator.kill();
  count(context.kills, 'emulator');
  context.log('killed the emulator');
  await context.emulator.start();
  context.client = connectToEmulator(context.emulator.state);
}
