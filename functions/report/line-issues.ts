// The findings of ingest beside the records they belong to: both are in the order of the lines, so neither is held whole.
import type { Files } from '#shared/aws/files.ts';

export interface LineIssues {
  /** Reads on until every error up to this line is at hand. */
  readTo(line: number): Promise<void>;
  /** The messages of the errors of this line, which is then forgotten; undefined when the line was accepted. */
  take(line: number): readonly string[] | undefined;
}

interface IssueLine {
  readonly line: number;
  readonly column: string | null;
  readonly message: string;
  readonly severity: string;
}

export async function openLineIssues(
  files: Pick<Files, 'head' | 'read'>,
  bucket: string,
  importId: string,
): Promise<LineIssues> {
  const ref = { bucket, key: `imports/${importId}/issues.ndjson` };
  const found = await files.head(ref);
  const texts = found === undefined || found.bytes === 0 ? undefined : textLines(await files.read(ref));
  const errors = new Map<number, string[]>();
  let readUpTo = 0;
  let ended = texts === undefined;

  const readTo = async (line: number): Promise<void> => {
    while (!ended && readUpTo <= line) {
      const next = await texts?.next();
      if (next === undefined || next.done) {
        ended = true;
        return;
      }
      for (const text of next.value) readUpTo = Math.max(readUpTo, keep(text, errors));
    }
  };

  const take = (line: number): readonly string[] | undefined => {
    const messages = errors.get(line);
    errors.delete(line);
    return messages;
  };
  return { readTo, take };
}

/** Answers the line that the issue is about. */
function keep(text: string, errors: Map<number, string[]>): number {
  const { line, column, message, severity } = JSON.parse(text) as IssueLine;
  if (severity !== 'error' || line === 0) return line;
  const words = column === null ? message : `${column}: ${message}`;
  const messages = errors.get(line);
  if (messages === undefined) errors.set(line, [words]);
  else messages.push(words);
  return line;
}

/** The whole lines of each chunk, as they come. */
async function* textLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<string[], undefined> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of source) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield lines.filter((line) => line !== '');
  }
  if (rest !== '') yield [rest];
}
