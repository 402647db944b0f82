// Waits for the import that a command to ingest creates.
import type { ImportItem } from '#shared/items/import.ts';
import { CliError } from '../context/cli-error.ts';
import { nextCommand } from '../context/next-command.ts';
import type { Session } from '../target/target.ts';

const pollMs = 250;
const timeoutMs = 60_000;

/** @param isMade whether it shows what the command did. @throws CliError after a minute */
export async function awaitImport(
  { target, clock, wait }: Session,
  importId: string,
  isMade: (item: ImportItem) => boolean = () => true,
): Promise<ImportItem> {
  for (const deadline = clock() + timeoutMs; clock() < deadline; ) {
    const item = await target.imports.get(importId);
    if (item !== undefined && isMade(item)) return item;
    await wait(pollMs);
  }
  throw new CliError('The command was sent, but ingest has not carried it out for a minute.', {
    advice: `Check again later: ${nextCommand('status', importId)}. If it never appears, read the log of ingest.`,
  });
}
