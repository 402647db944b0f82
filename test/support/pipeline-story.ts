// The commands of a page of docs/, for a test that runs them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const docs = join(import.meta.dirname, '..', '..', 'docs', 'guides');
const prefix = 'npm run -s simporter -- ';

/** The words of each command behind `simporter --`, in the order of the page. */
export function commandsOf(page: string): string[][] {
  const text = readFileSync(join(docs, page), 'utf8');
  return [...text.matchAll(/^```sh\n(.*?)\n```$/gms)]
    .flatMap(([, block = '']) => block.split('\n'))
    .map((line) => {
      if (!line.startsWith(prefix)) throw new Error(`docs/guides/${page}: "${line}" does not begin with ${prefix}`);
      return line.slice(prefix.length).split(' ');
    });
}
