// A file written in many small pieces: pieces are gathered, so that a row costs no await and no write of its own.
import type { FileWriter } from '#shared/aws/files.ts';
import { ByteText } from './byte-text.ts';

const enough = 64 * 1024;

export interface ByteSink {
  add(text: string): void;
  /** UTF-8; copied. */
  addBytes(bytes: Uint8Array): void;
  /** Bytes added so far. */
  readonly length: number;
  /** Writes what has gathered once it is enough; its promise is the back-pressure. */
  drain(): Promise<void>;
  close(): Promise<void>;
  /** Leaves no file behind. */
  abort(): Promise<void>;
}

export function createByteSink(writer: FileWriter): ByteSink {
  const gathered = new ByteText();
  let writtenBytes = 0;

  const write = async (): Promise<void> => {
    if (gathered.length === 0) return;
    await writer.write(gathered.written);
    writtenBytes += gathered.length;
    gathered.length = 0;
  };

  return {
    add: (text) => gathered.add(text),
    addBytes: (bytes) => gathered.addBytes(bytes),
    get length() {
      return writtenBytes + gathered.length;
    },
    drain: async () => {
      if (gathered.length >= enough) await write();
    },
    close: async () => {
      await write();
      await writer.close();
    },
    abort: () => writer.abort(),
  };
}
