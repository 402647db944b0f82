// The programs that ingest is measured beside and that this project does not depend on: a package of their own, installed
// here and only where the benchmark runs.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const referencesFolder = join(import.meta.dirname, 'references');

/** Answers why they cannot be had; undefined when they are there. */
export function installReferences(): string | undefined {
  if (existsSync(join(referencesFolder, 'node_modules', '.package-lock.json'))) return undefined;
  const options = ['--prefix', referencesFolder, '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status, stderr, error } = spawnSync('npm', ['install', '--no-save', ...options], { encoding: 'utf8' });
  if (status === 0) return undefined;
  const because = /npm error (.*)/.exec(stderr ?? '')?.[1] ?? error?.message ?? `npm ended with ${status}`;
  return `papaparse and DuckDB could not be installed (${because}): the rest is measured without them`;
}
