// The result of the mutants of a file, and its table.
import type { Equivalent } from './equivalents.ts';
import type { Mutant } from './instrument.ts';
import type { Mutated } from './mutate.ts';

export interface Score {
  readonly file: string;
  readonly killed: number;
  /** Mutants that change nothing visible, as `equivalents.ts` explains. */
  readonly justified: number;
  readonly survivors: readonly Mutant[];
  /** Explanations of mutants that do not exist or do not live. */
  readonly stale: readonly Equivalent[];
}

export function scoreOf(file: string, { killed, alive }: Mutated, equivalents: readonly Equivalent[]): Score {
  const explained = equivalents.filter((equivalent) => equivalent.file === file);
  const isExplained = (mutant: Mutant) => explained.some((equivalent) => matches(mutant, equivalent));
  return {
    file,
    killed: killed.length,
    justified: alive.filter(isExplained).length,
    survivors: alive.filter((mutant) => !isExplained(mutant)),
    stale: explained.filter((equivalent) => !alive.some((mutant) => matches(mutant, equivalent))),
  };
}

const matches = (mutant: Mutant, { code, on = code, replacement }: Equivalent): boolean =>
  mutant.code === code && mutant.replacement === replacement && (on === code || isWithin(mutant, on));

function isWithin({ text, column, code }: Mutant, part: string): boolean {
  const from = text.lastIndexOf(part, column);
  return from >= 0 && column + code.length <= from + part.length;
}

/** Killed mutants, in percent of those that can be killed. */
export const percentOf = (scores: readonly Score[]): number => {
  const dead = scores.reduce((sum, score) => sum + score.killed, 0);
  const living = scores.reduce((sum, score) => sum + score.survivors.length, 0);
  return dead + living === 0 ? 100 : Math.floor((1000 * dead) / (dead + living)) / 10;
};

/** Lists undetected mutants and unnecessary explanations; empty if there are none. */
export function complaintsOf({ file, survivors, stale }: Score): string {
  const living = survivors.map(
    ({ line, mutator, code, replacement }) => `${file}:${line} ${mutator}\n  - ${code}\n  + ${replacement}\n`,
  );
  const gone = stale.map(
    ({ code, replacement }) =>
      `${file}: equivalents.ts explains a mutant that does not live: ${code} -> ${replacement}\n`,
  );
  return [...living, ...gone].join('');
}

export function tableOf(scores: readonly Score[]): string {
  const head = `${'file'.padEnd(40)}${['killed', 'equal', 'alive'].map((name) => name.padStart(8)).join('')}${'score'.padStart(9)}`;
  return [head, ...scores.map((score) => rowOf(score.file, [score])), rowOf('all', scores)].join('\n');
}

function rowOf(name: string, scores: readonly Score[]): string {
  const sum = (count: (score: Score) => number) => scores.reduce((total, score) => total + count(score), 0);
  const counts = [
    sum((score) => score.killed),
    sum((score) => score.justified),
    sum((score) => score.survivors.length),
  ];
  return `${name.padEnd(40)}${counts.map((count) => String(count).padStart(8)).join('')}${`${percentOf(scores)} %`.padStart(9)}`;
}
