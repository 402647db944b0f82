// A plan that waited too long has days that can no longer be booked: the approval books other ones, or none.
import Alert from '@cloudscape-design/components/alert';
import { afterPassedDays, passedDays } from '#shared/row/booking-window.ts';
import { addDays, dateInZone } from '#shared/row/calendar-date.ts';
import { count } from '#shared/text/wording.ts';
import type { Answer } from '../../api/answers.ts';
import { useRead } from '../../api/queries.ts';
import { useNow, useSession } from '../../app/session.tsx';
import { formatDay } from '../../text/format.ts';

type Plan = Answer<'getPlan'>;

/** In the plan, and again where it is approved. */
export function PassedDays({ plan }: { readonly plan: Plan }) {
  const { zone } = useSession().environment;
  const { data } = useRead('getReferenceData', { query: { lists: 'networks' } });
  const today = dateInZone(useNow(), zone);
  const earliestOf = (network?: { readonly minPortDays?: string }) => addDays(today, Number(network?.minPortDays ?? 0));
  const passed = plan.state === 'planned' ? passedDays(plan.groups, data?.lists.networks ?? [], earliestOf) : [];
  const [first] = passed;
  if (first === undefined) return null;
  return (
    <Alert
      type="warning"
      header={
        passed.length === 1
          ? `The day ${formatDay(first)} can no longer be booked`
          : `${count(passed.length)} days of the plan can no longer be booked, the first of them ${formatDay(first)}`
      }
    >
      {afterPassedDays}
    </Alert>
  );
}
