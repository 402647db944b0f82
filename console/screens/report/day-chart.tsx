// Numbers by connection date: planned, and complete so far.
import { count } from '#shared/domain/text/counted.ts';
import type { Answer } from '../../api/types.ts';
import { strings } from '../../strings.ts';
import { formatDay, formatShortDay } from '../../text/format.ts';

type Day = Answer<'getReport'>['byDay'][number];

/** Later days are in the downloads. */
const shownDays = 60;

export function DayChart({ days }: { readonly days: readonly Day[] }) {
  const most = Math.max(1, ...days.map(({ rows }) => rows));
  return (
    <ul className="day-chart">
      {days.slice(0, shownDays).map(({ day, rows, complete }) => (
        <li key={day}>
          <span title={formatDay(day)}>{formatShortDay(day)}</span>
          <span className="day-bar" aria-hidden="true">
            <span className="planned" style={{ inlineSize: `${(rows / most) * 100}%` }}>
              <span className="done complete" style={{ inlineSize: `${(complete / Math.max(1, rows)) * 100}%` }} />
            </span>
          </span>
          <span className="digits">{strings.report.dayCounts(count(complete), count(rows))}</span>
        </li>
      ))}
    </ul>
  );
}
