// How long a person waits from the upload of a file until every row has a verdict, accepted or invalid. Prints one line
// of JSON: `npx node bench/verdict.ts [--rows N] [--runs 3]`. See METHOD.md.
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { generateBlocks } from '../test/support/generate-rows.ts';
import { generateWorkbook } from './full-sheet.ts';
import { isPlanned, onPipeline, untilImport } from './local-import.ts';
import { processCosts } from './process-costs.ts';
import { median } from './quantile.ts';

const folder = mkdtempSync(join(tmpdir(), 'simporter-verdict-'));

async function generate(file: 'csv' | 'xlsx', rows: number): Promise<string> {
  const wanted = { rows, combinations: 40, broken: 0.01 };
  const path = join(folder, `${rows}.${file}`);
  await pipeline(file === 'csv' ? generateBlocks(wanted) : generateWorkbook(wanted, 'shared'), createWriteStream(path));
  return path;
}

/** Of all processes of ingest. */
function costOfIngest() {
  const costs = [...processCosts().values()].filter(({ functionName }) => functionName?.endsWith('IngestFunction'));
  return {
    cpuMs: costs.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
    /** Of the largest process of ingest. */
    peakRssMb: Math.max(0, ...costs.map(({ peakRssMb }) => peakRssMb)),
  };
}

const importOnce = (path: string, rows: number) =>
  onPipeline({}, async (local) => {
    const begun = performance.now();
    await local.upload(`plan/create-port/bench${path.slice(path.lastIndexOf('.'))}`, createReadStream(path));
    const item = await untilImport(local, isPlanned);
    const seconds = (performance.now() - begun) / 1000;
    if (item.rows !== rows) throw new Error(`${item.rows} of ${rows} rows were read`);
    return { seconds, ...costOfIngest() };
  });

const rounded = (value: number): number => Math.round(value * 10) / 10;

async function measure(file: 'csv' | 'xlsx', rows: number, runs: number) {
  const path = await generate(file, rows);
  const costs: Awaited<ReturnType<typeof importOnce>>[] = [];
  for (let run = 0; run < runs; run += 1) costs.push(await importOnce(path, rows));
  // From the start of the upload until the import shows its plan, with the count of its invalid rows.
  const seconds = median(costs.map((one) => one.seconds));
  console.error(`${rows} rows as ${file}: ${seconds.toFixed(1)} s`);
  return {
    file,
    rows,
    megabytes: rounded(statSync(path).size / 1e6),
    seconds: rounded(seconds),
    rowsPerSecond: Math.round(rows / seconds),
    /** CPU time of ingest. */
    cpuSeconds: rounded(median(costs.map(({ cpuMs }) => cpuMs)) / 1000),
    peakRssMb: Math.max(...costs.map(({ peakRssMb }) => peakRssMb)),
  };
}

async function measureBoth(rows: number, runs: number) {
  const csv = await measure('csv', rows, runs);
  const xlsx = await measure('xlsx', rows, runs);
  // Relative to the CSV with the same rows.
  return [csv, xlsx].map((one) => ({ ...one, ratioToCsv: Math.round((100 * one.seconds) / csv.seconds) / 100 }));
}

const { values } = parseArgs({ options: { rows: { type: 'string' }, runs: { type: 'string', default: '3' } } });
/** A large file is imported once. */
const largest = 100_000;
const sizes = values.rows === undefined ? [20_000, 1_000_000] : [Number(values.rows)];
try {
  const figures: unknown[] = [];
  for (const rows of sizes) figures.push(...(await measureBoth(rows, rows > largest ? 1 : Number(values.runs))));
  console.log(JSON.stringify(figures));
} finally {
  rmSync(folder, { recursive: true });
}
