// The parts of the benchmark. Each is a program of its own that prints its figures as one line of JSON: what one part leaves in
// memory or in the compiler's caches is no part of another's figures.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { EndToEndFigures } from './end-to-end.ts';
import { installReferences, referencesFolder } from './references.ts';
import type { StartupFigures } from './startup.ts';
import type { SyncFigures } from './sync.ts';
import type { WriteFigures } from './writes.ts';

export interface IngestProgram {
  readonly file: string;
  readonly program: string;
  /** What follows is absent where the program is not installed. */
  readonly cpuMs?: number;
  /** Half the distance between the least and the greatest, in parts of the median. */
  readonly spread?: number;
  readonly rowsPerSecond?: number;
  /** Speed, where bare csv-parse is 1: by CPU time, and by the clock. */
  readonly ratioToCsvParse?: number;
  readonly clockRatioToCsvParse?: number;
  readonly clockMs?: number;
  readonly peakRssMb?: number;
}

/** How many times as fast. */
interface IngestRatios {
  readonly ratioToNaive: number;
  readonly ratioToCsvParse: number;
  readonly ratioToCsvParseQuoted: number;
}

/** By CPU time, where nothing else is said. */
export interface IngestFigures extends IngestRatios {
  readonly byClock: IngestRatios;
  readonly rowsPerSecond: number;
  readonly peakRssMb: number;
  readonly programs: readonly IngestProgram[];
}

/** Only what was asked for is there. */
export interface BenchFigures {
  readonly ingest?: IngestFigures;
  readonly endToEnd?: EndToEndFigures;
  readonly sync?: readonly SyncFigures[];
  readonly writes?: WriteFigures;
  readonly startup?: readonly StartupFigures[];
}

export const partNames = ['ingest', 'endToEnd', 'sync', 'writes', 'startup'] as const;
export type PartName = (typeof partNames)[number];

export interface BenchAmounts {
  /** @default - as many as each part takes by itself */
  readonly rows?: number | undefined;
  readonly runs: number;
  readonly quick: boolean;
}

export const measure: { readonly [Name in PartName]: (amounts: BenchAmounts) => Promise<BenchFigures[Name]> } = {
  ingest: async ({ rows, runs, quick }) => {
    const missing = installReferences();
    if (missing !== undefined) console.error(missing);
    const amounts = ['--rows', String(rows ?? (quick ? 20_000 : 300_000)), '--runs', String(quick ? 1 : runs)];
    const references = missing === undefined ? ['--references', referencesFolder] : [];
    const told = await figuresOf('ingest.ts', ['--json', ...amounts, ...references]);
    const { ingest, measured } = told as { ingest: Omit<IngestFigures, 'programs'>; measured: IngestProgram[] };
    return { ...ingest, programs: measured };
  },
  endToEnd: async ({ rows, quick }) => {
    const told = await figuresOf('end-to-end.ts', ['--rows', String(rows ?? (quick ? 5_000 : 100_000))]);
    return told as EndToEndFigures;
  },
  sync: async ({ quick }) => (await figuresOf('sync.ts', quick ? ['--quick'] : [])) as SyncFigures[],
  writes: async () => (await figuresOf('writes.ts', [])) as WriteFigures,
  startup: async ({ runs, quick }) =>
    (await figuresOf('startup.ts', ['--json', '--runs', String(quick ? 1 : 3 * runs)])) as StartupFigures[],
};

/** @throws Error where the program fails; what it says of it stands on stderr already */
async function figuresOf(program: string, args: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`bench/${program} ended with ${code}`);
  return JSON.parse(Buffer.concat(chunks).toString());
}
