// A plan that waited too long has days that passed: the approval books other ones, or none.
import Alert from '@cloudscape-design/components/alert';
import { dateInZone } from '#shared/row/calendar-date.ts';
import { count } from '#shared/text/wording.ts';
import type { Answer } from '../../api/answers.ts';
import { useNow, useSession } from '../../app/session.tsx';
import { formatDay } from '../../text/format.ts';

type Plan = Answer<'getPlan'>;

/**
 * In the plan, and again where it is approved. Rows with `auto` and rows with this day of their own may be in one
 * group: the text is true for both.
 */
export function PassedDays({ plan }: { readonly plan: Plan }) {
  const { zone } = useSession().environment;
  const passed = daysBefore(dateInZone(useNow(), zone), plan);
  const [first] = passed;
  if (first === undefined) return null;
  return (
    <Alert
      type="warning"
      header={
        passed.length === 1
          ? `The day ${formatDay(first)} has passed`
          : `${count(passed.length)} days of the plan have passed, the first of them ${formatDay(first)}`
      }
    >
      After the approval, numbers with the date "auto" are booked for the next possible day. Numbers with a fixed date
      that has passed are declined.
    </Alert>
  );
}

/** The days of the plan before today, the earliest first. */
function daysBefore(today: string, { state, groups }: Plan): readonly string[] {
  if (state !== 'planned') return [];
  const values = groups.flatMap(({ samples }) => samples.flatMap((sample) => sample.values));
  const days = values.flatMap(({ name, value }) => (name === 'connectionDate' && value < today ? [value] : []));
  return [...new Set(days)].sort();
}
