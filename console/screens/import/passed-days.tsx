// A plan that waited too long has days that can no longer be booked: the approval books other ones, or none.
import Alert from '@cloudscape-design/components/alert';
import { addDays, type CalendarDate, dateInZone } from '#shared/row/calendar-date.ts';
import { count } from '#shared/text/wording.ts';
import type { Answer } from '../../api/answers.ts';
import { useRead } from '../../api/queries.ts';
import { useNow, useSession } from '../../app/session.tsx';
import { formatDay } from '../../text/format.ts';

type Plan = Answer<'getPlan'>;
type Networks = NonNullable<Answer<'getReferenceData'>['lists']['networks']>;

/**
 * In the plan, and again where it is approved. Rows with `auto` and rows with this day of their own may be in one
 * group: the text is true for both.
 */
export function PassedDays({ plan }: { readonly plan: Plan }) {
  const { zone } = useSession().environment;
  const { data } = useRead('getReferenceData', { query: { lists: 'networks' } });
  const passed = passedDays(dateInZone(useNow(), zone), plan, data?.lists.networks ?? []);
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
      After the approval, numbers with the date "auto" are booked for the next possible day. Numbers with such a fixed
      date are declined.
    </Alert>
  );
}

/** The days of the plan that are too near for their network, or over, the earliest first. */
function passedDays(today: CalendarDate, { state, groups }: Plan, networks: Networks): readonly string[] {
  if (state !== 'planned') return [];
  const days = groups.flatMap(({ samples }) =>
    samples.flatMap(({ values }) => {
      const { connectionDate, targetNetwork, portType } = Object.fromEntries(
        values.map(({ name, value }) => [name, value]),
      );
      if (connectionDate === undefined) return [];
      const network = networks.find((one) => one.targetNetworkId === targetNetwork && one.portType === portType);
      return connectionDate < addDays(today, Number(network?.minPortDays ?? 0)) ? [connectionDate] : [];
    }),
  );
  return [...new Set(days)].sort();
}
