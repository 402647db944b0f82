// The commands that the pipeline sends to AWS, read from the source folders that the simulation runs.
import { readFileSync } from 'node:fs';
import { globFiles } from '../../support/glob-files.ts';

const root = new URL('../../../', import.meta.url);

/** Commands of the SDK that the text constructs, by name. */
export const commandsIn = (text: string): string[] =>
  [...text.matchAll(/\bnew (\w+Command)\(/g)].map(([, name]) => name ?? '');

/** Each with the files that send it. */
export function commandsOfPipeline(): Map<string, string[]> {
  const files = globFiles(['shared/**/*.ts', 'functions/{ingest,submit,sync,report}/*.ts'], { cwd: root });
  const found = new Map<string, string[]>();
  for (const file of files) {
    for (const name of commandsIn(readFileSync(new URL(file, root), 'utf8'))) {
      found.set(name, [...(found.get(name) ?? []), file]);
    }
  }
  return found;
}
