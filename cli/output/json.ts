// Answers for scripts: one JSON value on standard output, or one per line, never anything else beside it.
import type { Terminal } from './terminal.ts';

/** One value, readable by a person too: two-space indent, a line feed at the end. */
export const printJson = (terminal: Terminal, value: unknown): Promise<void> =>
  terminal.write(`${JSON.stringify(value, null, 2)}\n`);

/** One value on one line of its own. */
export const printJsonLine = (terminal: Terminal, value: unknown): Promise<void> =>
  terminal.write(`${JSON.stringify(value)}\n`);

/**
 * An object whose last member is an array too long to hold: written entry by entry.
 * `{"rows": 3, "issues": [` … `]}`.
 */
export async function printJsonWithArray(
  terminal: Terminal,
  head: Readonly<Record<string, unknown>>,
  name: string,
  entries: AsyncIterable<unknown>,
): Promise<void> {
  const opening = JSON.stringify(head).slice(0, -1);
  await terminal.write(`${opening}${opening === '{' ? '' : ','}${JSON.stringify(name)}:[`);
  let separator = '\n';
  for await (const entry of entries) {
    await terminal.write(separator + JSON.stringify(entry));
    separator = ',\n';
  }
  await terminal.write(separator === '\n' ? ']}\n' : '\n]}\n');
}
