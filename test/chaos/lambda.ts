// Lambda: environments that are warm or new, invocations that end, fail, die or run out of time, and the event source
// mappings that feed them from the queues.
import { isEndless, traceOfInvocation } from '#local/lambda/recursion-detection.ts';
import type { QueueName } from '#shared/api/agreed-names.ts';
import type { Resolution, ResolveAnswer } from '#shared/request/messages.ts';
import type { LambdaContext } from '#shared/runtime/step.ts';
import type { Delivered, QueueTwin } from '../support/in-memory/queue.ts';
import type { Dice } from './dice.ts';
import type { Environment, Stage } from './environment.ts';
import { type Pipeline, queueUrl, submitBatch, timeoutSeconds } from './pipeline.ts';
import type { Timeline } from './timeline.ts';

export type Consumer = Exclude<Stage, 'sync'>;
export const consumers: readonly Consumer[] = ['ingest', 'submit', 'report'];

/** The queues that invoke a function. */
const queuesOf = (stage: Consumer): readonly QueueName[] => (stage === 'ingest' ? ['command', 'ingest'] : [stage]);

export const concurrency: Readonly<Record<Consumer, number>> = { ingest: 2, submit: 3, report: 2 };
const batchSizes: Readonly<Record<Consumer, number>> = { ingest: 1, submit: submitBatch, report: 10 };

/** Whether the template has `RecursiveLoop: Allow`, which `outage.test.ts` compares. */
export const mayRecurse: Readonly<Record<Consumer, boolean>> = { ingest: true, submit: true, report: true };

export interface Container {
  readonly environment: Environment;
  readonly pipeline: Pipeline;
}

export interface LambdaParts {
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly queue: Pick<QueueTwin, 'receive' | 'remove'>;
  readonly open: (stage: Stage) => Container;
  /** Whether a message that was dealt with stays in its queue. */
  readonly undeleted: () => boolean;
  readonly allowsRecursion: (stage: Consumer) => boolean;
  /** Lambda stops a recursive loop: this message is not delivered. */
  readonly onLoop: (stage: Consumer, message: Delivered) => void;
  readonly onInvoked: (stage: Stage) => void;
  /** @default - nobody observes it */
  readonly onEnded?: ((ended: EndedInvocation) => void) | undefined;
  /** Whether Lambda reads the queue. @default - always */
  readonly mayReceive?: ((name: QueueName) => boolean) | undefined;
  /** @default - few, which tests more orders */
  readonly submit?: SubmitSize | undefined;
}

export interface EndedInvocation {
  readonly stage: Stage;
  readonly startedAt: number;
  /** It threw, crashed or ran out of time. */
  readonly isError: boolean;
}

/** How many invocations of submit run at a time, and how many requests each of them sends. */
export interface SubmitSize {
  readonly invocations: number;
  readonly batch: number;
}

export interface Lambda {
  /** Starts as many batches as the mappings allow. */
  pump(): void;
  /** @param event a command of a person. @default - as on schedule */
  sync(event?: object): void;
  /** As a person does it with `simporter resolve`. */
  resolve(resolution: Resolution): Promise<ResolveAnswer | 'died'>;
  isRunning(): boolean;
  /** Invocations that did not end well. */
  deaths(): number;
}

export function createLambda(parts: LambdaParts): Lambda {
  const { timeline, dice, queue, open, undeleted, allowsRecursion, onLoop, onInvoked, submit } = parts;
  const { onEnded = () => {}, mayReceive = () => true } = parts;
  const most = (stage: Consumer): number => (stage === 'submit' && submit?.invocations) || concurrency[stage];
  const sizeOf = (stage: Consumer): number =>
    stage === 'submit' && submit !== undefined ? submit.batch : dice.between(1, batchSizes[stage]);
  const idle = new Map<Stage, Container[]>();
  const running = new Map<Stage, number>();
  const count = (stage: Stage, by: number): void => void running.set(stage, (running.get(stage) ?? 0) + by);
  let invocations = 0;
  let deaths = 0;

  /** 'died' when it did not end well: what it took comes back by itself. */
  const invoke = async <Answer>(
    stage: Stage,
    messages: readonly Delivered[],
    work: (pipeline: Pipeline, context: LambdaContext) => Promise<Answer>,
  ): Promise<Answer | 'died'> => {
    onInvoked(stage);
    invocations += 1;
    const awsRequestId = `run-${invocations}`;
    count(stage, 1);
    const { environment, pipeline } = idle.get(stage)?.pop() ?? open(stage);
    environment.trace(traceOfInvocation(messages.map(traceOf), stage));
    const startedAt = timeline.now();
    const deadline = startedAt + timeoutSeconds[stage] * 1000;
    let isOver = false;
    timeline.at(deadline, () => {
      if (!isOver) environment.kill();
    });
    const worked = work(pipeline, { awsRequestId, getRemainingTimeInMillis: () => deadline - timeline.now() }).catch(
      (): 'died' => 'died',
    );
    const answer = await Promise.race([worked, environment.death]);
    isOver = true;
    count(stage, -1);
    if (answer === 'died') deaths += 1;
    onEnded({ stage, startedAt, isError: answer === 'died' });
    if (!environment.isDead()) idle.set(stage, [...(idle.get(stage) ?? []), { environment, pipeline }]);
    return answer;
  };

  const consume = async (stage: Consumer, name: QueueName, records: readonly Delivered[]): Promise<void> => {
    const failed = await invoke(stage, records, (pipeline, context) => pipeline.consume(stage, records, context));
    if (failed !== 'died') {
      const done = records.filter(({ messageId }) => !failed.includes(messageId) && !undeleted());
      for (const { receiptHandle } of done) queue.remove(queueUrl(name), receiptHandle);
    }
    pump();
  };

  const pumpOne = (stage: Consumer, name: QueueName): void => {
    while (mayReceive(name) && (running.get(stage) ?? 0) < most(stage)) {
      const received = queue.receive(queueUrl(name), sizeOf(stage));
      if (received.length === 0) return;
      const looping = received.filter((message) => !allowsRecursion(stage) && isEndless(traceOf(message), stage));
      for (const message of looping) {
        onLoop(stage, message);
        queue.remove(queueUrl(name), message.receiptHandle);
      }
      const records = received.filter((message) => !looping.includes(message));
      if (records.length > 0) void consume(stage, name, records);
    }
  };

  function pump(): void {
    for (const stage of consumers) for (const name of queuesOf(stage)) pumpOne(stage, name);
  }

  const sync = (event?: object): void => {
    void invoke('sync', [], (pipeline, context) => pipeline.sync(context, event)).then(pump);
  };

  const resolve = (resolution: Resolution): Promise<ResolveAnswer | 'died'> =>
    invoke('sync', [], (pipeline, context) => pipeline.resolve(resolution, context)).finally(pump);

  return {
    pump,
    sync,
    resolve,
    isRunning: () => [...running.values()].some((number) => number > 0),
    deaths: () => deaths,
  };
}

const traceOf = ({ attributes }: Delivered): string | undefined => attributes.AWSTraceHeader;
