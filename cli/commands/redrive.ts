// simporter redrive [QUEUE]: the messages that were dead-lettered after eight failures, and their redrive.
import { Argument } from 'commander';
import { readOutage } from '#shared/results/progress.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { nextCommand } from '../context/next-command.ts';
import { printJson } from '../output/json.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import {
  countDeadLettered,
  type DeadLettered,
  type QueueName,
  queueNames,
  workQueueUrl,
} from '../target/dead-lettered.ts';
import type { Session, Target } from '../target/target.ts';
import { printSync, type SyncJson, toSyncJson } from '../views/sync-view.ts';

export const configure: ConfigureCommand = (command, { onTarget }) =>
  command.addArgument(new Argument('[queue]', 'whose messages to redrive').choices(queueNames)).action(
    onTarget<[QueueName | undefined]>(async (session, queue) => {
      const { redriven = 0, sync } = queue === undefined ? {} : await redrive(session.target, queue);
      const queues = (await countDeadLettered(session.target)).map((one) => ({
        ...one,
        redriven: one.queue === queue ? redriven : 0,
      }));
      await print(session, { queues, ...(sync && { sync }) }, queue);
      const isLeft = queue === undefined ? queues.some(({ deadLettered }) => deadLettered > 0) : sync?.synced === false;
      return isLeft ? exitCodes.actionRequired : exitCodes.done;
    }),
  );

interface Redriven {
  readonly redriven?: number;
  readonly sync?: SyncJson;
}

/** One run of sync does the work of all missed runs, so their records are deleted when it left nothing undone. */
async function redrive(target: Target, queue: QueueName): Promise<Redriven> {
  if (queue !== 'sync') {
    // People cannot send to the queue of ingest, because its events name uploaders. Ingest reads both queues.
    const destination = workQueueUrl(target, queue === 'ingest' ? 'commands' : queue);
    return { redriven: await target.deadLetters.redrive(workQueueUrl(target, queue), destination) };
  }
  const sync = toSyncJson(await target.sync(), await readOutage(target));
  return { redriven: sync.synced ? await target.deadLetters.clear(target.resources.missedRunsUrl) : 0, sync };
}

const columns: readonly TableColumn[] = [
  { header: 'queue' },
  { header: 'dead-lettered', align: 'right' },
  { header: 'redriven', align: 'right' },
];

interface Answer extends Pick<Redriven, 'sync'> {
  readonly queues: readonly (DeadLettered & { readonly redriven: number })[];
}

async function print(session: Session, answer: Answer, queue: QueueName | undefined): Promise<void> {
  const { json, terminal } = session;
  if (json) return printJson(session, answer);
  const { queues, sync } = answer;
  if (sync !== undefined) printSync(sync, terminal);
  const rows = queues.map((one) => [one.queue, String(one.deadLettered), String(one.redriven)]);
  await terminal.lines(formatTable(columns, rows, terminal));
  const first = queues.find(({ deadLettered }) => deadLettered > 0);
  if (queue === undefined && first !== undefined) {
    terminal.note('Remove the cause first (docs/guides/runbook.md), then redrive the messages:');
    terminal.note(nextCommand('redrive', first.queue));
  }
}
