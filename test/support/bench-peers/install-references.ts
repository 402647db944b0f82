// Installs the programs that ingest is compared with. They are a separate package: the project does not depend on them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const referencesFolder = join(import.meta.dirname, 'references');

/** Returns the reason if they cannot be installed; undefined on success. */
export function installReferences(): string | undefined {
  if (existsSync(join(referencesFolder, 'node_modules', '.package-lock.json'))) return undefined;
  const options = ['--prefix', referencesFolder, '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status, stderr, error } = spawnSync('npm', ['install', '--no-save', ...options], { encoding: 'utf8' });
  if (status === 0) return undefined;
  const reason = /npm error (.*)/.exec(stderr ?? '')?.[1] ?? error?.message ?? `npm ended with ${status}`;
  return `papaparse and DuckDB could not be installed (${reason}); the other programs are measured without them`;
}
