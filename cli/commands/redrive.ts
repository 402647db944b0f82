// simporter redrive [QUEUE]: what was put aside after eight failures, and giving it back once the cause is mended.
import { Argument, Command } from 'commander';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-code.ts';
import { hint } from '../hint.ts';
import type { RedriveJson } from '../json-shapes.ts';
import { printJson } from '../output/json.ts';
import { formatTable } from '../output/table.ts';
import type { Session } from '../session.ts';
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
          const moved = chosen === undefined ? 0 : await giveBack(target, chosen);
          const found: Found[] = [];
          for (const queue of queueNames) {
            found.push({ queue, putAside: await putAside(target, queue), givenBack: queue === chosen ? moved : 0 });
          }
          await tell(session, found, chosen);
          return chosen === undefined && found.some((one) => one.putAside > 0) ? exitCodes.attention : exitCodes.done;
        }),
      ),
    );

const workQueue = ({ resources }: Target, queue: Exclude<QueueName, 'sync'>): string =>
  ({ ingest: resources.ingestQueueUrl, submit: resources.submitQueueUrl, report: resources.reportQueueUrl })[queue];

async function putAside(target: Target, queue: QueueName): Promise<number> {
  const { deadLetters, resources } = target;
  return deadLetters.count(queue === 'sync' ? resources.missedRunsUrl : await deadLetters.of(workQueue(target, queue)));
}

/** A missed run is not repeated as such: one run does what all of them left, so their records go when it has ended well. */
async function giveBack(target: Target, queue: QueueName): Promise<number> {
  if (queue !== 'sync') return target.deadLetters.redrive(workQueue(target, queue));
  await target.sync();
  return target.deadLetters.clear(target.resources.missedRunsUrl);
}

async function tell({ json, terminal }: Session, queues: Found[], chosen: QueueName | undefined): Promise<void> {
  if (json) return printJson(terminal, { queues } satisfies RedriveJson);
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
