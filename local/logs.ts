// The log lines of the functions and of the programs beside them: one file each.
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

/** Takes one line of a source, such as a function's name or `emulator`. */
export type Log = (source: string, line: string) => void;

export interface LogFiles {
  readonly log: Log;
  close(): Promise<void>;
}

/**
 * Appends to `<directory>/<source>.log`. A file that cannot be written, for instance because the disk is full, loses
 * lines; the emulator goes on.
 * @param report is called once for each such file
 */
export const openLogFiles = (directory: string, report: (line: string) => void): LogFiles => {
  mkdirSync(directory, { recursive: true });
  const files = new Map<string, WriteStream>();
  const failed = new Set<string>();
  let closed = false;

  const open = (source: string): WriteStream => {
    const path = join(directory, `${source}.log`);
    const file = createWriteStream(path, { flags: 'a', mode: 0o600 });
    file.on('error', (error) => {
      // The next line opens the file again: there may be room by then.
      files.delete(source);
      if (!failed.has(source)) report(`Log lines are lost: ${path}: ${error.message}`);
      failed.add(source);
    });
    files.set(source, file);
    return file;
  };

  return {
    log: (source, line) => {
      if (!closed) (files.get(source) ?? open(source)).write(`${line}\n`);
    },
    close: async () => {
      closed = true;
      await Promise.all([...files.values()].map((file) => new Promise<void>((resolve) => file.end(() => resolve()))));
    },
  };
};
