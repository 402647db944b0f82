// Sends the command to stop or resume an import, and waits until ingest has recorded it.

import type { ImportItem, StopKind } from '#shared/import/import.ts';
import { findStopProblem, stopOf } from '#shared/import/import-state.ts';
import { listCorrections } from '#shared/results/corrected-rows.ts';
import { readImportProgress } from '#shared/results/progress.ts';
import { isoTime } from '#shared/text/wording.ts';
import { CliError } from '../context/cli-error.ts';
import { nextCommand } from '../context/next-command.ts';
import { readActor } from '../options/common-options.ts';
import { printJson } from '../output/json.ts';
import type { Session } from '../target/target.ts';
import { describeFollowing, describeImport, toOutcomeJson } from '../views/import-view.ts';
import { followImport, openProgress } from './follow-import.ts';

/**
 * Returns the import once `isEnough`, or as it is where the command changes nothing.
 * @throws CliError when the import takes no such command
 */
export async function sendStop(
  session: Session,
  item: ImportItem,
  kind: StopKind,
  because: string | undefined,
  isEnough: (item: ImportItem) => boolean = () => true,
): Promise<ImportItem> {
  const { importId } = item;
  const at = isoTime(session.clock());
  // A stop that is in force is done; a resume may be one of several.
  const isNeeded = kind === 'none' || item.stop?.kind !== kind;
  if (isNeeded) {
    const problem = findStopProblem(item, kind);
    if (problem !== undefined) throw new CliError(`${problem}.`, { code: 'declined', advice: adviceFor(item) });
    const actor = { at, ...readActor(session, because) };
    if (kind === 'none') await session.target.command({ resume: importId, ...actor });
    else await session.target.command({ stop: importId, ...(kind === 'for-good' && { end: true }), ...actor });
  }
  const isRecorded = ({ stop }: ImportItem): boolean => stop?.kind === kind && (!isNeeded || stop.at >= at);
  return followImport(session, item, (now) => isRecorded(now) && isEnough(now), openProgress(session));
}

const adviceFor = (item: ImportItem): string =>
  item.state === 'finished'
    ? `To see its results: ${nextCommand('results', item.importId)}`
    : describeFollowing(item).join(' ');

/** Nothing of it is being sent any more, and nothing will be. */
export const hasEndedSending = ({ state }: ImportItem): boolean => state === 'in-progress' || state === 'finished';

/** Ends for good what the import and its corrections have not sent. Returns the import once nothing is being sent. */
export async function endSending(session: Session, item: ImportItem, because: string | undefined): Promise<ImportItem> {
  const end = (each: ImportItem) => sendStop(session, each, 'for-good', because, hasEndedSending);
  const ended = item.state === 'finished' ? item : await end(item);
  for (const correction of await listCorrections(item, session.target.imports)) {
    const isEnding = correction.stop?.kind === 'for-good';
    const mayEnd = isEnding || findStopProblem(correction, 'for-good') === undefined;
    if (mayEnd && !hasEndedSending(correction)) await end(correction);
  }
  return ended;
}

/** Every request that is still to be sent waits for `resume`. */
export const isHeld = (item: ImportItem): boolean =>
  stopOf(item) !== undefined && (item.state === 'stopped' || hasEndedSending(item));

export async function showStopped(session: Session, item: ImportItem, note: string): Promise<void> {
  const { json, terminal, target } = session;
  const progress = await readImportProgress(target, item);
  if (json) return printJson(session, toOutcomeJson(item, progress));
  await terminal.lines(describeImport(session, item, progress));
  terminal.note(`\n${note}`);
}
