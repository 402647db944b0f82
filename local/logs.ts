// Log lines of the functions and of what runs beside them: one file each.
import { createWriteStream, mkdirSync, type WriteStream } from 'node:fs';
import { join } from 'node:path';

/** Takes one line of a source, such as `ingest`, `porting-service` or `engine`. */
export type Log = (source: string, line: string) => void;

export interface LogFiles {
  readonly log: Log;
  close(): Promise<void>;
}

/** Appends to `<directory>/<source>.log`. */
export const openLogFiles = (directory: string): LogFiles => {
  mkdirSync(directory, { recursive: true });
  const files = new Map<string, WriteStream>();
  let closed = false;
  return {
    log: (source, line) => {
      if (closed) return;
      const file =
        files.get(source) ?? createWriteStream(join(directory, `${source}.log`), { flags: 'a', mode: 0o600 });
      files.set(source, file);
      file.write(`${line}\n`);
    },
    close: async () => {
      closed = true;
      await Promise.all([...files.values()].map((file) => new Promise<void>((resolve) => file.end(resolve))));
    },
  };
};
