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

/** The steps of a page below docs/ that are commands of simporter: a block of them, and the output that follows it. */
export const stepsOf = (page: string): Step[] =>
  scriptsOf(`docs/${page}`)
    .filter(({ script }) => !isForAws(script))
    .map(({ script, shown }) => ({ commands: script.split('\n').map((line) => wordsOf(line, page)), shown }));

/** For the AWS CLI. */
export const isForAws = (script: string): boolean => script.startsWith('aws ');

/** The blocks of a page for a shell, and the output that follows each. */
export function scriptsOf(path: string): { readonly script: string; readonly shown: readonly string[] }[] {
  const [, ...parts] = readFileSync(join(docs, '..', path), 'utf8').split(/^```sh\n/m);
  return parts.map((part) => ({
    script: part.split('\n```')[0] ?? '',
    shown: [...part.matchAll(/^```(?:text|json)\n(.*?)\n```$/gms)].flatMap(([, block = '']) => block.split('\n')),
  }));
}

/** The blocks of a page in a language, such as `sql`. */
export const blocksOf = (path: string, language: string): string[] =>
  [
    ...readFileSync(join(docs, '..', path), 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)\\n\`\`\`$`, 'gms')),
  ].map(([, block = '']) => block);

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
