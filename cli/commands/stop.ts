// simporter stop IMPORT: what is not sent yet is not sent. simporter resume IMPORT sends it after all. simporter undo
// IMPORT ends it for good, and plans the cancellation of the ports in progress.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultSettings } from '#shared/files/upload-settings.ts';
import type { ImportItem, StopKind } from '#shared/import/import.ts';
import { findAccountProblem, findStopProblem, stopOf, takesStop, timeOfCommand } from '#shared/import/import-state.ts';
import { type CancellableRows, cancellationCsv, readCancellableRows } from '#shared/results/numbers.ts';
import { readFirst, readParts } from '#shared/results/parts.ts';
import { readRootProgress } from '#shared/results/progress.ts';
import { fileNameOf } from '#shared/results/results.ts';
import { counted } from '#shared/text/wording.ts';
import { isConfirmed, waitFor } from '../context/cli-context.ts';
import { CliError } from '../context/cli-error.ts';
import { type ConfigureCommand, type ExitCode, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { findImport } from '../imports/find-import.ts';
import {
  followImport,
  isPlanned,
  openProgress,
  pausesOf,
  planExitCode,
  uploadImport,
} from '../imports/follow-import.ts';
import { becauseOption, importArgument, readActor } from '../options/common-options.ts';
import { printJson } from '../output/json.ts';
import { plain } from '../output/text.ts';
import type { Session } from '../target/target.ts';
import { describeFollowing, describeImport, toOutcomeJson } from '../views/import-view.ts';

export const configureStop: ConfigureCommand = (command, { onTarget }) =>
  command
    .argument(...importArgument)
    .option(...becauseOption)
    .action(
      onTarget<[string, { readonly because?: string }]>(async (session, text, { because }) => {
        const item = await stopSending(session, await findImport(session, text), because);
        const { importId } = item;
        const marking = `What was not sent is still being marked as stopped: ${nextCommand('status', importId)}\n`;
        const undo = `To cancel what was sent: ${nextCommand('undo', importId)}`;
        await showStopped(session, item, `${isHeld(item) ? '' : `No further call begins. ${marking}`}${undo}`);
        return exitCodes.done;
      }),
    );

export const configureResume: ConfigureCommand = (command, { onTarget }) =>
  command
    .argument(...importArgument)
    .option(...becauseOption)
    .action(
      onTarget<[string, { readonly because?: string }]>(async (session, text, { because }) => {
        const item = await sendStop(session, await findImport(session, text), 'none', because);
        await showStopped(session, item, `To follow it: ${nextCommand('status', item.importId)}`);
        return exitCodes.done;
      }),
    );

/** Sync reads new ports within seconds, unless the service is down. */
const readingTimeoutMs = 5 * 60_000;

interface UndoOptions {
  readonly yes?: boolean;
  readonly because?: string;
}

export const configureUndo: ConfigureCommand = (command, { onTarget }) =>
  command
    .argument(...importArgument)
    .option('--yes', 'end it without asking')
    .option(...becauseOption)
    .action(
      onTarget<[string, UndoOptions]>(async (session, text, options) =>
        undo(session, await findImport(session, text), options),
      ),
    );

async function undo(session: Session, item: ImportItem, { yes, because }: UndoOptions): Promise<ExitCode> {
  const { terminal, json, target } = session;
  const held = findAccountProblem(item, target.resources.account);
  if (held !== undefined) throw new CliError(`${held}.`, { code: 'declined' });
  const name = plain(fileNameOf(item.key));
  if (!yes && !(await isConfirmed(session.prompt, `End ${name}: what is not sent yet never will be`))) {
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
  const plan = await planCancellation(session, ended, cancellationCsv(ended, rows));
  if (json) await printJson(session, { undoes: ended.importId, importId: plan.importId, rows: plan.rows });
  const tooLate = plan.rejected === 0 ? '' : `, ${counted(plan.rejected, 'row')} cannot be`;
  terminal.note(`${counted(plan.accepted, 'number')} of ${name} can be cancelled${tooLate}. Nothing is cancelled yet.`);
  if (plan.state === 'planned') terminal.note(`To cancel them: ${nextCommand('approve', plan.importId)}`);
  if (plan.rejected > 0) terminal.note(`To see why not: ${nextCommand('rejected', plan.importId)}`);
  return planExitCode(plan);
}

/**
 * The numbers to cancel, once sync has read every port of the import.
 * @throws CliError where that takes too long: a plan without these ports would leave their numbers out
 */
async function readOnceComplete(session: Session, item: ImportItem): Promise<CancellableRows> {
  const progress = openProgress(session);
  let unread = '';
  const readComplete = async () => {
    const found = await readCancellableRows(session.target, item);
    if (found.unread === 0) return found;
    unread = counted(found.unread, 'port');
    progress?.show([{ name: 'read back', share: undefined, detail: `waiting for the numbers of ${unread}` }]);
    return undefined;
  };
  const tooLate = (): Error =>
    new CliError(`Nothing more of it is sent, but the numbers of ${unread} were not read for five minutes.`, {
      advice: `If the service is down, wait for it (${nextCommand('actions')}). Then run undo again.`,
    });
  const limit = { withinMs: readingTimeoutMs, tooLate };
  const complete = await waitFor(session, readComplete, pausesOf(session), limit);
  progress?.finish();
  return complete;
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

// The command to stop or resume an import is sent to ingest, and waited for until ingest has recorded it.

/**
 * Stops or resumes an import with all of its parts. Returns the first import once it and each part that takes the
 * command `isEnough`, or as it is where the command changes nothing.
 * @throws CliError when the import takes no such command
 */
export async function sendStop(
  session: Session,
  item: ImportItem,
  kind: StopKind,
  because: string | undefined,
  isEnough: (item: ImportItem) => boolean = () => true,
): Promise<ImportItem> {
  const { imports, resources } = session.target;
  const first = await readFirst(imports, item);
  const at = timeOfCommand(session.clock(), first.stop);
  const stoppable = (await readParts(first, imports)).filter((part) => takesStop(part, kind));
  // A stop that is in force is done; a resume may be one of several.
  const isNeeded = kind === 'none' || [first, ...stoppable].some(({ stop }) => stop?.kind !== kind);
  if (isNeeded) {
    const problem = findStopProblem(first, stoppable, kind, resources.account);
    if (problem !== undefined) throw new CliError(`${problem}.`, { code: 'declined', advice: adviceFor(first) });
    const actor = { at, ...readActor(session, because) };
    const { importId } = first;
    if (kind === 'none') await session.target.command({ resume: importId, ...actor });
    else await session.target.command({ stop: importId, ...(kind === 'for-good' && { end: true }), ...actor });
  }
  const isRecorded = ({ stop }: ImportItem): boolean => stop?.kind === kind && (!isNeeded || stop.at >= at);
  const isDone = (now: ImportItem) => now.state === 'rejected' || now.state === 'finished' || isEnough(now);
  const stopped = await followImport(session, first, (now) => isRecorded(now) && isDone(now), openProgress(session));
  for (const part of await readParts(stopped, imports)) {
    // The progress of the first import has its rows.
    if (takesStop(part, kind)) await followImport(session, part, (now) => isRecorded(now) && isEnough(now), undefined);
  }
  return stopped;
}

const adviceFor = (item: ImportItem): string =>
  item.state === 'finished'
    ? `To see its results: ${nextCommand('results', item.importId)}`
    : describeFollowing(item).join(' ');

/** Nothing of it is being sent any more, and nothing will be. */
const hasEndedSending = ({ state }: ImportItem): boolean => state === 'in-progress' || state === 'finished';

/**
 * Ends for good what the import and its parts have not sent. Returns the first import once nothing is being sent; one
 * that has ended already stays as it is.
 */
export async function endSending(session: Session, item: ImportItem, because: string | undefined): Promise<ImportItem> {
  const { imports } = session.target;
  const first = await readFirst(imports, item);
  const parts = await readParts(first, imports);
  const isEnded = hasEnded(first) && parts.every((part) => !takesStop(part, 'for-good'));
  return isEnded ? first : sendStop(session, first, 'for-good', because, hasEndedSending);
}

const hasEnded = ({ state }: ImportItem): boolean => state === 'finished' || state === 'rejected';

/** Longer than submit uses a reading of the import, with the calls that have begun. */
const shownAfterMs = 3_000;

/**
 * Stops the import until it is resumed. Returns it once no further call begins: its requests that were not sent are
 * marked then, or are still being marked, which takes minutes for thousands of them.
 */
export function stopSending(session: Session, item: ImportItem, because: string | undefined): Promise<ImportItem> {
  let recordedAt: number | undefined;
  const isEnough = (now: ImportItem): boolean => {
    recordedAt ??= session.clock();
    return isHeld(now) || session.clock() - recordedAt >= shownAfterMs;
  };
  return sendStop(session, item, 'until-resumed', because, isEnough);
}

/** Every request that is still to be sent waits for `resume`. */
const isHeld = (item: ImportItem): boolean =>
  stopOf(item) !== undefined && (item.state === 'stopped' || hasEndedSending(item));

async function showStopped(session: Session, item: ImportItem, note: string): Promise<void> {
  const { json, terminal, target } = session;
  const { shown } = await readRootProgress(target, item);
  if (json) return printJson(session, toOutcomeJson(item, shown));
  await terminal.lines(describeImport(session, item, shown));
  terminal.note(`\n${note}`);
}
