// The calendar of the simulator, as the console controls it. A person may pause it, skip days or choose its speed.
// Until then it runs only while numbers are in progress, and stops when one requires action: no day passes while a
// person fixes a file or types PACs.

import { setInterval as every } from 'node:timers/promises';
import type { SimulatorControls } from '#functions/api/simulator.ts';
import type { RunningCalendar } from '#local/running-calendar.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { isActive } from '#shared/import/import-state.ts';
import { eachImport, type ImportReader } from '#shared/store/imports.ts';

export interface CalendarControlOptions {
  readonly calendar: RunningCalendar;
  /** Whether it pauses by itself, until a person chooses a speed. */
  readonly automatic: boolean;
  readonly imports: ImportReader;
  readonly account: number;
  /** Receives messages for the user. */
  readonly report: (line: string) => void;
}

type Calendar = SimulatorControls['calendar'];

export interface CalendarControl extends Calendar {
  /** Pauses the calendar, or lets it continue, where it does so by itself. */
  readonly check: () => Promise<void>;
}

/** A day a minute. */
export const usualSpeed = 1_440;

const paused = 'The calendar is paused: no number is in progress, or one requires action.';

/** Finds out whether a person must act before anything can happen. */
function watchForPerson(): (imports: readonly ImportItem[]) => boolean {
  const seen = new Set<string>();
  /** Actions that were required when a person last acted. The effect shows only once the calendar runs. */
  let accepted = 0;
  return (imports) => {
    const required = imports.reduce((sum, { actionRequired }) => sum + actionRequired, 0);
    // Corrections, new PACs and removals are imports too. A file that is only validated, or rejected, solves nothing.
    const sent = imports.filter((item) => isActive(item) || item.state === 'finished');
    const hasActed = sent.some(({ importId }) => !seen.has(importId));
    for (const { importId } of sent) seen.add(importId);
    accepted = hasActed ? required : Math.min(accepted, required);
    return !imports.some(isActive) || required > accepted;
  };
}

export function createCalendarControl({
  calendar,
  automatic,
  imports,
  account,
  report,
}: CalendarControlOptions): CalendarControl {
  let isAutomatic = automatic;
  const waitsForPerson = watchForPerson();
  const runningSpeed = calendar.current().speed || usualSpeed;
  const show = () => ({
    now: new Date(calendar.now()).toISOString(),
    speed: calendar.current().speed,
    automatic: isAutomatic,
  });
  const check = async (): Promise<void> => {
    if (!isAutomatic) return;
    const speed = waitsForPerson(await Array.fromAsync(eachImport(imports, account))) ? 0 : runningSpeed;
    if (speed === calendar.current().speed || !isAutomatic) return;
    await calendar.change({ speed });
    report(speed === 0 ? paused : 'The calendar runs again.');
  };
  const move: Calendar['move'] = async (wanted) => {
    if ('days' in wanted) await calendar.change({ days: wanted.days });
    isAutomatic = 'automatic' in wanted || (isAutomatic && !('speed' in wanted));
    if ('speed' in wanted) await calendar.change({ speed: wanted.speed });
    await check();
    return show();
  };
  return { show, move, check };
}

const checkEveryMs = 1_000;

/** Checks until the signal. A check that fails is repeated by the next one. */
export async function keepChecking({ check }: CalendarControl, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of every(checkEveryMs, undefined, { signal, ref: false })) await check().catch(() => undefined);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
