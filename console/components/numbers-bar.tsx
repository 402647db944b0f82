// One bar of numbers by outcome, with a legend in words.

import { describeOutcomes, describeShare, type Outcomes, sharesOf } from '#shared/outcome/outcome.ts';
import { count } from '#shared/text/wording.ts';

interface Props {
  readonly outcomes: Outcomes;
  readonly rows: number;
  readonly size?: 'large' | 'small';
}

export function NumbersBar({ outcomes, rows, size = 'small' }: Props) {
  return (
    <div className={`bar ${size}`} role="img" aria-label={describeOutcomes(outcomes, rows)}>
      {sharesOf(outcomes).map((share) => (
        <span
          key={share.outcome}
          className={share.outcome}
          title={describeShare(share)}
          style={{ flexGrow: share.rows, flexBasis: 0 }}
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
