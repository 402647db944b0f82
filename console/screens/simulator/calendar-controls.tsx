// The calendar of the simulator in the banner of every screen: what time it is there, how fast it runs, pause and skip.
import type { BodyInput } from '#functions/api/contract.ts';
import { counted } from '#shared/text/wording.ts';
import type { Answer } from '../../api/answers.ts';
import { useCommand, useRead } from '../../api/queries.ts';
import { useSession } from '../../app/session.tsx';
import { formatInstant } from '../../text/format.ts';

/** The speeds of the calendar that the page offers. */
export const calendarSpeeds = {
  automatic: { automatic: true },
  paused: { speed: 0 },
  real: { speed: 1 },
  minute: { speed: 1_440 },
  seconds: { speed: 8_640 },
} satisfies Record<string, BodyInput<'moveCalendar'>>;

export type SpeedName = keyof typeof calendarSpeeds;
export const speedNames = Object.keys(calendarSpeeds) as SpeedName[];

/** `other`: a speed of the command line. */
export function speedNameOf({ speed, automatic }: Answer<'getCalendar'>): SpeedName | 'other' {
  if (automatic) return 'automatic';
  return speedNames.find((name) => 'speed' in calendarSpeeds[name] && calendarSpeeds[name].speed === speed) ?? 'other';
}

const describeSpeed = (speed: number) => {
  if (speed === 0) return 'paused';
  if (speed === 1) return 'real time';
  const seconds = Math.max(1, Math.round(86_400 / speed));
  return `a day takes ${seconds % 60 === 0 ? counted(seconds / 60, 'minute') : counted(seconds, 'second')}`;
};

export default function CalendarControls() {
  const { zone } = useSession().environment;
  const { data: calendar } = useRead('getCalendar', {}, { everyMs: 2_000 });
  const { run, isRunning } = useCommand('moveCalendar', { failed: 'The calendar was not changed' });
  if (calendar === undefined) return null;
  const { now, speed, automatic } = calendar;
  const isPaused = speed === 0 && !automatic;
  return (
    <span className="calendar">
      <span className="digits">
        {`Calendar of the ports: ${formatInstant(now, zone)}`},{' '}
        {speed === 0 && automatic ? 'waits for you' : describeSpeed(speed)}
      </span>
      <button type="button" disabled={isRunning} onClick={() => run({ body: { days: 1 } })}>
        Next day
      </button>
      <button
        type="button"
        disabled={isRunning}
        onClick={() => run({ body: isPaused ? calendarSpeeds.automatic : calendarSpeeds.paused })}
      >
        {isPaused ? 'Run' : 'Pause'}
      </button>
    </span>
  );
}
