// The reference data of a target, which sync writes once a day.
import { type ReferenceTables, readReferenceTables } from '#shared/results/reference-data.ts';
import { CliError } from '../context/cli-error.ts';
import { nextCommand } from '../context/next-command.ts';
import type { Target } from './target.ts';

/** Runs sync when the tables are missing: on a new emulator it may not have run yet. */
export async function readOrWriteReferenceTables(target: Target): Promise<ReferenceTables> {
  const tables = await readReferenceTables(target);
  if (tables !== undefined) return tables;
  await target.sync();
  const written = await readReferenceTables(target);
  if (written !== undefined) return written;
  throw new CliError('The reference data was not written yet.', { advice: `Try again: ${nextCommand('sync')}` });
}
