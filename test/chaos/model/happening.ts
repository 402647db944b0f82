// A command of fast-check: runs an action, lets some time pass and checks every invariant that holds at any time.
import type fc from 'fast-check';
import type { Model } from './model.ts';
import type { Rig } from './rig.ts';

export type Command = fc.AsyncCommand<Model, Rig>;

interface Happening {
  readonly name: string;
  /** @default always */
  readonly when?: (model: Model) => boolean;
  readonly does: (model: Model, rig: Rig) => Promise<void> | void;
}

export const command = ({ name, when = () => true, does }: Happening): Command => ({
  check: when,
  run: async (model, rig) => {
    model.steps += 1;
    await does(model, rig);
    await rig.pass(50);
    await rig.check(model);
  },
  toString: () => name,
});
