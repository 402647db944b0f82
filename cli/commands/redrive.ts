// simporter redrive [QUEUE]: what was put aside after eight failures, and giving it back once the cause is mended.
import { Argument, Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { hint } from '../hint.ts';
import type { RedriveJson, SyncJson } from '../json-shapes.ts';
import { readOutage } from '../outage.ts';
import { printJson } from '../output/json.ts';
import { formatTable } from '../output/table.ts';
import type { Session } from '../session.ts';
import { syncJsonOf, tellSync } from '../show-sync.ts';
import { type Target, withTarget } from '../target.ts';

/** In flow order. */
const queueNames = ['ingest', 'submit', 'sync', 'report'] as const;
type QueueName = (typeof queueNames)[number];

type Found = RedriveJson['queues'][number];

export const redriveCommand = ({ action }: CommandContext): Command =>
  new Command('redrive')
    .description('Show what was put aside after eight failures; with a queue, give it back.')
    .addArgument(new Argument('[queue]', 'whose messages to give back').choices(queueNames))
    .action(
      action<[QueueName | undefined]>((session, chosen) =>
        withTarget(session, async (target) => {
          const { moved = 0, sync } = chosen === undefined ? {} : await giveBack(target, chosen);
          const queues = await look(target, (queue) => (queue === chosen ? moved : 0));
          await tell(session, { queues, ...(sync && { sync }) }, chosen);
          const isLeft = chosen === undefined ? queues.some((one) => one.putAside > 0) : sync?.synced === false;
          return isLeft ? exitCodes.attention : exitCodes.done;
        }),
      ),
    );

async function look(target: Target, givenBack: (queue: QueueName) => number): Promise<Found[]> {
  const found: Found[] = [];
  for (const queue of queueNames) {
    found.push({ queue, putAside: await putAside(target, queue), givenBack: givenBack(queue) });
  }
  return found;
}

const workQueue = ({ resources }: Target, queue: Exclude<QueueName, 'sync'>): string =>
  ({ ingest: resources.ingestQueueUrl, submit: resources.submitQueueUrl, report: resources.reportQueueUrl })[queue];

async function putAside(target: Target, queue: QueueName): Promise<number> {
  const { deadLetters, resources } = target;
  return deadLetters.count(queue === 'sync' ? resources.missedRunsUrl : await deadLetters.of(workQueue(target, queue)));
}

interface GivenBack {
  readonly moved?: number;
  readonly sync?: SyncJson;
}

/** A missed run is not repeated as such: one run does what all of them left, so their records go when it left nothing. */
async function giveBack(target: Target, queue: QueueName): Promise<GivenBack> {
  if (queue !== 'sync') return { moved: await target.deadLetters.redrive(workQueue(target, queue)) };
  const sync = syncJsonOf(await target.sync(), await readOutage(target));
  return { moved: sync.synced ? await target.deadLetters.clear(target.resources.missedRunsUrl) : 0, sync };
}

async function tell({ json, terminal }: Session, redrive: RedriveJson, chosen: QueueName | undefined): Promise<void> {
  if (json) return printJson(terminal, redrive);
  const { queues, sync } = redrive;
  if (sync !== undefined) tellSync(sync, terminal);
  const columns = [
    { header: 'queue' },
    { header: 'put aside', align: 'right' },
    { header: 'given back', align: 'right' },
  ] as const;
  const rows = queues.map(({ queue, putAside, givenBack }) => [queue, String(putAside), String(givenBack)]);
  await terminal.lines(formatTable(columns, rows, terminal));
  const [first] = queues.filter((one) => one.putAside > 0);
  if (chosen === undefined && first !== undefined) {
    terminal.note(`Mend the cause first (docs/runbook.md); then give them back: ${hint(`redrive ${first.queue}`)}`);
  }
}
