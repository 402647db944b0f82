// A load run of the API on this machine: reads at a fixed rate against the emulator, and how long their answers take.
// `node bench/api-load.ts [reads per second] [seconds]`
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmulator } from './local-emulator.ts';
import { quantile } from './quantile.ts';

const [perSecond = 200, seconds = 30] = process.argv.slice(2).map(Number);
const folder = await mkdtemp(join(tmpdir(), 'simporter-api-load-'));
const emulator = await startEmulator(folder, '--speed', '86400');
const headers = { authorization: `Bearer ${emulator.token}`, 'content-type': 'application/json' };
const read = async (path: string) => {
  const response = await fetch(`${emulator.apiUrl}${path}`, { headers });
  return { ok: response.ok, body: (await response.json()) as { readonly state?: string } };
};

const example = await fetch(`${emulator.apiUrl}/simulator/example`, {
  ...{ method: 'POST', headers: { ...headers, 'idempotency-key': 'load' } },
  body: JSON.stringify({ name: 'create-port.csv' }),
});
const { importId } = (await example.json()) as { importId: string };
for (let state: string | undefined; state !== 'planned'; await sleep(500)) {
  state = (await read(`/imports/${importId}`)).body.state;
}
await sleep(3_000);

const paths = [
  ...['/events', '/imports', '/actions', '/environment'],
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
    read(path).then(({ ok }) => {
      if (!ok) failed += 1;
      times.get(path)?.push(performance.now() - at);
    }),
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
