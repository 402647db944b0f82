// Throughput and memory of the porting service with 100,000 lines in store: see METHOD.md for what is measured and how.
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { startDynamoDb } from '#local/aws/dynamodb.ts';
import { wallClock } from '#shared/runtime/clock.ts';
import { type Amounts, type Figures, runOnce } from './service-run.ts';

const usage = `Usage: node bench/service.ts [options]

  --runs N       runs of each store (default 3)
  --ports N      ports of 100 lines in store (default 1000)
  --stores LIST  memory,dynamodb or one of them (default both)
  --json         the figures of every run as one line of JSON`;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '3' },
    ports: { type: 'string', default: '1000' },
    stores: { type: 'string', default: 'memory,dynamodb' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const settings = z.object({
  runs: z.coerce.number().int().min(1),
  ports: z.coerce.number().int().min(50),
  stores: z
    .string()
    .transform((text) => text.split(','))
    .pipe(z.array(z.enum(['memory', 'dynamodb']))),
});
type Store = z.infer<typeof settings>['stores'][number];

/** How each figure is called, and its digits after the point. */
const lines: readonly (readonly [name: keyof Figures, label: string, digits: number])[] = [
  ['fillPortsPerSecond', 'ports of 100 lines created a second, store growing from empty', 0],
  ['createPortsPerSecond', 'ports of 100 lines created a second, store full', 0],
  ['createRowsPerSecond', 'lines created a second, store full', 0],
  ['createP50', 'Create Port, median, ms', 1],
  ['createP95', 'Create Port, 95 of 100 within, ms', 1],
  ['createRatio', 'Create Port against the bare echo', 3],
  ['listPagesPerSecond', 'pages of 50 ports listed a second', 0],
  ['listP50', 'List Ports, median, ms', 1],
  ['listP95', 'List Ports, 95 of 100 within, ms', 1],
  ['listRatio', 'List Ports against the bare echo', 3],
  ['memoryStarted', 'memory when started, MB', 0],
  ['memoryFilled', 'memory with the store full, MB', 0],
  ['memoryPeak', 'memory at its most, MB', 0],
];

async function measure(store: Store, amounts: Amounts): Promise<Figures> {
  if (store === 'memory') return runOnce([], process.env, amounts, wallClock());
  const dynamodb = await startDynamoDb();
  try {
    const environment = {
      ...process.env,
      ...{ AWS_REGION: 'eu-west-2', AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' },
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    };
    return await runOnce(['--store', 'dynamodb'], environment, amounts, wallClock());
  } finally {
    await dynamodb.stop();
  }
}

const medianOf = (sorted: readonly number[]): number => sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;

/** `median (lowest to highest)`, thousands apart. */
function told(runs: readonly Figures[], name: keyof Figures, digits: number): string {
  const sorted = runs.map((run) => run[name]).toSorted((left, right) => left - right);
  const format = (value: number | undefined): string =>
    (value ?? Number.NaN).toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return `${format(medianOf(sorted))} (${format(sorted[0])} to ${format(sorted.at(-1))})`;
}

async function main(): Promise<void> {
  if (values.help) return console.log(usage);
  const { runs, ports, stores } = settings.parse(values);
  const amounts: Amounts = { ports, rowsPerPort: 100, creates: 100, pages: 300, width: 8 };
  const results: { store: Store; load: number; figures: Figures }[] = [];
  for (let run = 0; run < runs; run += 1) {
    // The stores take turns: whatever else the machine does then meets both.
    for (const store of stores) {
      const [load = 0] = loadavg();
      const figures = await measure(store, amounts);
      results.push({ store, load, figures });
      // Whoever waits sees how far it is, and keeps what was measured when a later run fails.
      console.error(JSON.stringify({ run: run + 1, store, load, figures }));
    }
  }
  if (values.json) return console.log(JSON.stringify({ amounts, results }));
  const [processor] = cpus();
  console.log(`${(ports * 100).toLocaleString('en-GB')} lines in store, ${runs} runs: median (lowest to highest)`);
  console.log(`Node ${process.version}, ${availableParallelism()} cores, ${processor?.model.trim()}`);
  console.log(`Load before the runs: ${results.map(({ load }) => load.toFixed(1)).join(', ')}\n`);
  console.log(`| | ${stores.join(' | ')} |\n|---|${stores.map(() => '--:|').join('')}`);
  const ofStore = (store: Store) => results.filter((one) => one.store === store).map(({ figures }) => figures);
  for (const [name, label, digits] of lines) {
    console.log(`| ${label} | ${stores.map((store) => told(ofStore(store), name, digits)).join(' | ')} |`);
  }
}

await main();
