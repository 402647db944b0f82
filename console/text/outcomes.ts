// Outcomes as counts of numbers, in the order of every surface.
import { type Outcome, outcomeOrder } from '#shared/domain/imports/outcome.ts';
import { count } from '#shared/domain/text/counted.ts';
import { strings } from '../strings.ts';

export type Outcomes = { readonly [Name in Outcome]?: number | undefined };

export interface OutcomeShare {
  readonly outcome: Outcome;
  readonly text: string;
  readonly numbers: number;
}

export const sharesOf = (outcomes: Outcomes): OutcomeShare[] =>
  outcomeOrder.flatMap((outcome) => {
    const numbers = outcomes[outcome] ?? 0;
    return numbers === 0 ? [] : [{ outcome, text: strings.outcomes[outcome], numbers }];
  });

export const accountedFor = (outcomes: Outcomes): number =>
  sharesOf(outcomes).reduce((sum, { numbers }) => sum + numbers, 0);

/** Numbers that reached what their import wanted. */
export const succeeded = ({ complete = 0, accepted = 0 }: Outcomes): number => complete + accepted;

/** `120 of 320 ported, 3 action required, 12 invalid` */
export function describeOutcomes(outcomes: Outcomes, rows: number): string {
  const word = (outcomes.accepted ?? 0) > 0 ? strings.outcomes.accepted : strings.outcomes.complete;
  const others = sharesOf(outcomes).filter(({ outcome }) => outcome !== 'complete' && outcome !== 'accepted');
  return [
    `${count(succeeded(outcomes))} of ${count(rows)} ${word}`,
    ...others.map(({ numbers, text }) => `${count(numbers)} ${text}`),
  ].join(', ');
}
