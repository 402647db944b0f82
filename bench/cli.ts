// How long a person waits for commands: each in a new process, beside a running emulator. Prints one line of JSON:
// `npx node bench/cli.ts [--runs 9]`. METHOD.md explains the figures.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateRows } from '../test/support/generate-rows.ts';
import { program, startEmulator } from './local-emulator.ts';
import { median } from './quantile.ts';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '9' } } });
const folder = mkdtempSync(join(tmpdir(), 'simporter-bench-cli-'));

/** @throws Error if the command fails */
function run(command: string): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [program, ...command.split(' ')], { cwd: folder });
  if (status !== 0) throw new Error(`simporter ${command} ended with ${status}: ${stderr}`);
  return performance.now() - begun;
}

function measure(command: string) {
  const times = Array.from({ length: Number(values.runs) }, () => run(command));
  console.error(`${command}: measured`);
  // Wall time of the process, the median of all runs.
  return { command, ms: Math.round(median(times)) };
}

async function measureAll() {
  writeFileSync(join(folder, 'six.csv'), [...generateRows({ rows: 6, combinations: 2 })].join(''));
  const start = () => startEmulator(folder, '--speed', '1');
  // The first start fills the caches.
  await (await start()).stop();
  const begun = performance.now();
  const emulator = await start();
  const ms = performance.now() - begun;
  try {
    run('import six.csv');
    const commands = ['--help', 'status six.csv', 'number 07700900000', 'results six.csv', 'validate six.csv'];
    return [{ command: 'start, until it takes files', ms: Math.round(ms) }, ...commands.map(measure)];
  } finally {
    await emulator.stop();
  }
}

try {
  console.log(JSON.stringify(await measureAll()));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
