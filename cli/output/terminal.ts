// The three streams of a command, and what is known of who looks at them. A parameter everywhere, so that tests hold one
// in memory.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Clock } from '#shared/runtime/clock.ts';
import { type Paint, paintFor } from './paint.ts';
import { createProgress, type Progress } from './progress.ts';

export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Terminal {
  /** Columns of the terminal; undefined in a pipe or a file. */
  readonly width: number | undefined;
  readonly paint: Paint;
  /** Standard output: the answer. The promise is the back-pressure of a reader that is slower than we are. */
  write(text: string): Promise<void>;
  lines(lines: readonly string[]): Promise<void>;
  /** Standard error: what is going on. */
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
  const notePaint = paintFor(stderr, env);
  const write = async (text: string): Promise<void> => {
    if (!stdout.write(text)) await once(stdout, 'drain');
  };
  return {
    width: stdout.isTTY ? stdout.columns : undefined,
    paint: paintFor(stdout, env),
    write,
    lines: (lines) => write(lines.map((line) => `${line}\n`).join('')),
    note: (line) => {
      stderr.write(`${line}\n`);
    },
    notePaint,
    progress: () => createProgress(stderr, notePaint, clock),
  };
}
