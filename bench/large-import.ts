// What people wait for while an import of many requests is sent: the status, a correction, a stop, and the first row of
// its results. Prints one line of JSON: `npx node bench/large-import.ts [--requests 100000] [--rows 1000000]`. See
// METHOD.md.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startPipeline } from '#cli/local-pipeline/local-pipeline.ts';
import { emulatorClients } from '#cli/target/aws-target.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { createFiles } from '#shared/store/files.ts';
import { createImports } from '#shared/store/imports.ts';
import { createRequests } from '#shared/store/requests.ts';
import { generateRows } from '../test/support/ingest/generate-rows.ts';
import { program } from './local-emulator.ts';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, rows: { type: 'string', default: '1000000' } },
});
const [requestCount, rowCount] = [Number(values.requests), Number(values.rows)];

/** Sending the whole import would take hours. */
const callsPerSecond = 10;
const invalidRows = 10;
const pollMs = 100;
/** Longer than the aim of anything that is measured. */
const patienceMs = 60_000;

const folder = mkdtempSync(join(tmpdir(), 'simporter-large-bench-'));
const pipeline = await startPipeline({
  directory: join(folder, '.local'),
  memory: true,
  sandbox: true,
  callerEnvironment: {},
  log: () => undefined,
  serviceVariables: { callsPerSecond: String(callsPerSecond) },
});
const { s3, table } = emulatorClients(pipeline);
const { InboxBucket = '', ResultsBucket = '', ResultsTable = '' } = pipeline.outputs;
const files = createFiles(s3);
const imports = createImports(table, ResultsTable);
const requests = createRequests(table, ResultsTable);
const begun = performance.now();
const log = (text: string): void => console.error(`${Math.round((performance.now() - begun) / 1000)} s: ${text}`);

async function upload(key: string, records: Iterable<string>): Promise<void> {
  const writer = files.open(InboxBucket, key, 'text/csv');
  let text = '';
  for (const record of records) {
    text += record;
    if (text.length < 1e6) continue;
    await writer.write(text);
    text = '';
  }
  await writer.write(text);
  await writer.close();
}

async function untilImport(key: string, isReached: (item: ImportItem) => boolean): Promise<ImportItem> {
  for (;;) {
    const item = (await imports.list({ limit: 10 })).find((each) => each.key === key);
    if (item?.state === 'rejected') throw new Error(JSON.stringify(item.issues));
    if (item !== undefined && isReached(item)) return item;
    await pause(pollMs);
  }
}

/** Runs a command as people do. @returns milliseconds to its first line, and to its end */
async function runCommand(...words: string[]) {
  const start = performance.now();
  const child = spawn(process.execPath, [program, ...words], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
  let firstLineMs: number | undefined;
  let text = '';
  for await (const chunk of child.stdout) {
    firstLineMs ??= Math.round(performance.now() - start);
    if (text.length < 100_000) text += chunk;
  }
  return { firstLineMs, ms: Math.round(performance.now() - start), text };
}

/** Each row a request of its own; the first ones are invalid. */
function* separateRows(): Generator<string> {
  const all = generateRows({ rows: requestCount, combinations: requestCount, sorted: true });
  let line = 0;
  for (const record of all) {
    yield line > 0 && line <= invalidRows ? record.replace(/UK Mobile ([AB])/, 'UK Mobil $1') : record;
    line += 1;
  }
}

/** From the upload of the corrected rows until `status` counts none of them as invalid. */
async function correct(item: ImportItem): Promise<number | undefined> {
  const ref = { bucket: ResultsBucket, key: `imports/${item.importId}/rejected.csv` };
  const rejected = (await files.readBytes(ref)).toString();
  const start = performance.now();
  await upload('create-port/corrected.csv', [rejected.replaceAll(/UK Mobil ([AB])/g, 'UK Mobile $1')]);
  while (performance.now() - start < patienceMs) {
    const { text } = await runCommand('status', 'large.csv', '--json');
    if (!('rejected' in JSON.parse(text).outcomes)) return Math.round(performance.now() - start);
  }
  return undefined;
}

/** From the command to the last call that began, and to the answer. */
async function stop(item: ImportItem) {
  const commandedAt = Date.now();
  const { ms } = await runCommand('stop', 'large.csv');
  await pause(2 * 1_000);
  let last = 0;
  for await (const { submittedAt } of requests.ofImport(item.importId))
    last = Math.max(last, Date.parse(submittedAt ?? '') || 0);
  return { msToLastCall: Math.max(0, last - commandedAt), msToAnswer: ms };
}

async function measure() {
  await upload('create-port/large.csv', separateRows());
  const planned = await untilImport('create-port/large.csv', ({ state }) => state !== 'planning');
  log(`${planned.requestCount} requests are planned`);
  const item = await untilImport('create-port/large.csv', ({ requests: { created = 0 } }) => created > 0);
  log('they are being sent');
  const status = await runCommand('status', 'large.csv', '--json');
  log(`status: ${status.ms} ms`);
  const msToCorrected = await correct(item);
  log(`corrected: ${msToCorrected} ms`);
  const stopped = await stop(item);
  log(`stopped: ${JSON.stringify(stopped)}`);
  await upload('plan/create-port/rows.csv', generateRows({ rows: rowCount, combinations: 120, seed: 2 }));
  const plan = await untilImport('plan/create-port/rows.csv', ({ state }) => state === 'planned');
  const results = await runCommand('results', plan.importId, '--json');
  const figure = (what: string, amount: number, ms: number | undefined, aimMs: number) => ({ what, amount, ms, aimMs });
  return [
    figure('status', requestCount, status.ms, 2_000),
    figure('ten corrected rows, until status shows them', requestCount, msToCorrected, 5_000),
    figure('stop, to the last call', requestCount, stopped.msToLastCall, 2_000),
    figure('stop, to the answer', requestCount, stopped.msToAnswer, 5_000),
    figure('results --json, to the first row', rowCount, results.firstLineMs, 2_000),
    figure('results --json, all rows', rowCount, results.ms, rowCount / 20),
  ];
}

try {
  console.log(JSON.stringify(await measure()));
} finally {
  await pipeline.stop();
  rmSync(folder, { recursive: true, force: true });
}
