// Watches every import and reports its changes, for the log of `start`.

import type { ImportItem, ImportState } from '#shared/import/import.ts';
import { describeOutcomes } from '#shared/outcome/outcome.ts';
import type { ImportProgress } from '#shared/results/answers.ts';
import { readRootProgress, stateBeside } from '#shared/results/progress.ts';
import { fileNameOf } from '#shared/results/results.ts';
import { count, counted } from '#shared/text/wording.ts';
import { nextCommand } from '../context/next-command.ts';
import { plain } from '../output/text.ts';
import type { Session } from '../target/target.ts';

const pollMs = 1_000;
const listedImports = 50;
/** Ports change one by one, so their counts are reported together. A new state or a required action is not delayed. */
const progressIntervalMs = 10_000;

interface ShownReading extends ImportReading {
  readonly shownAt: number;
}

export interface ImportChange {
  readonly item: ImportItem;
  /** A line for each piece of news. */
  readonly texts: readonly string[];
}

/** Ends when the signal is aborted. Changes before the call are not reported. */
export async function* watchChanges(session: Session): AsyncGenerator<ImportChange> {
  const { target, clock, signal, terminal, wait } = session;
  const shown = new Map<string, ShownReading>();
  let isFirst = true;
  let isAway = false;
  const read = async (item: ImportItem): Promise<ShownReading> => ({
    item,
    progress: (await readRootProgress(target, item)).shown,
    shownAt: clock(),
  });
  async function* readChanges(): AsyncGenerator<ImportChange> {
    const items = await target.imports.list({ limit: listedImports });
    for (const item of items.reverse()) {
      const before = shown.get(item.importId);
      if (!isDue(before, item, clock())) continue;
      const now = await read(item);
      const texts = isFirst ? [] : describeChange(before, now);
      shown.set(item.importId, now);
      if (texts.length > 0) yield { item, texts };
    }
    isFirst = false;
    isAway = false;
  }
  while (!signal.aborted) {
    try {
      yield* readChanges();
    } catch (error) {
      // A service of the emulator may be starting again.
      if (!isAway && !signal.aborted)
        terminal.note(`The imports cannot be read, and are tried again: ${String(error)}`);
      isAway = true;
    }
    await wait(pollMs).catch(() => undefined);
  }
}

function isDue(before: ShownReading | undefined, item: ImportItem, now: number): boolean {
  if (before === undefined) return true;
  if (before.item.changedAt === item.changedAt && before.item.state === item.state) return false;
  const isUrgent = before.item.state !== item.state || item.actionRequired > before.item.actionRequired;
  return isUrgent || now - before.shownAt >= progressIntervalMs;
}

export interface ImportReading {
  readonly item: ImportItem;
  readonly progress: ImportProgress;
}

/**
 * `create-port.csv planned: 28 of 30 rows in 4 requests`, and a line of its own for a required action: both may be new
 * since the last reading. Empty when nothing worth a line has changed.
 */
export function describeChange(before: ImportReading | undefined, now: ImportReading): string[] {
  const { actionRequired, key } = now.item;
  const change = before !== undefined && stateOf(before) === stateOf(now) ? undefined : changeOfState(now);
  const isRequired = actionRequired > (before?.item.actionRequired ?? 0);
  const action = isRequired && `action required: ${counted(actionRequired, 'row')} (${nextCommand('actions')})`;
  const moved = before === undefined || change || action ? undefined : changeWithinState(before, now);
  return [change, action, moved].flatMap((text) => (text ? [`${plain(fileNameOf(key))} ${text}`] : []));
}

/** As people see it: rows under way in a part keep an import in progress. */
const stateOf = ({ item, progress }: ImportReading): ImportState => stateBeside(progress.outcomes, item.state);

function changeOfState(reading: ImportReading): string {
  const { item, progress } = reading;
  const { importId, rows, accepted, rejected, duplicates = 0, requestCount, issues } = item;
  const error = issues.find(({ severity }) => severity === 'error');
  const planned = `${count(accepted)} of ${counted(rows, 'row')} in ${counted(requestCount, 'request')}`;
  switch (stateOf(reading)) {
    case 'planning':
      return `received as import ${importId}`;
    case 'planned':
      return `planned: ${planned}${item.planOnly ? `; to send them: ${nextCommand('approve', importId)}` : ''}`;
    case 'rejected':
      return `rejected: ${plain(error?.message ?? `none of ${counted(rows, 'row')} can be sent`)}`;
    case 'submitting':
      return `submitting ${planned}, ${count(rejected - duplicates)} rejected`;
    case 'scheduled':
      return `scheduled: ${describeOutcomes(progress.outcomes, item.rows, item.operation)}; the next rows are sent on ${item.sendOn}`;
    case 'stopped':
      return `stopped: ${describeOutcomes(progress.outcomes, item.rows, item.operation)}; to send the others: ${nextCommand('resume', importId)}`;
    case 'in-progress':
      return `submitted: ${describeOutcomes(progress.outcomes, item.rows, item.operation)}`;
    case 'finished':
      return `finished: ${describeOutcomes(progress.outcomes, item.rows, item.operation)}`;
  }
}

function changeWithinState(before: ImportReading, now: ImportReading): string | undefined {
  // Nothing of the file waits to be sent before all of it is read.
  const describe = ({ item, progress }: ImportReading) =>
    item.state === 'planning'
      ? `${counted(item.rows, 'row')} read so far`
      : describeOutcomes(progress.outcomes, item.rows, item.operation);
  const text = describe(now);
  return text === describe(before) ? undefined : text;
}
