// A day of life of `simporter start`, in minutes: a large file, many small ones, stops, and the loss of all processes.
// At the end every figure that people see is compared with the porting simulator. Prints one line of JSON, and progress
// on stderr: `npx node bench/day.ts [--imports 2000] [--rows 20000] [--kills 3]`. See METHOD.md.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { ImportItem } from '#shared/import/import.ts';
import { startEmulatorProcess } from '../test/support/emulator/start-process.ts';
import { generateRows } from '../test/support/ingest/generate-rows.ts';
import { connectTo } from './day-client.ts';
import { differencesFrom, movingPorts, readResultRows, type SeenImport } from './day-truth.ts';
import { stageSizes } from './processes.ts';

const { values } = parseArgs({
  options: {
    imports: { type: 'string', default: '2000' },
    rows: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '3' },
  },
});
const [imports, largeRows, kills] = [Number(values.imports), Number(values.rows), Number(values.kills)];

/** A day a minute. */
const speed = 1_440;
const rowsPerFile = 5;
const filesAtOnce = 10;
/** As many small files wait to be planned at most. */
const mostWaiting = 40;
const stopEvery = 25;
const pollEveryMs = 500;
/** Once no port moves any more, everything must be shown within this time. */
const settleMs = 180_000;

interface UploadedFile {
  readonly key: string;
  readonly text: string;
  readonly rows: number;
}

/** The large file, then the small ones. A number is in two files only where it is repeated as in files of people. */
function makeFiles(): UploadedFile[] {
  const rows = largeRows + imports * rowsPerFile;
  const [header = '', ...lines] = generateRows({
    rows,
    combinations: Math.ceil(rows / 150),
    sorted: true,
    quoted: 0.05,
    broken: 0.01,
    duplicates: 0.005,
    badPacs: 0.002,
  });
  const fileOf = (name: string, own: readonly string[]): UploadedFile => ({
    key: `create-port/${name}.csv`,
    text: [header, ...own].join(''),
    rows: own.length,
  });
  const small = Array.from({ length: imports }, (_, index) => {
    const start = largeRows + index * rowsPerFile;
    return fileOf(`small-${index}`, lines.slice(start, start + rowsPerFile));
  });
  return [fileOf('large', lines.slice(0, largeRows)), ...small];
}

const folder = mkdtempSync(join(tmpdir(), 'simporter-day-'));
const begun = performance.now();
const secondsSince = (start: number): number => Math.round((performance.now() - start) / 100) / 10;
const log = (text: string): void => console.error(`${secondsSince(begun)} s: ${text}`);

let emulator = await startEmulatorProcess(folder, speed);
let client = connectTo(emulator.emulator);

/** All processes at once, as the loss of the machine. @returns seconds until the next start takes files */
async function killAndRestart(): Promise<number> {
  const killedAt = performance.now();
  client.close();
  await emulator.killAll();
  emulator = await startEmulatorProcess(folder, speed);
  client = connectTo(emulator.emulator);
  return secondsSince(killedAt);
}

const isSending = ({ state }: ImportItem): boolean => ['planning', 'planned', 'submitting'].includes(state);

/** What the day keeps of a stop: the import goes on at the end. */
const stopped = new Map<string, ImportItem>();
async function stopOne(): Promise<void> {
  const item = (await client.latestImports(100)).find((each) => isSending(each) && !stopped.has(each.importId));
  if (item === undefined) return;
  stopped.set(item.importId, item);
  await client.stop(item);
}

interface Sample {
  readonly imports: number;
  readonly files: number;
  readonly folderMb: number;
  readonly databaseMb: number;
  readonly stages: ReturnType<typeof stageSizes>;
}
const samples: Sample[] = [];
function takeSample(planned: number): void {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const megabytes = (own: typeof files): number =>
    Math.round(
      own.reduce((sum, { parentPath, name }) => {
        return sum + (statSync(join(parentPath, name), { throwIfNoEntry: false })?.size ?? 0);
      }, 0) / 1e6,
    );
  samples.push({
    imports: planned,
    files: files.length,
    folderMb: megabytes(files),
    databaseMb: megabytes(files.filter(({ name }) => name.startsWith('dynamodb.sqlite'))),
    stages: stageSizes(),
  });
}

/** Uploads every file; between them people stop imports and the machine is lost. */
async function live(files: readonly UploadedFile[]) {
  const [large, ...small] = files;
  if (large !== undefined) await client.upload(large.key, large.text);
  const restarts: number[] = [];
  let planned = 0;
  for (let sent = 0; sent < small.length; ) {
    const next = small.slice(sent, sent + filesAtOnce);
    await Promise.all(next.map(({ key, text }) => client.upload(key, text)));
    sent += next.length;
    if (Math.floor(sent / stopEvery) > Math.floor((sent - next.length) / stopEvery)) await stopOne();
    planned = await untilPlanned(sent - mostWaiting);
    // In the first half of the day, so that the processes of the second half live long enough to grow.
    if (sent >= (small.length / 2 / (kills + 1)) * (restarts.length + 1) && restarts.length < kills) {
      restarts.push(await killAndRestart());
      log(`all processes were killed, and ran again after ${restarts.at(-1)} s`);
    }
    if (sent < (small.length / 10) * (samples.length + 1)) continue;
    takeSample(planned);
    log(`${sent} small files, ${planned} planned`);
  }
  await untilPlanned(small.length);
  return restarts;
}

const plannedKeys = new Set<string>();
async function untilPlanned(least: number): Promise<number> {
  for (;;) {
    for (const { key, state } of await client.latestImports(2 * mostWaiting + filesAtOnce))
      if (state !== 'planning') plannedKeys.add(key);
    if (plannedKeys.size >= least) return plannedKeys.size;
    await pause(pollEveryMs);
  }
}

async function untilEnded(): Promise<void> {
  for (let resumed = false; ; ) {
    const all = await client.allImports();
    const sending = all.filter(isSending);
    const held = all.filter(({ state, stop }) => state === 'stopped' && stop?.kind === 'until-resumed');
    const moving = movingPorts(await client.ports());
    log(`${sending.length} imports send, ${held.length} are stopped, ${moving} ports move`);
    if (sending.length + held.length + moving === 0 && resumed) return;
    for (const item of resumed && sending.length > 0 ? [] : held) await client.resume(item);
    // A serial that ends in zeros by chance asks a person.
    for (const item of sending.filter(({ state }) => state === 'planned')) await client.approve(item);
    resumed = true;
    await pause(10 * pollEveryMs);
  }
}

async function findDifferences(files: readonly UploadedFile[]): Promise<string[]> {
  const rows = new Map(files.map((file) => [file.key, file.rows]));
  const seen: SeenImport[] = [];
  for (const item of await client.allImports())
    seen.push({ item, results: readResultRows(await client.results(item)) });
  return differencesFrom(rows, seen, await client.ports());
}

async function untilTrue(files: readonly UploadedFile[]) {
  const start = performance.now();
  for (;;) {
    const differences = await findDifferences(files);
    if (differences.length === 0 || performance.now() - start > settleMs)
      return { secondsToTruth: secondsSince(start), differences };
    log(`${differences.length} differences, such as: ${differences[0]}`);
    await pause(10 * pollEveryMs);
  }
}

async function measure() {
  const files = makeFiles();
  const start = performance.now();
  const restarts = await live(files);
  const secondsToPlanned = secondsSince(start);
  log('every file is planned');
  await untilEnded();
  const secondsToEnded = secondsSince(start);
  const { secondsToTruth, differences } = await untilTrue(files);
  takeSample(plannedKeys.size);
  const ports = await client.ports();
  return {
    imports: files.length,
    rows: files.reduce((sum, { rows }) => sum + rows, 0),
    ports: ports.length,
    stops: stopped.size,
    /** From the kill until the next start takes files. */
    secondsToRestart: restarts,
    secondsToPlanned,
    plannedPerSecond: Math.round((files.length / secondsToPlanned) * 10) / 10,
    secondsToEnded,
    /** From the last move of a port until every figure is that of the simulator. */
    secondsToTruth,
    deadLettered: await client.deadLettered(),
    /** Must be 0. */
    differences: differences.length,
    examples: differences.slice(0, 20),
    folder: samples.map(({ stages, ...sample }) => sample),
    processes: samples.flatMap((sample) => sample.stages.map((stage) => ({ imports: sample.imports, ...stage }))),
  };
}

try {
  const figures = await measure();
  console.log(JSON.stringify(figures));
  if (figures.differences > 0) process.exitCode = 1;
} finally {
  client.close();
  await emulator.interrupt();
  if (process.exitCode === 1) console.error(`The data is kept in ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}
