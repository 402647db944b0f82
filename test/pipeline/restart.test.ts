// Workers are killed while they send, and then the power goes off. The next start goes on: no number is ported twice, none is
// lost. `npm run soak` does the same for as long as one likes, with a service that misbehaves.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Fault } from '#functions/porting-service/sandbox.ts';
import { differencesOf } from '../soak/compare.ts';
import { killWorker, openSoakEngine, type SoakEngine } from '../soak/engine.ts';
import { gather, importsAmong, requestsAmong } from '../soak/evidence.ts';
import { soakFiles } from '../soak/files.ts';
import { endLeasesBefore } from '../soak/leases.ts';
import { type Outside, openOutside } from '../soak/outside.ts';
import { type View, viewOf } from '../soak/view.ts';
import { until } from '../support/pipeline-process.ts';

const rows = 300;
let folder: string;
let outside: Outside;
let engine: SoakEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simporter-restart-'));
  const time = { origin: Date.now(), speed: 1440 };
  outside = await openOutside({ folder, ...time });
  engine = await openSoakEngine({ directory: join(folder, 'engine'), service: outside.access, ...time });
});
afterAll(async () => {
  await engine?.kill();
  await outside?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

const lostAnswers: Fault[] = [
  { endpoint: 'createPort', rate: 1, times: 2, does: { kind: 'reset', when: 'after' } },
  { endpoint: 'createPort', rate: 1, times: 1, does: { kind: 'truncated' } },
];
/** Long enough that whoever is killed is waiting for an answer: the service makes the port all the same. */
const slowAtFirst: Fault = { endpoint: 'createPort', rate: 1, times: 20, does: { kind: 'latency', milliseconds: 500 } };

const created = (view: View, least: number) =>
  until(`${least} requests were created`, async () => {
    const requests = requestsAmong(await view.items());
    return requests.filter(({ state }) => state === 'created').length >= least || undefined;
  });

/** One that is at work on a batch, so that the kill hits something. */
const killBusySubmitter = () =>
  until('a worker of submit is at work', async () => {
    const [worker] = (await engine.busy()).includes('submit')
      ? engine.workers().filter(({ stage }) => stage === 'submit')
      : [];
    if (worker === undefined) return undefined;
    killWorker(worker);
    return worker;
  });

test('fault 33 and 34: workers and the engine are killed in the middle, and the next start finishes without a second port', async () => {
  const files = soakFiles(rows, 1);
  await outside.setFaults({ seed: 1, faults: [...lostAnswers, slowAtFirst] });
  const before = viewOf(engine.facts);
  for (const { key, text } of files) await before.drop(key, text);
  await created(before, 1);
  await killBusySubmitter();
  await created(before, 4);
  await killBusySubmitter();
  await engine.kill();
  const killedAt = Date.now();

  await engine.start();
  const view = viewOf(engine.facts);
  await endLeasesBefore(killedAt, engine.facts, view);
  await until('every request was sent', async () => {
    const imports = importsAmong(await view.items());
    const sent = imports.filter(({ state }) => state === 'following' || state === 'completed');
    return sent.length === files.length || undefined;
  });
  // Ports go on moving: what is told follows what is, look by look.
  const different = async () => differencesOf(await gather(view, files, await outside.dump()));
  await expect.poll(different, { timeout: 30_000, interval: 500 }).toEqual([]);
  const { ports } = await outside.dump();
  expect(ports.reduce((count, port) => count + port.rows.length, 0)).toBeGreaterThan(rows * 0.9);
}, 180_000);
