// One bar of numbers by outcome, with a legend in words.
import { count } from '#shared/domain/text/counted.ts';
import { strings } from '../strings.ts';
import { describeOutcomes, type Outcomes, sharesOf } from '../text/outcomes.ts';

interface Props {
  readonly outcomes: Outcomes;
  readonly rows: number;
  readonly size?: 'large' | 'small';
}

export function NumbersBar({ outcomes, rows, size = 'small' }: Props) {
  const shares = sharesOf(outcomes);
  return (
    <div className={`bar ${size}`} role="img" aria-label={describeOutcomes(outcomes, rows)}>
      {shares.map(({ outcome, text, numbers }) => (
        <span
          key={outcome}
          className={outcome}
          title={strings.bar.share(count(numbers), text)}
          style={{ flexGrow: numbers, flexBasis: 0 }}
        />
      ))}
    </div>
  );
}

export function NumbersLegend({ outcomes }: Pick<Props, 'outcomes'>) {
  return (
    <ul className="legend">
      {sharesOf(outcomes).map(({ outcome, text, numbers }) => (
        <li key={outcome}>
          <span className={`mark ${outcome}`} aria-hidden="true" />
          <span>
            <b>{count(numbers)}</b> {text}
          </span>
        </li>
      ))}
    </ul>
  );
}
