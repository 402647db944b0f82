// simporter undo IMPORT: ends what is not sent yet for good, and plans the cancellation of the ports in progress.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultSettings } from '#shared/csv/upload-settings.ts';
import { counted } from '#shared/domain/text/counted.ts';
import type { ImportItem } from '#shared/items/import.ts';
import { cancellationCsv, readCancellableRows } from '#shared/read-models/cancellable-rows.ts';
import { fileNameOf } from '#shared/read-models/file-name.ts';
import { type ConfigureCommand, type ExitCode, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { findImport } from '../imports/find-import.ts';
import { followImport, isPlanned, openProgress, planExitCode, uploadImport } from '../imports/follow-import.ts';
import { hasEndedSending, sendStop, showStopped } from '../imports/stop-import.ts';
import { becauseOption, importArgument } from '../options/common-options.ts';
import { printJson } from '../output/json.ts';
import { plain } from '../output/text.ts';
import type { Session } from '../target/target.ts';

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
  const { terminal, target, json } = session;
  const name = plain(fileNameOf(item.key));
  if (!yes && session.prompt !== undefined) {
    const answer = await session.prompt.ask(`End ${name}: what is not sent yet never will be (y/N)? `);
    if (!['y', 'yes'].includes(answer.toLowerCase())) {
      terminal.note('Nothing was changed.');
      return exitCodes.actionRequired;
    }
  }
  const ended = item.state === 'finished' ? item : await sendStop(session, item, 'for-good', because, hasEndedSending);
  const rows = await Array.fromAsync(readCancellableRows(target, ended));
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
