// Progress on standard error, so that standard output contains only the answer. On a terminal the lines are redrawn; in
// a pipe or a log a plain line appears every few seconds, with the steps that have changed since.
import type { Clock } from '#shared/runtime/clock.ts';
import type { Paint } from './paint.ts';
import { plain, truncate } from './text.ts';

export interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** One step of the work. `share` is from 0 to 1, undefined while it is unknown. */
export interface ProgressStep {
  readonly name: string;
  readonly share: number | undefined;
  readonly detail: string;
}

export interface Progress {
  show(steps: readonly ProgressStep[]): void;
  /** Leaves the last state visible. */
  finish(): void;
}

const logIntervalMs = 5_000;
const barWidth = 24;
const eraseLine = '\u001b[2K';

/** A bar of block characters; dots when the share is unknown. */
export function bar(share: number | undefined, width = barWidth): string {
  if (share === undefined) return '·'.repeat(width);
  const filled = Math.floor(Math.min(1, Math.max(0, share)) * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

export function createProgress(stream: ProgressStream, paint: Paint, clock: Clock): Progress {
  return stream.isTTY ? redrawnProgress(stream, paint) : loggedProgress(stream, clock);
}

function redrawnProgress(stream: ProgressStream, paint: Paint): Progress {
  let drawn = 0;
  return {
    show(steps) {
      const width = stream.columns ?? 80;
      const names = Math.max(...steps.map(({ name }) => name.length));
      const lines = steps.map(({ name, share, detail }) => {
        const text = truncate(plain(detail), Math.max(8, width - names - barWidth - 5));
        return `${eraseLine}${name.padEnd(names)}  ${paint(share === 1 ? 'green' : 'cyan', bar(share))}  ${text}\n`;
      });
      const up = drawn > 0 ? `\u001b[${drawn}A` : '';
      stream.write(up + lines.join(''));
      drawn = lines.length;
    },
    finish: () => undefined,
  };
}

function loggedProgress(stream: ProgressStream, clock: Clock): Progress {
  const logged = new Map<string, string>();
  let latest: readonly ProgressStep[] = [];
  let loggedAt = Number.NEGATIVE_INFINITY;
  const logChanges = (): void => {
    const changed = latest.filter(({ name, detail }) => detail !== '' && logged.get(name) !== detail);
    if (changed.length === 0) return;
    stream.write(`${changed.map(({ name, detail }) => `${name}: ${plain(detail)}`).join(' | ')}\n`);
    for (const { name, detail } of changed) logged.set(name, detail);
    loggedAt = clock();
  };
  return {
    show(steps) {
      latest = steps;
      if (clock() - loggedAt >= logIntervalMs) logChanges();
    },
    finish: logChanges,
  };
}
