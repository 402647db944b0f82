// The calendar of the simulator in the banner of every screen: what time it is there, how fast it runs, pause and skip.
import { useRead } from '../../api/queries.ts';
import { useCommand } from '../../api/use-command.ts';
import { useSession } from '../../app/session.tsx';
import { strings } from '../../strings.ts';
import { formatInstant } from '../../text/format.ts';
import { calendarSpeeds } from './calendar-speeds.ts';

export default function CalendarControls() {
  const { zone } = useSession().environment;
  const { data: calendar } = useRead('getCalendar', {}, { everyMs: 2_000 });
  const texts = strings.simulator;
  const { run, isRunning } = useCommand('moveCalendar', { failed: texts.moveFailed });
  if (calendar === undefined) return null;
  const { now, speed, automatic } = calendar;
  const isPaused = speed === 0 && !automatic;
  return (
    <span className="calendar">
      <span className="digits">
        {strings.environment.calendar(formatInstant(now, zone))},{' '}
        {speed === 0 && automatic ? texts.waits : texts.speed(speed)}
      </span>
      <button type="button" disabled={isRunning} onClick={() => run({ body: { days: 1 } })}>
        {texts.nextDay}
      </button>
      <button
        type="button"
        disabled={isRunning}
        onClick={() => run({ body: isPaused ? calendarSpeeds.automatic : calendarSpeeds.paused })}
      >
        {isPaused ? texts.run : texts.pause}
      </button>
    </span>
  );
}
