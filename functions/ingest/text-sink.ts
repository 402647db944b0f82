// A file written in many small pieces: pieces are gathered, so that a row costs no await and no write of its own.
import type { FileWriter } from '#shared/aws/files.ts';

const enough = 64 * 1024;

export interface TextSink {
  add(text: string): void;
  /** Writes what has gathered once it is enough; its promise is the back-pressure. */
  drain(): Promise<void>;
  close(): Promise<void>;
  /** Leaves no file behind. */
  abort(): Promise<void>;
}

export function createTextSink(writer: FileWriter): TextSink {
  let pieces: string[] = [];
  let length = 0;

  const write = async (): Promise<void> => {
    const text = pieces.join('');
    pieces = [];
    length = 0;
    if (text !== '') await writer.write(text);
  };

  return {
    add: (text) => {
      pieces.push(text);
      length += text.length;
    },
    drain: async () => {
      if (length >= enough) await write();
    },
    close: async () => {
      await write();
      await writer.close();
    },
    abort: () => writer.abort(),
  };
}
