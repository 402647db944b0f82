// Answers for scripts: one JSON value on standard output, or one per line, and nothing else. Every answer about a
// target has the member `simulated`.
import type { Terminal } from './terminal.ts';

interface JsonOutput {
  readonly terminal: Pick<Terminal, 'write'>;
  readonly target?: { readonly simulated: boolean };
}

const markSimulated = ({ target }: JsonOutput, answer: object): object =>
  target === undefined ? answer : { ...answer, simulated: target.simulated };

/** One value with an indent of two spaces. */
export const printJson = (output: JsonOutput, answer: object): Promise<void> =>
  output.terminal.write(`${JSON.stringify(markSimulated(output, answer), null, 2)}\n`);

/** One value on one line. */
export const printJsonLine = (output: JsonOutput, answer: object): Promise<void> =>
  output.terminal.write(`${JSON.stringify(markSimulated(output, answer))}\n`);

/**
 * An object whose last member is an array too long for memory: one entry at a time.
 * `{"rows": 3, "issues": [` … `]}`.
 */
export async function printJsonWithArray(
  output: JsonOutput,
  head: object,
  name: string,
  entries: AsyncIterable<unknown>,
): Promise<void> {
  const { terminal } = output;
  const opening = JSON.stringify(markSimulated(output, head)).slice(0, -1);
  await terminal.write(`${opening}${opening === '{' ? '' : ','}${JSON.stringify(name)}:[`);
  let separator = '\n';
  for await (const entry of entries) {
    await terminal.write(separator + JSON.stringify(entry));
    separator = ',\n';
  }
  await terminal.write(separator === '\n' ? ']}\n' : '\n]}\n');
}
