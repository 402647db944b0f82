// Faults that a test requests one by one, for the next effects.
import { type AwsFate, awsFates, type CallFate, callFates, type Faults, noFaults } from './faults.ts';

export interface Strike {
  readonly fate: AwsFate | CallFate;
  /** The number of matching effects to skip. */
  readonly after: number;
  /** Only effects of this name. @default any */
  readonly effect?: string;
}

export interface Strikes extends Faults {
  add(strike: Strike): void;
  /** Removes the faults that did not occur yet. */
  clear(): void;
  /** How many faults occurred. */
  hits(): number;
}

type Fates = readonly (AwsFate | CallFate)[];
const commandFates: Fates = awsFates;
const outgoingFates: Fates = [...callFates, 'killed-before', 'killed-after'];

export function createStrikes(): Strikes {
  let waiting: { strike: Strike; left: number }[] = [];
  let hits = 0;

  /** The first fault that applies to this effect; every other matching fault skips one effect less. */
  const hit = (effect: string, possible: Fates): AwsFate | CallFate => {
    const near = waiting.filter(({ strike }) => possible.includes(strike.fate) && (strike.effect ?? effect) === effect);
    const due = near.find(({ left }) => left === 0);
    waiting = waiting.filter((each) => each !== due);
    for (const each of near) each.left -= 1;
    if (due !== undefined) hits += 1;
    return due?.strike.fate ?? 'done';
  };

  return {
    ...noFaults,
    aws: (effect) => hit(effect, commandFates) as AwsFate,
    call: (effect) => hit(effect, outgoingFates) as CallFate,
    add: (strike) => void waiting.push({ strike, left: strike.after }),
    clear: () => {
      waiting = [];
    },
    hits: () => hits,
  };
}
