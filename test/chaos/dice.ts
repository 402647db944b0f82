// All random choices of a simulation come from one seed: the same seed is the same run (mulberry32).

export interface Dice {
  /** Uniform in [0, 1). */
  next(): number;
  /** An integer from `least` to `most`, both included. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  /** @throws Error when there is nothing to pick */
  pick<Choice>(choices: readonly Choice[]): Choice;
  uuid(): string;
}

export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1));
  const hex = (length: number): string => Array.from({ length }, () => between(0, 15).toString(16)).join('');
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (choices) => {
      if (choices.length === 0) throw new Error('there is nothing to pick');
      return choices[between(0, choices.length - 1)] as (typeof choices)[number];
    },
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`,
  };
}
