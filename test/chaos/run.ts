// Runs many seeds on every core: `npm run chaos -- --seeds 10000`. Prints each failing seed and how to repeat it.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import * as z from 'zod';
import { type Simulated, simulate } from './chaos.ts';
import { runModel } from './model/run-model.ts';
import { simulateOperations } from './operations/simulate-operations.ts';
import { simulateLists } from './restless-lists.ts';

const kinds = ['scenario', 'model', 'operations', 'lists'] as const;
const counted = z.coerce.number().int().min(1);
const options = z.object({ seeds: counted, from: counted, workers: counted });
const share = z.object({ first: z.int(), last: z.int(), every: z.int().positive(), kind: z.enum(kinds) });
/** What a worker says last: the time-outs of calls in environments that were killed would keep it for a minute more. */
const endOfShare = 'end';
/** Sequences per seed of the model. */
const sequencesPerSeed = 20;

const usage = `Usage: npm run chaos -- [options]

  --seeds N     how many seeds (default 1000)
  --from N      the first seed (default 1)
  --workers N   how many seeds run at once (default: one for each core)
  --model       a seed is ${sequencesPerSeed} random sequences of the model
  --operations  a seed is a day of the operations other than create-port
  --lists       a seed has port lists that never calm
  --help        print this text

Without --model, --operations or --lists a seed is random uploads of create-port under random faults. Exits with 1 if a
seed fails, and with 2 for a wrong option.`;

const done = z.object({
  seed: z.int(),
  /** How to repeat the failure, and its description; empty without a failure. */
  complaint: z.array(z.string()),
  counts: z.record(z.string(), z.number()),
});

if (isMainThread) process.exitCode = await main();
else await runShare(share.parse(workerData));

/** Runs every n-th seed and reports each to the main thread. */
async function runShare({ first, last, every, kind }: z.infer<typeof share>): Promise<void> {
  const runSeed = { scenario: runScenario, model: runSequences, operations: runOperations, lists: runLists }[kind];
  for (let seed = first; seed <= last; seed += every) parentPort?.postMessage(await runSeed(seed));
  parentPort?.postMessage(endOfShare);
}

async function runScenario(seed: number): Promise<z.infer<typeof done>> {
  return doneWith(await simulate({ seed }), `CHAOS_SEED=${seed} npx vitest run test/chaos/chaos.slow.test.ts`);
}

async function runLists(seed: number): Promise<z.infer<typeof done>> {
  return doneWith(await simulateLists(seed), `npm run chaos -- --lists --seeds 1 --from ${seed}`);
}

function doneWith(
  { seed, violations, counts, effects, ports, lasted }: Simulated,
  replay: string,
): z.infer<typeof done> {
  const sums = { effects, ports, 'virtual hours': lasted / 3_600_000 };
  const complaint = violations.length === 0 ? [] : [replay, ...violations];
  return { seed, complaint, counts: { ...Object.fromEntries(counts), ...sums } };
}

async function runSequences(seed: number): Promise<z.infer<typeof done>> {
  const { complaint, sequences, happenings } = await runModel({ seed, runs: sequencesPerSeed });
  return { seed, complaint: complaint === '' ? [] : [complaint], counts: { sequences, happenings } };
}

async function runOperations(seed: number): Promise<z.infer<typeof done>> {
  const { violations, counts } = await simulateOperations(seed);
  const replay = `OPERATIONS_SEED=${seed} npx vitest run test/chaos/operations`;
  return {
    seed,
    complaint: violations.length === 0 ? [] : [replay, ...violations],
    counts: Object.fromEntries(counts),
  };
}

/** @throws Error for an option that does not exist */
function readOptions() {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '1000' },
      from: { type: 'string', default: '1' },
      model: { type: 'boolean', default: false },
      operations: { type: 'boolean', default: false },
      lists: { type: 'boolean', default: false },
      workers: { type: 'string', default: String(availableParallelism()) },
      help: { type: 'boolean', default: false },
    },
  });
  const read = options.safeParse(values);
  if (!read.success) throw new Error(z.prettifyError(read.error));
  const kind = kinds.find((each) => each !== 'scenario' && values[each]) ?? 'scenario';
  return { ...read.data, kind, help: values.help };
}

async function main(): Promise<number> {
  let given: ReturnType<typeof readOptions>;
  try {
    given = readOptions();
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    return 2;
  }
  if (!given.help) return runAll(given);
  console.log(usage);
  return 0;
}

async function runAll({ seeds, from, workers: every, kind }: ReturnType<typeof readOptions>): Promise<number> {
  const began = process.hrtime.bigint();
  const last = from + seeds - 1;
  const sums = new Map<string, number>();
  let failed = 0;
  const take = (message: unknown): void => {
    const { seed, complaint, counts } = done.parse(message);
    for (const [name, times] of Object.entries(counts)) sums.set(name, (sums.get(name) ?? 0) + times);
    if (complaint.length === 0) return;
    failed += 1;
    console.log(`seed ${seed}: ${complaint.join('\n  ')}`);
  };
  const workers = Array.from({ length: every }, (_, index) => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { first: from + index, last, every, kind },
    });
    worker.on('message', (message) => (message === endOfShare ? void worker.terminate() : take(message)));
    return new Promise<void>((resolve, reject) => {
      worker.once('error', reject);
      worker.once('exit', () => resolve());
    });
  });
  await Promise.all(workers);
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  console.log(`${seeds} seeds in ${seconds.toFixed(0)} s, ${failed} failed`);
  for (const [name, times] of [...sums].sort(([left], [right]) => (left < right ? -1 : 1))) {
    console.log(`${String(Math.round(times)).padStart(10)}  ${name}`);
  }
  return failed === 0 ? 0 : 1;
}
