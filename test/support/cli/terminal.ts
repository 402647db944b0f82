// Streams and a terminal in memory, for tests of the command line.
import { PassThrough, Writable } from 'node:stream';
import { createTerminal, type OutputStream, type Terminal } from '#cli/output/terminal.ts';

export function memoryStream(): { readonly stream: OutputStream; readonly text: () => string } {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  return { stream, text: () => chunks.join('') };
}

export function memoryTerminal(): {
  readonly terminal: Terminal;
  readonly stdout: () => string;
  readonly stderr: () => string;
} {
  const [out, err] = [memoryStream(), memoryStream()];
  const terminal = createTerminal({ stdout: out.stream, stderr: err.stream }, {}, () => 0);
  return { terminal, stdout: out.text, stderr: err.text };
}

/** A person at a terminal of 80 columns who answers each question with the next answer. */
export function answeringTerminal(...answers: readonly string[]) {
  const [out, err] = [memoryStream(), memoryStream()];
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const waiting = [...answers];
  const stderr = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        err.stream.write(chunk);
        if (String(chunk).endsWith('? ')) stdin.write(`${waiting.shift() ?? ''}\n`);
        done();
      },
    }),
    { isTTY: true, columns: 80 },
  );
  return { stdin, stdout: out.stream, stderr, stdoutText: out.text, stderrText: err.text };
}
