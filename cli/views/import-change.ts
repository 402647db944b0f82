// What changed in an import between two reads, as one line of the log of `start`.
import { describeOutcomes } from '#shared/domain/imports/outcome-words.ts';
import { count, counted } from '#shared/domain/text/counted.ts';
import type { ImportItem } from '#shared/items/import.ts';
import type { ImportProgress } from '#shared/read-models/answers.ts';
import { fileNameOf } from '#shared/read-models/file-name.ts';
import { nextCommand } from '../context/next-command.ts';
import { plain } from '../output/text.ts';

export interface ImportReading {
  readonly item: ImportItem;
  readonly progress: ImportProgress;
}

/** `create-port.csv planned: 28 of 30 rows in 4 requests`; undefined when nothing worth a line has changed. */
export function describeChange(before: ImportReading | undefined, now: ImportReading): string | undefined {
  const change =
    before?.item.state === now.item.state ? changeWithinState(before, now) : changeOfState(now.item, now.progress);
  return change === undefined ? undefined : `${plain(fileNameOf(now.item.key))} ${change}`;
}

function changeOfState(item: ImportItem, progress: ImportProgress): string {
  const { importId, rows, accepted, rejected, duplicates = 0, requestCount, issues } = item;
  const error = issues.find(({ severity }) => severity === 'error');
  const planned = `${count(accepted)} of ${counted(rows, 'row')} in ${counted(requestCount, 'request')}`;
  switch (item.state) {
    case 'planning':
      return `received as import ${importId}`;
    case 'planned':
      return `planned: ${planned}${item.planOnly ? `; to send them: ${nextCommand('approve', importId)}` : ''}`;
    case 'rejected':
      return `rejected: ${plain(error?.message ?? `none of ${counted(rows, 'row')} can be sent`)}`;
    case 'submitting':
      return `submitting ${planned}, ${count(rejected - duplicates)} rejected`;
    case 'in-progress':
      return `submitted: ${describeOutcomes(progress.outcomes, item.rows, item.operation)}`;
    case 'finished':
      return `finished: ${describeOutcomes(progress.outcomes, item.rows, item.operation)}`;
  }
}

function changeWithinState(before: ImportReading, now: ImportReading): string | undefined {
  const { item } = now;
  if (item.actionRequired > before.item.actionRequired)
    return `action required: ${counted(item.actionRequired, 'row')} (${nextCommand('actions')})`;
  // Nothing of the file waits to be sent before all of it is read.
  const describe = ({ item, progress }: ImportReading) =>
    item.state === 'planning'
      ? `${counted(item.rows, 'row')} read so far`
      : describeOutcomes(progress.outcomes, item.rows, item.operation);
  const text = describe(now);
  return text === describe(before) ? undefined : text;
}
