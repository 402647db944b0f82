// With any sequence of actions of users, AWS and the service, the invariants hold after each step and at the end.
import { expect, test } from 'vitest';
import { sweptRuns } from '../fault-runs.ts';
import { runModel } from './run-model.ts';

/** `MODEL_SEED=…` repeats a seed, `MODEL_RUNS=…` runs more sequences. */
const seed = Number(process.env.MODEL_SEED ?? 20_260_706);
const runs = Number(process.env.MODEL_RUNS ?? sweptRuns(40));

const timeout = 300_000 + runs * 1_000;

test('random sequences of uploads, crashes, lost and repeated messages keep every invariant', { timeout }, async () => {
  const { complaint, sequences, happenings } = await runModel({ seed, runs });
  console.log(`${sequences} sequences of ${happenings} commands, MODEL_SEED=${seed}`);
  expect(complaint).toBe('');
});
