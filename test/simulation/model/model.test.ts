// Whatever people, AWS and the service do, in whatever order: the invariants hold after each step and in the end.
import { expect, test } from 'vitest';
import { runModel } from './run-model.ts';

/** `MODEL_SEED=…` replays a seed, `MODEL_RUNS=…` runs more sequences. */
const seed = Number(process.env.MODEL_SEED ?? 20_260_706);
const runs = Number(process.env.MODEL_RUNS ?? 40);

const timeout = 300_000 + runs * 1_000;

test('random sequences of uploads, crashes, lost and repeated messages keep every invariant', { timeout }, async () => {
  const { complaint, sequences, happenings } = await runModel({ seed, runs });
  console.log(`${sequences} sequences of ${happenings} happenings, MODEL_SEED=${seed}`);
  expect(complaint).toBe('');
});
