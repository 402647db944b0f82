// The output streams of a command. Every command takes a terminal as a parameter, so that tests can pass one in memory.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Clock } from '#shared/runtime/clock.ts';
import { noPaint, type Paint, paintFor } from './paint.ts';
import { createProgress, type Progress } from './progress.ts';
import { painted, plain } from './text.ts';

export type OutputStream = Writable & { readonly isTTY?: boolean; readonly columns?: number };

export interface Terminal {
  /** Columns of the terminal, or of the variable COLUMNS; otherwise 80, also in a pipe or a file. */
  readonly width: number;
  readonly paint: Paint;
  /** Writes to standard output, where only the answer belongs. Resolves when the reader can take more. */
  write(text: string): Promise<void>;
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
  const write = async (text: string): Promise<void> => {
    if (!stdout.write(text)) await once(stdout, 'drain');
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
