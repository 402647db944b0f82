// A load run of the API on this machine: reads at a fixed rate against the emulator, and how long their answers take.
// `node bench/api-load.ts [reads per second] [seconds]`
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { apiOf } from '../test/console/support/import-by-api.ts';
import { startEmulator } from './local-emulator.ts';
import { quantile } from './quantile.ts';

const [perSecond = 200, seconds = 30] = process.argv.slice(2).map(Number);
const folder = await mkdtemp(join(tmpdir(), 'simporter-api-load-'));
const emulator = await startEmulator(folder, '--speed', '86400');
const call = apiOf(emulator);

const { importId } = await call('POST', '/simulator/example', { name: 'create-port.csv' });
while ((await call('GET', `/imports/${importId}`)).state !== 'planned') await sleep(500);
await sleep(3_000);

const paths = [
  '/events',
  '/imports',
  '/actions',
  '/environment',
  ...['', '/rows?limit=100', '/plan', '/problems'].map((part) => `/imports/${importId}${part}`),
];
const times = new Map<string, number[]>(paths.map((path) => [path, []]));
let failed = 0;
const pending: Promise<void>[] = [];
const begun = performance.now();
for (let sent = 0; sent < perSecond * seconds; sent += 1) {
  const wait = begun + (sent * 1_000) / perSecond - performance.now();
  if (wait > 0) await sleep(wait);
  const path = paths[sent % paths.length] as string;
  const at = performance.now();
  pending.push(
    call('GET', path)
      .catch(() => (failed += 1))
      .then(() => void times.get(path)?.push(performance.now() - at)),
  );
}
await Promise.all(pending);
const took = (performance.now() - begun) / 1_000;

const rowOf = (name: string, values: readonly number[]): string[] => {
  const shares = [0.5, 0.95, 0.99].map((share) => quantile(values, share).toFixed(0));
  return [name, String(values.length), ...shares];
};
const rows = [...times].map(([path, values]) => rowOf(path.replace(importId, 'ID'), values));
rows.push(rowOf('all', [...times.values()].flat()));
const print = (cells: readonly string[]): void =>
  console.log(cells.map((cell, index) => (index === 0 ? cell.padEnd(28) : cell.padStart(8))).join(''));
print(['route', 'reads', 'p50 ms', 'p95 ms', 'p99 ms']);
for (const row of rows) print(row);
console.log(`${((perSecond * seconds) / took).toFixed(0)} reads a second, ${failed} failed`);
await emulator.stop();
await rm(folder, { recursive: true, force: true });
