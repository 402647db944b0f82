// Runs random command sequences on the model and the simulation. A failing sequence is shrunk and can be repeated.
import fc from 'fast-check';
import type { SurfaceName } from '../surfaces.ts';
import { happenings } from './commands.ts';
import { createModel } from './model.ts';
import { createRig } from './rig.ts';

export interface ModelRuns {
  readonly seed: number;
  readonly runs: number;
  /** A surface that forgets the parts of imports: the first sequence that shows it is not shrunk. @default none */
  readonly forgets?: SurfaceName;
}

export interface ModelReport {
  /** Empty if all invariants held; otherwise the shortest failing sequence and how to repeat it. */
  readonly complaint: string;
  readonly sequences: number;
  readonly happenings: number;
}

const options = fc.record({
  seed: fc.nat(0xffff_ffff),
  takesTwice: fc.boolean(),
  removesBlocking: fc.boolean(),
  cutsEnds: fc.boolean(),
  isWhole: fc.oneof({ arbitrary: fc.constant(false), weight: 3 }, fc.constant(true)),
});

export async function runModel({ seed, runs, forgets }: ModelRuns): Promise<ModelReport> {
  const done = { sequences: 0, happenings: 0 };
  const property = fc.asyncProperty(
    options,
    fc.commands([...happenings], { maxCommands: 30, size: 'max' }),
    async (given, commands) => {
      const model = createModel();
      const rig = createRig({ ...given, forgets });
      await fc.asyncModelRun(() => ({ model, real: rig }), commands);
      await rig.settle(model);
      done.sequences += 1;
      done.happenings += model.steps;
    },
  );
  const details = await fc.check(property, { seed, numRuns: runs, endOnFailure: forgets !== undefined });
  if (!details.failed) return { ...done, complaint: '' };
  const { message } = details.errorInstance instanceof Error ? details.errorInstance : { message: '' };
  const counterexample = (details.counterexample ?? []).map((part) => fc.stringify(part)).join('\n');
  const replay = `MODEL_SEED=${seed} MODEL_RUNS=${runs} npx vitest run test/chaos/model`;
  return { ...done, complaint: [replay, message, counterexample].join('\n') };
}
