// simporter undo IMPORT: ends what is not sent yet for good, and plans the cancellation of the ports in progress.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultSettings } from '#shared/files/upload-settings.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { type CancellableRows, cancellationCsv, readCancellableRows } from '#shared/results/numbers.ts';
import { fileNameOf } from '#shared/results/results.ts';
import { counted } from '#shared/text/wording.ts';
import { CliError } from '../context/cli-error.ts';
import { type ConfigureCommand, type ExitCode, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { findImport } from '../imports/find-import.ts';
import {
  createPollWait,
  followImport,
  isPlanned,
  openProgress,
  planExitCode,
  uploadImport,
} from '../imports/follow-import.ts';
import { endSending, showStopped } from '../imports/stop-import.ts';
import { becauseOption, importArgument } from '../options/common-options.ts';
import { printJson } from '../output/json.ts';
import { plain } from '../output/text.ts';
import type { Session } from '../target/target.ts';

/** Sync reads new ports within seconds, unless the service is down. */
const readingTimeoutMs = 5 * 60_000;

interface UndoOptions {
  readonly yes?: boolean;
  readonly because?: string;
}

export const configure: ConfigureCommand = (command, { onTarget }) =>
  command
    .argument(...importArgument)
    .option('--yes', 'do not ask before it ends')
    .option(...becauseOption)
    .action(
      onTarget<[string, UndoOptions]>(async (session, text, options) =>
        undo(session, await findImport(session, text), options),
      ),
    );

async function undo(session: Session, item: ImportItem, { yes, because }: UndoOptions): Promise<ExitCode> {
  const { terminal, json } = session;
  const name = plain(fileNameOf(item.key));
  if (!yes && !(await isConfirmed(session, name))) {
    terminal.note('Nothing was changed.');
    return exitCodes.actionRequired;
  }
  const ended = await endSending(session, item, because);
  const { rows, unknown } = await readOnceComplete(session, ended);
  if (unknown > 0) {
    const requests = `${counted(unknown, 'request')} of unknown outcome`;
    terminal.note(`Without ${requests}: run undo again when simporter knows whether they have a port.`);
  }
  if (rows.length === 0) {
    await showStopped(session, ended, 'No port of this import can be cancelled: none is in progress.');
    return exitCodes.done;
  }
  const plan = await planCancellation(session, ended, cancellationCsv(rows));
  if (json) await printJson(session, { undoes: ended.importId, importId: plan.importId, rows: plan.rows });
  const tooLate = plan.rejected === 0 ? '' : `, ${counted(plan.rejected, 'row')} cannot be`;
  terminal.note(`${counted(plan.accepted, 'number')} of ${name} can be cancelled${tooLate}. Nothing is cancelled yet.`);
  if (plan.state === 'planned') terminal.note(`To cancel them: ${nextCommand('approve', plan.importId)}`);
  if (plan.rejected > 0) terminal.note(`To see why not: ${nextCommand('rejected', plan.importId)}`);
  return planExitCode(plan);
}

async function isConfirmed({ prompt }: Session, name: string): Promise<boolean> {
  if (prompt === undefined) return true;
  const answer = await prompt.ask(`End ${name}: what is not sent yet never will be (y/N)? `);
  return ['y', 'yes'].includes(answer.toLowerCase());
}

/**
 * The numbers to cancel, once sync has read every port of the import.
 * @throws CliError where that takes too long: a plan without these ports would leave their numbers out
 */
async function readOnceComplete(session: Session, item: ImportItem): Promise<CancellableRows> {
  const { clock, target } = session;
  const progress = openProgress(session);
  const waitForChange = createPollWait(session);
  const deadline = clock() + readingTimeoutMs;
  for (;;) {
    const found = await readCancellableRows(target, item);
    if (found.unread === 0) {
      progress?.finish();
      return found;
    }
    const unread = counted(found.unread, 'port');
    if (clock() > deadline)
      throw new CliError(`Nothing more of it is sent, but the numbers of ${unread} were not read for five minutes.`, {
        advice: `If the service is down, wait for it (${nextCommand('actions')}). Then run undo again.`,
      });
    progress?.show([{ name: 'read back', share: undefined, detail: `waiting for the numbers of ${unread}` }]);
    await waitForChange();
  }
}

async function planCancellation(session: Session, { importId }: ImportItem, csv: string): Promise<ImportItem> {
  const folder = await mkdtemp(join(tmpdir(), 'simporter-'));
  const file = join(folder, `undo-${importId}.csv`);
  try {
    await writeFile(file, csv);
    const request = { file, operation: 'cancel-port', settings: { ...defaultSettings, planOnly: true } };
    const progress = openProgress(session);
    return await followImport(session, await uploadImport(session, request, progress), isPlanned, progress);
  } finally {
    await rm(folder, { recursive: true });
  }
}
