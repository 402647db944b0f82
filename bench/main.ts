// `npm run bench`: all measurements of simporter, compared with other programs. METHOD.md explains them. Each part is a
// separate program that prints its figures as one line of JSON, so that no part affects the memory or the compiled code
// of another.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { installReferences, referencesFolder } from '../test/support/bench-peers/install-references.ts';
import { linesOf } from './tables.ts';

interface BenchAmounts {
  /** @default - the default of each part */
  readonly rows?: number | undefined;
  readonly runs: number;
  readonly imports: number;
  readonly quick: boolean;
}

const rowsOption = (rows: number | undefined): string[] => (rows === undefined ? [] : ['--rows', String(rows)]);
const runsOption = ({ runs, quick }: BenchAmounts, times = 1): string[] => ['--runs', String(quick ? 1 : times * runs)];

function referencesOption(): string[] {
  const missing = installReferences();
  if (missing === undefined) return ['--references', referencesFolder];
  console.error(missing);
  return [];
}

/** The arguments of each part's program, by the name of the part. */
const parts: Readonly<Record<string, readonly [program: string, args: (amounts: BenchAmounts) => string[]]>> = {
  ingest: [
    'ingest.ts',
    (amounts) => [
      ...rowsOption(amounts.rows ?? (amounts.quick ? 20_000 : 300_000)),
      ...runsOption(amounts),
      ...referencesOption(),
    ],
  ],
  throughput: ['throughput.ts', ({ rows, quick }) => rowsOption(rows ?? (quick ? 5_000 : 100_000))],
  endToEnd: ['end-to-end.ts', ({ quick }) => (quick ? ['--requests', '20'] : [])],
  processCosts: ['process-costs.ts', ({ quick }) => (quick ? ['--requests', '20'] : [])],
  smallFile: ['small-file.ts', (amounts) => runsOption(amounts, 3)],
  sync: ['sync.ts', ({ quick }) => (quick ? ['--quick'] : [])],
  reconcile: ['reconcile.ts', ({ quick }) => (quick ? ['--quick'] : [])],
  writes: ['writes.ts', () => []],
  declinedRows: ['declined-rows.ts', ({ quick }) => (quick ? ['--quick'] : [])],
  startup: ['startup.ts', (amounts) => runsOption(amounts, 3)],
  console: ['console.ts', ({ runs, quick }) => ['--runs', String(runs), ...(quick ? ['--quick'] : [])]],
  largeImport: ['large-import.ts', ({ quick }) => (quick ? ['--requests', '300', '--rows', '5000'] : [])],
  day: [
    'day.ts',
    ({ imports, quick }) =>
      quick ? ['--imports', '40', '--rows', '1000', '--kills', '1'] : ['--imports', String(imports)],
  ],
};
const partNames = Object.keys(parts);

const usage = `Usage: npm run bench -- [options]

  --only LIST   some of ${partNames.join(',')} (default all)
  --rows N      rows of the files (default 300000 for ingest, 100000 for throughput)
  --runs N      rounds of ingest; start-up has three times as many (default 3)
  --imports N   small files of the day (default 2000)
  --quick       small files and one round, to check that it works
  --json        the figures as one line of JSON`;

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: partNames.join(',') },
    rows: { type: 'string' },
    runs: { type: 'string', default: '3' },
    imports: { type: 'string', default: '2000' },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const settings = z.object({
  only: z
    .string()
    .transform((names) => names.split(','))
    .pipe(z.array(z.enum(partNames))),
  rows: z.coerce.number().int().min(1).optional(),
  runs: z.coerce.number().int().min(1),
  imports: z.coerce.number().int().min(10),
});

/** @throws Error if the program fails; its message is on stderr already */
async function figuresOf(program: string, args: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  if (code !== 0) throw new Error(`bench/${program} exited with code ${code}`);
  return JSON.parse(output);
}

async function main(): Promise<void> {
  if (values.help) return console.log(usage);
  const wanted = settings.safeParse(values);
  if (!wanted.success) {
    console.error(`${z.prettifyError(wanted.error)}\n\n${usage}`);
    process.exitCode = 2;
    return;
  }
  const { only, ...amounts } = wanted.data;
  const figures: Record<string, unknown> = {};
  for (const [name, [program, argsOf]] of Object.entries(parts).filter(([part]) => only.includes(part))) {
    console.error(`Measuring ${name}; the machine's load is ${(loadavg()[0] ?? 0).toFixed(1)}.`);
    figures[name] = await figuresOf(program, argsOf({ ...amounts, quick: values.quick }));
  }
  if (values.json) console.log(JSON.stringify(figures));
  else for (const [name, one] of Object.entries(figures)) console.log(linesOf(name, one).join('\n'));
}

await main();
