// The outcome of a number: its colour and its word.

import { isBlocked } from '#shared/domain/ports/blocked-rows.ts';
import { outcomeWords } from '#shared/outcome/outcome.ts';
import type { Outcome } from '#shared/outcome/row-result.ts';
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
