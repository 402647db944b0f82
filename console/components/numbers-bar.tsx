// One bar of numbers by outcome, with a legend in words.

import type { Outcomes } from '#shared/domain/imports/outcome-words.ts';
import { strings } from '../strings.ts';
import { count } from '../text/format.ts';
import { describeOutcomes, sharesOf } from '../text/words.ts';

interface Props {
  readonly outcomes: Outcomes;
  readonly rows: number;
  readonly size?: 'large' | 'small';
}

export function NumbersBar({ outcomes, rows, size = 'small' }: Props) {
  const shares = sharesOf(outcomes);
  return (
    <div className={`bar ${size}`} role="img" aria-label={describeOutcomes(outcomes, rows)}>
      {shares.map(({ outcome, word, rows: numbers }) => (
        <span
          key={outcome}
          className={outcome}
          title={strings.outcomes.share(numbers, word)}
          style={{ flexGrow: numbers, flexBasis: 0 }}
        />
      ))}
    </div>
  );
}

export function NumbersLegend({ outcomes }: Pick<Props, 'outcomes'>) {
  return (
    <ul className="legend">
      {sharesOf(outcomes).map(({ outcome, word, rows: numbers }) => (
        <li key={outcome}>
          <span className={`mark ${outcome}`} aria-hidden="true" />
          <span>
            <b>{count(numbers)}</b> {word}
          </span>
        </li>
      ))}
    </ul>
  );
}
