// simporter import FILE: send a CSV, and with --watch follow it until nothing more happens by itself.
import { Command } from 'commander';
import type { ImportItem } from '#shared/domain/ledger.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { followImport, isSettled, needsSomebody, sendFile } from '../follow-import.ts';
import { hint } from '../hint.ts';
import { printJson } from '../output/json.ts';
import { noProgress } from '../output/progress.ts';
import { readSpeed } from '../read-number.ts';
import { saveReports } from '../reports.ts';
import { operationOption, orderFor, type SendOptions, setOption, tolerateOption } from '../send-options.ts';
import type { Session } from '../session.ts';
import { describeImport, outcomeJsonOf } from '../show-import.ts';
import { type Target, withTarget } from '../target.ts';
import { fileBytes, type UploadOrder } from '../upload.ts';

interface ImportOptions extends SendOptions {
  readonly watch?: boolean;
  readonly planOnly?: boolean;
  readonly speed?: string;
  readonly reports?: string;
}

export const importCommand = ({ action }: CommandContext): Command =>
  new Command('import')
    .description('Send a CSV: every accepted row becomes part of a request to the service.')
    .argument('<file>', 'the CSV')
    .addOption(operationOption())
    .addOption(setOption())
    .addOption(tolerateOption())
    .option('--watch', 'stay until every port has ended, or waits for a person')
    .option('--plan-only', 'stop after the plan: nothing is sent until it is approved')
    .option('--reports <folder>', 'when the watch ends, write results.csv and rejected.csv there')
    .option('--speed <times>', 'calendar speed of the engine that is started when none runs')
    .action(action<[string, ImportOptions]>((session, file, options) => runImport(session, file, options)));

async function runImport(session: Session, file: string, options: ImportOptions) {
  const order = orderFor(file, options.planOnly === true, options);
  const speed = speedFor(await fileBytes(session, file), options.speed);
  return withTarget(session, (target) => sendAndTell(session, target, order, options), { speed });
}

async function sendAndTell(session: Session, target: Target, order: UploadOrder, options: ImportOptions) {
  const progress = session.json ? noProgress : session.terminal.progress();
  const begun = await sendFile(session, target, order, progress);
  // Nothing of an engine of our own outlives the command: without watching it the file would be sent for nothing.
  const watch = options.watch === true || target.kind === 'ephemeral';
  if (watch && target.kind !== 'ephemeral') tellWhenLeft(session, begun.importId);
  const item = watch ? await followImport(session, target, begun, isSettled, progress) : begun;
  progress.finish();
  const saved = options.reports === undefined ? [] : await saveReports(session, target, item, options.reports);
  await tell(session, target, item, saved);
  if (!session.json && !watch) session.terminal.note(`To follow it: ${hint(`status ${item.importId}`)}`);
  return needsSomebody(item) ? exitCodes.attention : exitCodes.done;
}

function tell(
  { json, terminal }: Session,
  { kind }: Target,
  item: ImportItem,
  saved: readonly string[],
): Promise<void> {
  if (json) return printJson(terminal, outcomeJsonOf(item));
  const about = describeImport(item, terminal, kind !== 'ephemeral');
  return terminal.lines([...about, ...saved.map((name) => `wrote ${name}`)]);
}

/** Ctrl-C ends the watching, not the import. */
function tellWhenLeft({ signal, terminal }: Session, importId: string): void {
  const tell = () => terminal.note(`\nThe import goes on. To follow it: ${hint(`status ${importId}`)}`);
  signal.addEventListener('abort', tell, { once: true });
}

const smallFile = 256 * 1024;

/** A rehearsal of a small file need not take minutes; a large one must be read before its dates have passed. */
const speedFor = (bytes: number, given: string | undefined): number =>
  given === undefined ? (bytes <= smallFile ? 14_400 : 1_440) : readSpeed(given);
