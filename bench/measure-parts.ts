// The parts of the benchmark. Each is a separate program that prints its figures as one line of JSON, so that no part
// affects the memory or the compiled code of another.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { installReferences, referencesFolder } from '../test/support/bench-peers/install-references.ts';
import type { ChangesFigures } from './changes.ts';
import type { CliFigures } from './cli.ts';
import type { ConsoleFigures } from './console.ts';
import type { EndToEndFigures } from './end-to-end.ts';
import type { FreshnessFigures } from './freshness.ts';
import type { ReconcileFigures } from './reconcile.ts';
import type { SmallFileFigures } from './small-file.ts';
import type { StartupFigures } from './startup.ts';
import type { SyncFigures } from './sync.ts';
import type { ThroughputFigures } from './throughput.ts';
import type { VerdictFigures } from './verdict.ts';
import type { WriteFigures } from './writes.ts';

export interface IngestProgram {
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

/** One file. The ratios are by CPU time: how many times as fast as another program simporter is. */
export interface IngestFile {
  readonly name: string;
  readonly rows: number;
  readonly combinations: number;
  readonly requests: number;
  /** The fewest requests that hold the rows of each combination. */
  readonly minimumRequests: number;
  readonly ratioToCsvParse: number;
  /** Of those that do the same work. */
  readonly ratioToBestPeer: number;
  readonly ratioToNaive: number;
  /** CPU time of simporter by that of reading, hashing and copying each byte. */
  readonly timesPhysicalLimit: number;
  readonly peakRssMb: number;
}

/** Speed relative to another program. */
interface IngestRatios {
  readonly ratioToNaive: number;
  readonly ratioToCsvParse: number;
  readonly ratioToCsvParseQuoted: number;
}

/** By CPU time, unless named otherwise. */
export interface IngestFigures extends IngestRatios {
  readonly byClock: IngestRatios;
  readonly rowsPerSecond: number;
  readonly peakRssMb: number;
  readonly programs: readonly IngestProgram[];
  readonly files: readonly IngestFile[];
}

/** Contains only the requested parts. */
export interface BenchFigures {
  readonly ingest?: IngestFigures;
  readonly throughput?: ThroughputFigures;
  readonly endToEnd?: readonly EndToEndFigures[];
  readonly smallFile?: SmallFileFigures;
  readonly sync?: readonly SyncFigures[];
  readonly reconcile?: readonly ReconcileFigures[];
  readonly freshness?: readonly FreshnessFigures[];
  readonly writes?: WriteFigures;
  readonly startup?: readonly StartupFigures[];
  readonly cli?: readonly CliFigures[];
  readonly verdict?: readonly VerdictFigures[];
  readonly changes?: readonly ChangesFigures[];
  readonly console?: readonly ConsoleFigures[];
}

export type PartName = keyof BenchFigures;

export interface BenchAmounts {
  /** @default - the default of each part */
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
    return (await figuresOf('ingest.ts', [...amounts, ...references])) as IngestFigures;
  },
  throughput: async ({ rows, quick }) => {
    const figures = await figuresOf('throughput.ts', ['--rows', String(rows ?? (quick ? 5_000 : 100_000))]);
    return figures as ThroughputFigures;
  },
  endToEnd: async ({ quick }) =>
    (await figuresOf('end-to-end.ts', quick ? ['--requests', '20'] : [])) as EndToEndFigures[],
  smallFile: async ({ runs, quick }) =>
    (await figuresOf('small-file.ts', ['--runs', String(quick ? 1 : 3 * runs)])) as SmallFileFigures,
  sync: async ({ quick }) => (await figuresOf('sync.ts', quick ? ['--quick'] : [])) as SyncFigures[],
  reconcile: async ({ quick }) => (await figuresOf('reconcile.ts', quick ? ['--quick'] : [])) as ReconcileFigures[],
  freshness: async ({ quick }) => (await figuresOf('freshness.ts', quick ? ['--quick'] : [])) as FreshnessFigures[],
  writes: async () => (await figuresOf('writes.ts', [])) as WriteFigures,
  startup: async ({ runs, quick }) =>
    (await figuresOf('startup.ts', ['--runs', String(quick ? 1 : 3 * runs)])) as StartupFigures[],
  cli: async ({ runs, quick }) => (await figuresOf('cli.ts', ['--runs', String(quick ? 1 : 3 * runs)])) as CliFigures[],
  verdict: async ({ rows, runs, quick }) => {
    const wanted = rows ?? (quick ? 2_000 : undefined);
    const amounts = ['--runs', String(quick ? 1 : runs), ...(wanted === undefined ? [] : ['--rows', String(wanted)])];
    return (await figuresOf('verdict.ts', amounts)) as VerdictFigures[];
  },
  changes: async ({ rows, quick }) =>
    (await figuresOf('changes.ts', ['--rows', String(rows ?? (quick ? 100 : 10_000))])) as ChangesFigures[],
  console: async ({ runs, quick }) =>
    (await figuresOf('console.ts', ['--runs', String(runs), ...(quick ? ['--quick'] : [])])) as ConsoleFigures[],
};

export const partNames = Object.keys(measure) as PartName[];

/** @throws Error if the program fails; its message is on stderr already */
async function figuresOf(program: string, args: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`bench/${program} exited with code ${code}`);
  return JSON.parse(Buffer.concat(chunks).toString());
}
