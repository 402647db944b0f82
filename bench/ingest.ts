// Ingest compared with other programs. Prints one line of JSON: `npx node bench/ingest.ts [--rows N] [--runs N]`.
// METHOD.md explains the method and its limits.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateBlocks, type RowsWanted } from '../test/support/ingest/generate-rows.ts';
import type { Run } from './ingest-programs.ts';
import { median } from './quantile.ts';

interface IngestProgram {
  readonly file: string;
  readonly program: string;
  /** The other members are absent if the program is not installed. */
  readonly cpuMs?: number;
  /** Half the range, relative to the median. */
  readonly spread?: number;
  readonly rowsPerSecond?: number;
  /** Speed relative to bare csv-parse: by CPU time, and by wall time. */
  readonly ratioToCsvParse?: number;
  readonly clockRatioToCsvParse?: number;
  readonly clockMs?: number;
  readonly peakRssMb?: number;
}

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '300000' },
    runs: { type: 'string', default: '5' },
    /** A folder whose node_modules contains the programs that this project does not depend on. */
    references: { type: 'string', default: process.cwd() },
  },
});
const rows = Number(options.rows);
const runs = Number(options.runs);

const usual = { rows, combinations: 120, broken: 0.01, duplicates: 0.005 };
const realistic = { rows, broken: 0.03, duplicates: 0.005, realistic: true };
const files = {
  usual: { ...usual, quoted: 0.05 },
  'fully quoted': { ...usual, quoted: 1 },
  'realistic, 40 combinations': { ...realistic, combinations: 40 },
  'realistic, 120 combinations, sorted': { ...realistic, combinations: 120, sorted: true },
  'realistic, 2,000 combinations': { ...realistic, combinations: 2_000 },
  'realistic, each row another combination': { ...realistic, combinations: rows / 10, rows: rows / 10, sorted: true },
} satisfies Readonly<Record<string, RowsWanted>>;
/** The programs that write the same requests. */
const peers = ['papaparse', 'hand-written', 'duckdb'] as const;
const programs = ['bytes', 'copy', 'csv-parse', 'naive', ...peers, 'simporter'] as const;
type Program = (typeof programs)[number];

function writeFile(path: string, wanted: RowsWanted): void {
  const file = openSync(path, 'w');
  for (const block of generateBlocks(wanted)) writeSync(file, block);
  closeSync(file);
}

/** Undefined if the program needs a library that is not installed. */
function runOnce(program: Program | 'requests', path: string): Run | undefined {
  const script = join(import.meta.dirname, 'ingest-programs.ts');
  try {
    const output = execFileSync(process.execPath, [script, program, path, options.references], { stdio: 'pipe' });
    return JSON.parse(output.toString()) as Run;
  } catch (failure) {
    if (String((failure as { stderr?: Buffer }).stderr).includes('MODULE_NOT_FOUND')) return undefined;
    throw failure;
  }
}

/** Each round runs every program once, so that other load affects all of them. */
function measure(file: string, fileRows: number, path: string): IngestProgram[] {
  const all = new Map<Program, Run[]>(programs.map((program) => [program, []]));
  for (let round = 0; round < runs; round += 1) {
    for (const program of programs) {
      const run = runOnce(program, path);
      if (run !== undefined) all.get(program)?.push(run);
    }
  }
  const cpuOf = (program: Program) => (all.get(program) ?? []).map(({ cpuMs }) => cpuMs);
  const clockOf = (program: Program) => median((all.get(program) ?? []).map(({ wallMs }) => wallMs));
  const [bare, bareByClock] = [median(cpuOf('csv-parse')), clockOf('csv-parse')];
  return programs.map((program) => {
    const times = cpuOf(program);
    if (times.length === 0) return { file, program };
    const cpuMs = median(times);
    return {
      file,
      program,
      cpuMs,
      spread: (Math.max(...times) - Math.min(...times)) / 2 / cpuMs,
      rowsPerSecond: Math.round((fileRows / cpuMs) * 1000),
      ratioToCsvParse: bare / cpuMs,
      clockRatioToCsvParse: bareByClock / clockOf(program),
      clockMs: clockOf(program),
      peakRssMb: Math.max(...(all.get(program) ?? []).map((run) => run.peakRssMb)),
    };
  });
}

/** By CPU time, how many times as fast as other programs simporter is on the same file. */
function compare(name: string, wanted: RowsWanted, counts: Run, measured: readonly IngestProgram[]) {
  const cpuOf = (program: Program) => measured.find((figures) => figures.program === program)?.cpuMs;
  const ours = measured.find(({ program }) => program === 'simporter');
  const ratioTo = (ms: number | undefined) => (ms ?? 0) / (ours?.cpuMs ?? 1);
  return {
    name,
    rows: wanted.rows,
    combinations: wanted.combinations ?? 0,
    requests: counts.requests ?? 0,
    /** The fewest that hold the rows of each combination. */
    minimumRequests: counts.minimumRequests ?? 0,
    ratioToCsvParse: ratioTo(cpuOf('csv-parse')),
    /** Of those that do the same work. */
    ratioToBestPeer: ratioTo(Math.min(...peers.flatMap((peer) => cpuOf(peer) ?? []))),
    ratioToNaive: ratioTo(cpuOf('naive')),
    /** CPU time by that of reading, hashing and copying each byte. */
    timesPhysicalLimit: 1 / ratioTo(cpuOf('copy')),
    peakRssMb: ours?.peakRssMb ?? 0,
  };
}

const folder = mkdtempSync(join(tmpdir(), 'simporter-bench-'));
try {
  const compared: ReturnType<typeof compare>[] = [];
  const measured = Object.entries(files).flatMap(([name, wanted]) => {
    const path = join(folder, 'rows.csv');
    writeFile(path, wanted);
    const ofFile = measure(name, wanted.rows, path);
    compared.push(compare(name, wanted, runOnce('requests', path) as Run, ofFile));
    return ofFile;
  });
  const of = (file: string, program: Program) =>
    measured.find((figures) => figures.file === file && figures.program === program);
  const [ours, naive, quoted] = [of('usual', 'simporter'), of('usual', 'naive'), of('fully quoted', 'simporter')];
  const ingest = {
    ratioToNaive: (naive?.cpuMs ?? 0) / (ours?.cpuMs ?? 1),
    ratioToCsvParse: ours?.ratioToCsvParse ?? 0,
    ratioToCsvParseQuoted: quoted?.ratioToCsvParse ?? 0,
    byClock: {
      ratioToNaive: (naive?.clockMs ?? 0) / (ours?.clockMs ?? 1),
      ratioToCsvParse: ours?.clockRatioToCsvParse ?? 0,
      ratioToCsvParseQuoted: quoted?.clockRatioToCsvParse ?? 0,
    },
    rowsPerSecond: ours?.rowsPerSecond ?? 0,
    peakRssMb: ours?.peakRssMb ?? 0,
    programs: measured,
    files: compared,
  };
  console.log(JSON.stringify(ingest));
} finally {
  rmSync(folder, { recursive: true });
}
