// The filters of the list of imports, and what they ask the API.
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import type { ImportState } from '#shared/import/import.ts';
import { utcOffset } from '#shared/row/calendar-date.ts';
import { counted } from '#shared/text/wording.ts';
import type { CallInput } from '../../api/call.ts';
import { useDelayed } from '../../api/queries.ts';
import { useSession } from '../../app/session.tsx';
import { Choice } from '../../components/screen.tsx';
import { formatMonth } from '../../text/format.ts';
import { states } from '../../text/words.ts';

export interface Filter {
  readonly text: string;
  readonly state: ImportState | 'archived' | '';
  /** The first day of a month, a number of days until today, or empty. */
  readonly time: string;
}

export const noFilter: Filter = { text: '', state: '', time: '' };

const lastDays = [7, 30] as const;
const shownMonths = 12;

export function useQueryOf({ text, state, time }: Filter): NonNullable<CallInput<'listImports'>['query']> {
  const { zone } = useSession().environment;
  const wanted = useDelayed(text.trim());
  return {
    ...(wanted && { text: wanted }),
    ...(state === 'archived' ? { archived: 'true' } : state && { state }),
    ...(time && periodOf(time, zone, Date.now())),
  };
}

function periodOf(time: string, zone: string, now: number): { readonly since: string; readonly before?: string } {
  const [year = 0, month = 0, day = 0] = (time.includes('-') ? time : dayOf(zone, now)).split('-').map(Number);
  const startOf = (monthIndex: number, ofMonth: number) => {
    const midnight = Date.UTC(year, monthIndex, ofMonth);
    return new Date(midnight - utcOffset(zone, midnight)).toISOString();
  };
  if (time.includes('-')) return { since: startOf(month - 1, 1), before: startOf(month, 1) };
  return { since: startOf(month - 1, day + 1 - Number(time)) };
}

/** `2026-07-03` */
const dayOf = (zone: string, now: number): string => new Date(now + utcOffset(zone, now)).toISOString().slice(0, 10);

function timeOptions(zone: string, now: number) {
  const [year = 0, month = 0] = dayOf(zone, now).split('-').map(Number);
  const months = Array.from({ length: shownMonths }, (_none, ago) =>
    new Date(Date.UTC(year, month - 1 - ago, 1)).toISOString().slice(0, 10),
  );
  return [
    { value: '', label: 'At any time' },
    { value: '1', label: 'Today' },
    ...lastDays.map((days) => ({ value: String(days), label: `In the last ${counted(days, 'day')}` })),
    ...months.map((value) => ({ value, label: formatMonth(value) })),
  ];
}

const stateOptions = () =>
  [
    { value: '', label: 'All states' },
    ...Object.entries(states).map(([value, label]) => ({ value: value as ImportState, label })),
    { value: 'archived', label: 'Archived' },
  ] as const;

interface Props {
  readonly filter: Filter;
  readonly onChange: (filter: Filter) => void;
}

export function ImportFilters({ filter, onChange }: Props) {
  const { zone } = useSession().environment;
  return (
    <div className="filters">
      <FormField label="File or person">
        <Input
          type="search"
          value={filter.text}
          onChange={({ detail }) => onChange({ ...filter, text: detail.value })}
        />
      </FormField>
      <Choice
        label="State"
        value={filter.state}
        options={stateOptions()}
        onChange={(state) => onChange({ ...filter, state })}
      />
      <Choice
        label="Received"
        value={filter.time}
        options={timeOptions(zone, Date.now())}
        onChange={(time) => onChange({ ...filter, time })}
      />
    </div>
  );
}
