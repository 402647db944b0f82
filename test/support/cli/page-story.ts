// The commands of a page of docs/, and what it shows of their output, for a test that runs them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = join(import.meta.dirname, '..', '..', '..', 'docs');
const prefix = 'npm run -s simporter -- ';

interface Step {
  /** The words of each command behind `simporter --`. */
  readonly commands: readonly string[][];
  /** Lines of their output, in order; others are left out. */
  readonly shown: readonly string[];
}

/** The steps of a page below docs/: a block of commands, and the output that follows it. */
export function stepsOf(page: string): Step[] {
  const [, ...parts] = readFileSync(join(docs, page), 'utf8').split(/^```sh\n/m);
  return parts.map((part) => ({
    commands: (part.split('\n```')[0] ?? '').split('\n').map((line) => wordsOf(line, page)),
    shown: [...part.matchAll(/^```(?:text|json)\n(.*?)\n```$/gms)].flatMap(([, block = '']) => block.split('\n')),
  }));
}

function wordsOf(line: string, page: string): string[] {
  if (!line.startsWith(prefix)) throw new Error(`docs/${page}: "${line}" does not begin with ${prefix}`);
  return line.slice(prefix.length).split(' ');
}

/** The shown lines that the output does not have in this order. Ids and dates differ each time. */
export function missingLines(shown: readonly string[], output: string): string[] {
  const comparable = (text: string) =>
    text.replaceAll(/\b[0-9a-z]{16}\b/g, 'ID').replaceAll(/\d{4}-\d\d-\d\d/g, 'DATE');
  const text = comparable(output);
  let at = 0;
  return shown.filter((line) => {
    if (line.trim() === '') return false;
    const wanted = comparable(line);
    const found = text.indexOf(wanted, at);
    if (found >= 0) at = found + wanted.length;
    return found < 0;
  });
}
