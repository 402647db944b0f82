// The calendar of the simulator in the banner: what time it is there, and how fast it runs.
import { useRead } from '../../api/queries.ts';
import { useSession } from '../../app/session.tsx';
import { strings } from '../../strings.ts';
import { formatCalendar } from '../../text/format.ts';

export default function CalendarText() {
  const { zone } = useSession().environment;
  const { data: calendar } = useRead('getCalendar', {}, { everyMs: 2_000 });
  if (calendar === undefined) return null;
  return (
    <span className="digits">
      {formatCalendar(calendar.now, zone)}, {strings.simulator.speed(calendar.speed)}
    </span>
  );
}
