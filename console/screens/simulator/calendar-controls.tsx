// The calendar of the simulator in the banner: the time, pause, and the next day.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { useNotices } from '../../app/notices.tsx';
import { useSession } from '../../app/session.tsx';
import { strings } from '../../strings.ts';
import { formatCalendar } from '../../text/format.ts';

/** A day of the calendar is a minute. */
const usualSpeed = 1_440;

export default function CalendarControls() {
  const { zone } = useSession().environment;
  const client = useQueryClient();
  const { notifyError } = useNotices();
  const { data: calendar } = useRead('getCalendar', {}, { everyMs: 2_000 });
  const move = useMutation({
    mutationFn: (body: { days: number } | { speed: number }) => call('moveCalendar', { body }),
    onSuccess: (moved) => client.setQueryData(['getCalendar', {}], moved),
    onError: (error) => notifyError(strings.simulator.calendarFailed, error),
  });
  if (calendar === undefined) return null;
  const isPaused = calendar.speed === 0;
  return (
    <>
      <span className="digits">{formatCalendar(calendar.now, zone)}</span>
      <span>{strings.simulator.speed(calendar.speed)}</span>
      <button type="button" disabled={move.isPending} onClick={() => move.mutate({ speed: isPaused ? usualSpeed : 0 })}>
        {isPaused ? strings.simulator.resume : strings.simulator.pause}
      </button>
      <button type="button" disabled={move.isPending} onClick={() => move.mutate({ days: 1 })}>
        {strings.simulator.nextDay}
      </button>
    </>
  );
}
