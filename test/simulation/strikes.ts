// Faults that are ordered one by one: what is to happen to which of the effects that come next.
import { type AwsFate, awsFates, type CallFate, callFates, type Faults, noFaults } from './faults.ts';

export interface Strike {
  readonly fate: AwsFate | CallFate;
  /** So many effects that it could hit are let pass. */
  readonly after: number;
  /** Only effects of this name. @default any */
  readonly effect?: string;
}

export interface Strikes extends Faults {
  add(strike: Strike): void;
  /** Forgets what has not hit yet. */
  clear(): void;
}

type Fates = readonly (AwsFate | CallFate)[];
const commandFates: Fates = awsFates;
const outgoingFates: Fates = [...callFates, 'killed-before', 'killed-after'];

export function createStrikes(): Strikes {
  let waiting: { strike: Strike; left: number }[] = [];

  /** The first strike that hits this effect; of those that it could have been, each is one nearer. */
  const hit = (effect: string, possible: Fates): AwsFate | CallFate => {
    const near = waiting.filter(({ strike }) => possible.includes(strike.fate) && (strike.effect ?? effect) === effect);
    const due = near.find(({ left }) => left === 0);
    waiting = waiting.filter((each) => each !== due);
    for (const each of near) each.left -= 1;
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
  };
}
