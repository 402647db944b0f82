// The output streams of a command, with colours and progress. Every command takes a terminal as a parameter, so that
// tests can pass one in memory.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { styleText } from 'node:util';
import type { Clock } from '#shared/runtime/clock.ts';
import { painted, plain, truncate } from './text.ts';

export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Terminal {
  /** Columns of the terminal, or of the variable COLUMNS; otherwise 80, also in a pipe or a file. */
  readonly width: number;
  readonly paint: Paint;
  /** Writes to standard output, where only the answer belongs. Resolves when the reader can take more. */
  write(content: string | Uint8Array): Promise<void>;
  lines(lines: readonly string[]): Promise<void>;
  /** Writes a remark to standard error. */
  note(line: string): void;
  readonly notePaint: Paint;
  progress(): Progress;
}

export function createTerminal(
  streams: { readonly stdout: OutputStream; readonly stderr: OutputStream },
  env: Readonly<Record<string, string | undefined>>,
  clock: Clock,
): Terminal {
  const { stdout, stderr } = streams;
  const [paint, notePaint] = [paintFor(stdout, env), paintFor(stderr, env)];
  // Makes every line safe here, because many lines contain file names, cells and texts of the service.
  const safe = (line: string, used: Paint): string => (used === noPaint ? plain(line) : painted(line));
  const write = async (content: string | Uint8Array): Promise<void> => {
    if (!stdout.write(content)) await once(stdout, 'drain');
  };
  return {
    width: stdout.columns ?? (Number(env.COLUMNS) || 80),
    paint,
    write,
    lines: (lines) => write(lines.map((line) => `${safe(line, paint)}\n`).join('')),
    note: (line) => {
      stderr.write(
        `${line
          .split('\n')
          .map((part) => safe(part, notePaint))
          .join('\n')}\n`,
      );
    },
    notePaint,
    progress: () => createProgress(stderr, notePaint, clock),
  };
}

// Colour on a terminal: never in a pipe, never with NO_COLOR.

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
export type Paint = (style: Style, text: string) => string;

export const noPaint: Paint = (_style, text) => text;
export const ansiPaint: Paint = (style, text) => styleText(style, text, { validateStream: false });

/** https://no-color.org: set and not empty turns colour off. FORCE_COLOR turns it on, also in a pipe. */
export function paintFor(
  stream: { isTTY?: boolean | undefined },
  env: Readonly<Record<string, string | undefined>>,
): Paint {
  if (env.NO_COLOR) return noPaint;
  if (env.FORCE_COLOR) return env.FORCE_COLOR === '0' ? noPaint : ansiPaint;
  return stream.isTTY === true && env.TERM !== 'dumb' ? ansiPaint : noPaint;
}

// Progress on standard error, so that standard output contains only the answer. On a terminal the lines are redrawn; in
// a pipe or a log a plain line appears every few seconds, with the steps that have changed since.

interface ProgressStream {
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
