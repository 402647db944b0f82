// simporter sync, redrive and doctor: runs sync now instead of on its schedule, redrives what failed too often, and
// checks whether the service and the stack work.

import { Argument } from 'commander';
import type { QueueName } from '#shared/api/agreed-names.ts';
import type { ServiceCheck } from '#shared/request/messages.ts';
import { readInterruptions } from '#shared/results/progress.ts';
import { count, counted } from '#shared/text/wording.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { toFinding } from '../context/format-error.ts';
import { nextCommand } from '../context/next-command.ts';
import { printJson } from '../output/json.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import type { Style } from '../output/terminal.ts';
import type { Session, Target } from '../target/target.ts';
import { SyncBusy, whenIdle } from '../target/with-target.ts';
import { printSync, type SyncJson, toSyncJson } from '../views/import-view.ts';

export const configureSync: ConfigureCommand = (command, { onTarget }) =>
  command.action(
    onTarget<[]>(async (session) => {
      const { target, json, terminal } = session;
      const answer = await target.sync();
      const sync = toSyncJson(answer, await readInterruptions(target));
      if (json) await printJson(session, sync);
      else printSync(sync, terminal);
      return sync.synced ? exitCodes.done : exitCodes.actionRequired;
    }),
  );

// Redrive: the messages that were dead-lettered after eight failures.

export const configureRedrive: ConfigureCommand = (command, { onTarget }) =>
  command
    .addArgument(new Argument('[queue]', 'the queue whose messages to redrive').choices([...redrivable, 'commands']))
    .action(
      onTarget<[Redrivable | 'commands' | undefined]>(async (session, named) => {
        const queue = named === 'commands' ? 'command' : named;
        const { redriven = 0, sync } = queue === undefined ? {} : await redrive(session.target, queue);
        const queues = (await countDeadLettered(session.target)).map((one) => ({
          ...one,
          redriven: one.queue === queue ? redriven : 0,
        }));
        await printQueues(session, { queues, ...(sync && { sync }) }, queue);
        const isLeft =
          queue === undefined ? queues.some(({ deadLettered }) => deadLettered > 0) : sync?.synced === false;
        return isLeft ? exitCodes.actionRequired : exitCodes.done;
      }),
    );

interface Redriven {
  readonly redriven?: number;
  readonly sync?: SyncJson;
}

/** One run of sync does the work of all missed runs, so their records are deleted when it left nothing undone. */
async function redrive(target: Target, queue: Redrivable): Promise<Redriven> {
  if (queue !== 'sync') {
    // People cannot send to the queue of ingest, because its events name uploaders. Ingest reads both queues.
    const destination = workQueueUrl(target, queue === 'ingest' ? 'command' : queue);
    return { redriven: await target.deadLetters.redrive(workQueueUrl(target, queue), destination) };
  }
  const sync = toSyncJson(await target.sync(), await readInterruptions(target));
  return { redriven: sync.synced ? await target.deadLetters.clear(target.resources.missedRunsUrl) : 0, sync };
}

const queueColumns: readonly TableColumn[] = [
  { header: 'queue' },
  { header: 'dead-lettered', align: 'right' },
  { header: 'redriven', align: 'right' },
];

interface Answer extends Pick<Redriven, 'sync'> {
  readonly queues: readonly (DeadLettered & { readonly redriven: number })[];
}

async function printQueues(session: Session, answer: Answer, queue: Redrivable | undefined): Promise<void> {
  const { json, terminal } = session;
  if (json) return printJson(session, answer);
  const { queues, sync } = answer;
  if (sync !== undefined) printSync(sync, terminal);
  const rows = queues.map((one) => [one.queue, String(one.deadLettered), String(one.redriven)]);
  await terminal.lines(formatTable(queueColumns, rows, terminal));
  if (queue !== undefined) return;
  const filled = queues.filter(({ deadLettered }) => deadLettered > 0).map((one) => one.queue);
  const first = redrivable.find((name) => filled.includes(name));
  if (first !== undefined) {
    terminal.note('Remove the cause first (docs/guides/runbook.md), then redrive the messages:');
    terminal.note(nextCommand('redrive', first));
  }
  for (const other of filled.filter((name) => name === 'announce' || name === 'events')) {
    const section = other === 'announce' ? 'announce-dead-letters' : 'event-dead-letters';
    terminal.note(`What to do with those of ${other}: docs/guides/runbook.md#${section}`);
  }
}

/** The runs of sync that were missed have a queue, too. */
type Redrivable = QueueName | 'sync';

/** In the order of the pipeline. `commands` is another name of `command`. */
const redrivable: readonly Redrivable[] = ['ingest', 'command', 'submit', 'sync', 'report'];

interface DeadLettered {
  /** `announce` and `events`: what could not be published or delivered to others. The runbook states what to do. */
  readonly queue: Redrivable | 'announce' | 'events';
  readonly deadLettered: number;
}

async function countDeadLettered(target: Target): Promise<DeadLettered[]> {
  const { deadLetters, resources } = target;
  const urls: Readonly<Record<DeadLettered['queue'], string>> = {
    ingest: await deadLetters.of(resources.ingestQueueUrl),
    command: await deadLetters.of(resources.commandQueueUrl),
    submit: await deadLetters.of(resources.submitQueueUrl),
    sync: resources.missedRunsUrl,
    report: await deadLetters.of(resources.reportQueueUrl),
    announce: resources.announceDeadLettersUrl,
    events: resources.eventDeadLettersUrl,
  };
  const counts: DeadLettered[] = [];
  for (const [queue, url] of Object.entries(urls) as [DeadLettered['queue'], string][]) {
    counts.push({ queue, deadLettered: await deadLetters.count(url) });
  }
  return counts;
}

const workQueueUrl = ({ resources }: Target, queue: QueueName): string =>
  ({
    ingest: resources.ingestQueueUrl,
    command: resources.commandQueueUrl,
    submit: resources.submitQueueUrl,
    report: resources.reportQueueUrl,
  })[queue];

// Doctor: whether the service answers as simporter expects, and whether the stack can work. Reads only.

export const configureDoctor: ConfigureCommand = (command, { onTarget }) =>
  command.action(
    onTarget<[]>(async (session) => {
      // Each of them ends, whatever the others find.
      const parts = [examineService(session), findDeadLettered(session.target), examineDeployment(session)];
      const checks = (await Promise.all(parts)).flat();
      if (session.json) await printJson(session, { checks });
      else await printChecks(session, checks);
      return checks.some(isProblem) ? exitCodes.actionRequired : exitCodes.done;
    }),
  );

const isProblem = ({ state }: ServiceCheck): boolean => state === 'warning' || state === 'error';

type Checks = Promise<readonly ServiceCheck[]>;

async function examineService(session: Session): Checks {
  try {
    return (await whenIdle(session, () => session.target.examine())).checks;
  } catch (error) {
    if (session.signal.aborted) throw error;
    return [{ check: 'sync', ...toFinding(error, error instanceof SyncBusy ? 'warning' : 'error') }];
  }
}

async function examineDeployment({ target, options: { stack } }: Session): Checks {
  if (target.kind !== 'stack' || stack === undefined) return [];
  return (await import('../target/examine-stack.ts')).examineStack(stack);
}

async function findDeadLettered(target: Target): Checks {
  const check = 'dead-letters';
  try {
    const counts = (await countDeadLettered(target)).filter(({ deadLettered }) => deadLettered > 0);
    if (counts.length === 0) return [{ check, state: 'ok', answer: 'no message is dead-lettered' }];
    const answer = `dead-lettered: ${counts.map((one) => `${one.queue} ${count(one.deadLettered)}`).join(', ')}`;
    return [{ check, state: 'error', answer, advice: `To see them: ${nextCommand('redrive')}` }];
  } catch (error) {
    return [{ check, ...toFinding(error, 'unknown') }];
  }
}

const colours: Readonly<Record<string, Style>> = { ok: 'green', warning: 'yellow', error: 'red', unknown: 'dim' };
const checkColumns: readonly TableColumn[] = [
  { header: 'state', style: (state) => colours[state] },
  { header: 'check' },
  { header: 'answer', wraps: true },
];

async function printChecks({ terminal }: Session, checks: readonly ServiceCheck[]): Promise<void> {
  const cells = checks.map(({ state, check, answer, advice }) => [
    state,
    check,
    advice === undefined ? answer : `${answer}. ${advice}`,
  ]);
  await terminal.lines(formatTable(checkColumns, cells, terminal));
  const problems = checks.filter(isProblem).length;
  const unread = checks.filter(({ state, advice }) => state === 'unknown' && advice !== undefined).length;
  if (problems > 0) terminal.note(`${counted(problems, 'check')} failed or has a warning.`);
  if (unread > 0) terminal.note(`${counted(unread, 'check')} could not be made.`);
  if (problems + unread === 0) terminal.note('Nothing to do.');
}
