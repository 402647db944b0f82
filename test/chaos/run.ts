// Runs many seeds on every core: `npm run chaos -- --seeds 10000 [--from 1]`. Prints each failing seed and how to
// repeat it. With `--model` a seed is several random sequences of the model, with `--operations` a day of the
// operations other than Create Port, with `--lists` port lists that never calm. `--workers N` leaves cores to others.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import * as z from 'zod';
import { type Simulated, simulate } from './chaos.ts';
import { runModel } from './model/run-model.ts';
import { simulateOperations } from './operations/simulate-operations.ts';
import { simulateLists } from './restless-lists.ts';

const kinds = ['scenario', 'model', 'operations', 'lists'] as const;
const share = z.object({ first: z.int(), last: z.int(), every: z.int().positive(), kind: z.enum(kinds) });
/** Sequences per seed of the model. */
const sequencesPerSeed = 20;
const done = z.object({
  seed: z.int(),
  /** How to repeat the failure, and its description; empty without a failure. */
  complaint: z.array(z.string()),
  counts: z.record(z.string(), z.number()),
});

if (isMainThread) process.exitCode = await runAll();
else await runShare(share.parse(workerData));

/** Runs every n-th seed and reports each to the main thread. */
async function runShare({ first, last, every, kind }: z.infer<typeof share>): Promise<void> {
  const runSeed = { scenario: runScenario, model: runSequences, operations: runOperations, lists: runLists }[kind];
  for (let seed = first; seed <= last; seed += every) parentPort?.postMessage(await runSeed(seed));
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

async function runAll(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '1000' },
      from: { type: 'string', default: '1' },
      model: { type: 'boolean', default: false },
      operations: { type: 'boolean', default: false },
      lists: { type: 'boolean', default: false },
      workers: { type: 'string', default: String(availableParallelism()) },
    },
  });
  const began = process.hrtime.bigint();
  const from = Number(values.from);
  const last = from + Number(values.seeds) - 1;
  const every = Number(values.workers);
  const kind = kinds.find((each) => each !== 'scenario' && values[each]) ?? 'scenario';
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
    worker.on('message', take);
    return new Promise<void>((resolve, reject) => {
      worker.once('error', reject);
      worker.once('exit', () => resolve());
    });
  });
  await Promise.all(workers);
  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  console.log(`${values.seeds} seeds in ${seconds.toFixed(0)} s, ${failed} failed`);
  for (const [name, times] of [...sums].sort(([left], [right]) => (left < right ? -1 : 1))) {
    console.log(`${String(Math.round(times)).padStart(10)}  ${name}`);
  }
  return failed === 0 ? 0 : 1;
}
