// Answers for scripts: one JSON value on standard output, or one per line, and nothing else. Every answer about a
// target has the member `simulated`.
import type { Terminal } from './terminal.ts';

interface JsonOutput {
  readonly terminal: Terminal;
  readonly target?: { readonly simulated: boolean };
}

/** JSON escapes what ASCII has of these characters. A terminal executes or hides the others as well. */
const unsafe = /[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu;

const toText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replace(unsafe, (character) =>
    [...Array(character.length).keys()]
      .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  );

const markSimulated = ({ target }: JsonOutput, answer: object): object =>
  target === undefined ? answer : { ...answer, simulated: target.simulated };

/** One value with an indent of two spaces. */
export const printJson = (output: JsonOutput, answer: object): Promise<void> =>
  output.terminal.write(`${toText(markSimulated(output, answer), 2)}\n`);

/** One value on one line. */
export const printJsonLine = (output: JsonOutput, answer: object): Promise<void> =>
  output.terminal.write(`${toText(markSimulated(output, answer))}\n`);

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
  const opening = toText(markSimulated(output, head)).slice(0, -1);
  await terminal.write(`${opening}${opening === '{' ? '' : ','}${JSON.stringify(name)}:[`);
  let separator = '\n';
  for await (const entry of entries) {
    await terminal.write(separator + toText(entry));
    separator = ',\n';
  }
  await terminal.write(separator === '\n' ? ']}\n' : '\n]}\n');
}
