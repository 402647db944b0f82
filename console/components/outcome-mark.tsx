// The outcome of a number: its colour and its word.
import type { Outcome } from '#shared/domain/imports/outcome.ts';
import { outcomeWords } from '#shared/domain/imports/outcome-words.ts';

export const OutcomeMark = ({ outcome }: { readonly outcome: Outcome }) => (
  <span className="outcome">
    <span className={`mark ${outcome}`} aria-hidden="true" />
    {outcomeWords[outcome]}
  </span>
);
