// How many messages of each queue are dead-lettered.
import type { Target } from './target.ts';

/** In the order of the pipeline. */
export const queueNames = ['ingest', 'commands', 'submit', 'sync', 'report'] as const;
export type QueueName = (typeof queueNames)[number];

export interface DeadLettered {
  readonly queue: QueueName;
  readonly deadLettered: number;
}

export async function countDeadLettered(target: Target): Promise<DeadLettered[]> {
  const { deadLetters, resources } = target;
  const counts: DeadLettered[] = [];
  for (const queue of queueNames) {
    const url = queue === 'sync' ? resources.missedRunsUrl : await deadLetters.of(workQueueUrl(target, queue));
    counts.push({ queue, deadLettered: await deadLetters.count(url) });
  }
  return counts;
}

export const workQueueUrl = ({ resources }: Target, queue: Exclude<QueueName, 'sync'>): string =>
  ({
    ingest: resources.ingestQueueUrl,
    commands: resources.commandQueueUrl,
    submit: resources.submitQueueUrl,
    report: resources.reportQueueUrl,
  })[queue];
