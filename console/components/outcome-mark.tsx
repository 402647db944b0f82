// The outcome of a number: its colour and its word.

import { type Outcome, outcomeWords } from '#shared/outcome/outcome.ts';
import { isBlocked } from '#shared/port/port-status.ts';
import { strings } from '../strings.ts';

interface Props {
  readonly row: { readonly outcome: Outcome; readonly message: string | null };
}

export const OutcomeMark = ({ row }: Props) => (
  <span className="outcome">
    <span className={`mark ${row.outcome}`} aria-hidden="true" />
    {outcomeWords[row.outcome]}
    {isBlocked(row) && `, ${strings.rows.blocked}`}
  </span>
);
