// Progress of long work, on standard error so that standard output stays the answer: lines that redraw themselves on a
// terminal; in a pipe or a log one plain line now and then, and only when something moved.
import type { Clock } from '#shared/runtime/clock.ts';
import type { Paint } from './paint.ts';
import { truncate } from './text.ts';

export interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** One stage of the work: `share` from 0 to 1 where it is known, and what to say about it. */
export interface Stage {
  readonly name: string;
  readonly share: number | undefined;
  readonly detail: string;
}

export interface Progress {
  show(stages: readonly Stage[]): void;
  /** Leaves the last state standing. */
  finish(): void;
}

const quietMs = 5_000;
const barWidth = 24;
const eraseLine = '\u001b[2K';

/** A bar of block characters; an unknown share is drawn as dots. */
export function bar(share: number | undefined, width = barWidth): string {
  if (share === undefined) return '·'.repeat(width);
  const filled = Math.floor(Math.min(1, Math.max(0, share)) * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

export function createProgress(stream: ProgressStream, paint: Paint, clock: Clock): Progress {
  return stream.isTTY ? liveProgress(stream, paint) : plainProgress(stream, clock);
}

export const noProgress: Progress = { show: () => undefined, finish: () => undefined };

function liveProgress(stream: ProgressStream, paint: Paint): Progress {
  let drawn = 0;
  return {
    show(stages) {
      const width = stream.columns ?? 80;
      const names = Math.max(...stages.map((stage) => stage.name.length));
      const lines = stages.map((stage) => {
        const text = truncate(stage.detail, Math.max(8, width - names - barWidth - 5));
        const full = stage.share === 1 ? 'green' : 'cyan';
        return `${eraseLine}${stage.name.padEnd(names)}  ${paint(full, bar(stage.share))}  ${text}\n`;
      });
      const up = drawn > 0 ? `\u001b[${drawn}A` : '';
      stream.write(up + lines.join(''));
      drawn = lines.length;
    },
    finish: () => undefined,
  };
}

function plainProgress(stream: ProgressStream, clock: Clock): Progress {
  let said = '';
  let waiting = '';
  let saidAt = Number.NEGATIVE_INFINITY;
  const say = (text: string): void => {
    stream.write(`${text}\n`);
    said = text;
    saidAt = clock();
  };
  return {
    show(stages) {
      const text = stages
        .filter((stage) => stage.detail !== '')
        .map((stage) => `${stage.name}: ${stage.detail}`)
        .join(' | ');
      waiting = text;
      if (text !== said && clock() - saidAt >= quietMs) say(text);
    },
    finish() {
      if (waiting !== said) say(waiting);
    },
  };
}
