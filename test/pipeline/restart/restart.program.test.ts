// Workers are killed while they send, and then all processes. The next start continues: no number is ported twice, none
// is lost.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Fault } from '#simulator/controls/faults.ts';
import { until } from '../../support/emulator/start-process.ts';
import { notOn } from '../../support/not-on.ts';
import { differencesOf } from './compare-evidence.ts';
import { connectToEmulator, type EmulatorClient } from './emulator-client.ts';
import { emulatorTarget, killWorker, type RestartableEmulator } from './emulator-process.ts';
import { gatherEvidence, importsAmong, requestsAmong } from './evidence.ts';
import { generateFiles } from './files.ts';
import { type SimulatorProcess, startSimulator } from './simulator-process.ts';

const rows = 300;
let folder: string;
let simulator: SimulatorProcess;
let emulator: RestartableEmulator;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simporter-restart-'));
  const time = { origin: Date.now(), speed: 1440 };
  simulator = await startSimulator({ folder, ...time });
  emulator = await emulatorTarget({ directory: join(folder, 'emulator'), service: simulator.access, ...time });
});
afterAll(async () => {
  await emulator?.kill();
  await simulator?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const lostAnswers: Fault[] = [
  { endpoint: 'createPort', rate: 1, times: 2, does: { kind: 'reset', when: 'after' } },
  { endpoint: 'createPort', rate: 1, times: 1, does: { kind: 'truncated' } },
];
/** Long enough that a killed worker waits for an answer: the service creates the port nevertheless. */
const slowAtFirst: Fault = { endpoint: 'createPort', rate: 1, times: 20, does: { kind: 'latency', milliseconds: 500 } };

const created = (client: EmulatorClient, least: number) =>
  until(`${least} requests were created`, async () => {
    const requests = requestsAmong(await client.readItems());
    return requests.filter(({ state }) => state === 'created').length >= least || undefined;
  });

/** A worker with a batch, so that the kill interrupts a request. */
const killBusySubmitter = () =>
  until('a worker of submit has a batch', async () => {
    const [worker] = (await emulator.busy()).includes('submit')
      ? emulator.workers().filter(({ step }) => step === 'submit')
      : [];
    if (worker === undefined) return undefined;
    killWorker(worker);
    return worker;
  });

notOn(['macOS', 'Windows'], 'the environment of a process is read from /proc')(
  'workers and the emulator are killed in the middle, and the next start finishes without a second port (faults 33 and 34)',
  async () => {
    const files = generateFiles(rows, 1);
    await simulator.setFaults({ seed: 1, faults: [...lostAnswers, slowAtFirst] });
    const before = connectToEmulator(emulator.state);
    for (const { key, text } of files) await before.upload(key, text);
    await created(before, 1);
    await killBusySubmitter();
    await created(before, 4);
    await killBusySubmitter();
    await emulator.kill();
    const killedAt = Date.now();

    await emulator.start();
    const client = connectToEmulator(emulator.state);
    await client.endLeasesBefore(killedAt);
    await until('every request was sent', async () => {
      const imports = importsAmong(await client.readItems());
      const sent = imports.filter(({ state }) => state === 'in-progress' || state === 'finished');
      return sent.length === files.length || undefined;
    });
    // Ports keep changing, and the results follow them with each read.
    const different = async () => differencesOf(await gatherEvidence(client, files, await simulator.readState()));
    await expect.poll(different, { interval: 500 }).toEqual([]);
    const { ports } = await simulator.readState();
    expect(ports.reduce((count, port) => count + port.rows.length, 0)).toBeGreaterThan(rows * 0.9);
  },
);
