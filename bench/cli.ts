// How long a person waits for commands: each in a new process, beside a running emulator. Prints one line of JSON:
// `npx node bench/cli.ts [--runs 9]`. METHOD.md explains the figures.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { generateRows } from './generate-rows.ts';

export interface CliFigures {
  /** Without `simporter`. */
  readonly command: string;
  /** Wall time of the process, the median of all runs. */
  readonly ms: number;
}

const program = join(import.meta.dirname, '..', 'cli', 'simporter.mjs');
const { values } = parseArgs({ options: { runs: { type: 'string', default: '9' } } });
const folder = mkdtempSync(join(tmpdir(), 'simporter-bench-cli-'));

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;

/** @throws Error if the command fails */
function run(command: string): number {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [program, ...command.split(' ')], { cwd: folder });
  if (status !== 0) throw new Error(`simporter ${command} ended with ${status}: ${stderr}`);
  return performance.now() - begun;
}

function measure(command: string): CliFigures {
  const times = Array.from({ length: Number(values.runs) }, () => run(command));
  console.error(`${command}: measured`);
  return { command, ms: Math.round(median(times)) };
}

/** Starts an emulator and answers how long it took. */
async function start(): Promise<{ readonly emulator: ChildProcess; readonly ms: number }> {
  const begun = performance.now();
  const emulator = spawn(process.execPath, [program, 'start', '--json', '--speed', '1'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (emulator.stdout === null) throw new Error('no pipe');
  await createInterface({ input: emulator.stdout })[Symbol.asyncIterator]().next();
  return { emulator, ms: performance.now() - begun };
}

async function stop(emulator: ChildProcess): Promise<void> {
  emulator.kill('SIGINT');
  await once(emulator, 'exit');
}

async function measureAll(): Promise<CliFigures[]> {
  writeFileSync(join(folder, 'six.csv'), [...generateRows({ rows: 6, combinations: 2 })].join(''));
  await stop((await start()).emulator);
  const { emulator, ms } = await start();
  try {
    run('import six.csv');
    const commands = ['--help', 'status six.csv', 'number 07700900000', 'results six.csv', 'validate six.csv'];
    return [{ command: 'start, until it takes files', ms: Math.round(ms) }, ...commands.map(measure)];
  } finally {
    await stop(emulator);
  }
}

try {
  console.log(JSON.stringify(await measureAll()));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
