// docs/reference/cli.md as tests read it: the sections of its commands and their command lines.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ManualSection {
  readonly command: string;
  readonly text: string;
  /** The words behind `simporter`. */
  readonly commandLines: readonly string[][];
}

const manual = join(import.meta.dirname, '..', '..', '..', 'docs', 'reference', 'cli.md');
const prefix = 'simporter ';

export function readManual(): ManualSection[] {
  const [, ...sections] = readFileSync(manual, 'utf8').split(/^### /m);
  return sections.map((section) => ({
    command: /^([\w-]+)/.exec(section)?.[1] ?? '',
    text: section,
    commandLines: blocksIn(section).flatMap((block) => block.split('\n').map(wordsOf)),
  }));
}

const blocksIn = (text: string): string[] =>
  [...text.matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, block]) => block ?? '');

function wordsOf(line: string): string[] {
  if (!line.startsWith(prefix)) throw new Error(`docs/reference/cli.md: "${line}" does not begin with ${prefix}`);
  return [...line.slice(prefix.length).matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
}
