// The speeds of the calendar that the page offers.
import type { BodyInput } from '#functions/api/contract.ts';
import type { Answer } from '../../api/types.ts';

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
