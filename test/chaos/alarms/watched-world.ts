// The simulation with everything that CloudWatch sees of it: what the functions published, as their metric lines have
// it, and the metrics of SQS, Lambda and EventBridge, modelled after their documentation. Announce is a model as well:
// it reads what was written to the table.
import { vi } from 'vitest';
import * as z from 'zod';
import { formatValue } from '#local/template/references.ts';
import { type QueueName, queueNames } from '#shared/api/agreed-names.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { createMetrics } from '#shared/runtime/metrics.ts';
import type { Item } from '../../support/in-memory/expression.ts';
import { resourcesOf, type Template } from '../../support/infra/checks/read-template.ts';
import { withoutHash } from '../../support/infra/template.ts';
import { createDice } from '../dice.ts';
import { drop, stepTo } from '../drive.ts';
import type { Stage } from '../environment.ts';
import { type CallFate, noFaults } from '../faults.ts';
import { deadLetterUrl, queueUrl, type Sabotage } from '../pipeline.ts';
import { type Row, validRows } from '../scenario.ts';
import { createWorld, type World } from '../world.ts';
import { alarmsOf, createMetricStore, firstFirings, type Metric, type MetricStore } from './cloudwatch.ts';

export const minute = 60_000;
export const hour = 60 * minute;
const start = Date.parse('2026-07-06T08:00:00Z');

/** The functions, as they are called here. */
export type Step = Stage | 'announce';

/** What can be changed while the simulation runs. */
export interface Controls {
  /** Event sources that are disabled: queues, the stream of the table, the schedule of sync. */
  readonly off: Set<QueueName | 'stream' | 'schedule'>;
  /** Functions that Lambda does not invoke, because their concurrency is used up. */
  readonly throttled: Set<Step>;
  /** Functions whose every invocation crashes at its first effect. */
  readonly crashing: Set<Step>;
  /** What AWS throttles: the beginnings of descriptions, such as `sync PutCommand`. */
  readonly refused: Set<string>;
  /** How long each effect of a function takes. */
  readonly effectMs: Map<Stage, number>;
  /** Of each call to the service. */
  callFate: (effect: string, what: () => string) => CallFate;
  /** How long a call to the service takes at most, in each direction. */
  latencyMs: number;
  /** How long an invocation of announce takes. */
  announceMs: number;
  /** The event bus takes no event. */
  isBusFailing: boolean;
  /** The target of a rule takes no event: a person changed it, or its policy. */
  isTargetFailing: boolean;
  /** Lambda stops chains of invocations, whatever the template says. */
  terminatesLoops: boolean;
}

export interface WatchedWorld {
  readonly world: World;
  readonly controls: Controls;
  readonly store: MetricStore;
  /** Publishes a value of an AWS metric that nothing here models. */
  put(metric: Metric, value: number): void;
  /** A person uploads a file. */
  upload(rows: readonly Row[]): void;
  /** When each alarm fired first, in minutes after `since`. */
  fired(since: number): ReadonlyMap<string, number>;
  runTo(time: number): Promise<void>;
  now(): number;
}

export interface WatchedOptions {
  /** Of `prod`. */
  readonly template: Template;
  readonly sabotage?: Sabotage | undefined;
  /** See `PipelineOptions`. */
  readonly syncCallsAtOnce?: number | undefined;
}

const functionName = (step: Step): string => `<${step.charAt(0).toUpperCase()}${step.slice(1)}Function>`;
export const ofFunction = (name: string, step: Step): Metric => ({
  namespace: 'AWS/Lambda',
  name,
  dimensions: { FunctionName: functionName(step) },
});
const ofQueue = (name: string, queue: string): Metric => ({
  namespace: 'AWS/SQS',
  name,
  dimensions: { QueueName: `<${queue}.QueueName>` },
});
const resourceNames = { ingest: 'Ingest', command: 'Command', submit: 'Submit', report: 'Report' } as const;
const consumerOf: Readonly<Record<QueueName, Stage>> = {
  ingest: 'ingest',
  command: 'ingest',
  submit: 'submit',
  report: 'report',
};

/** @param play what happens; the world ends with it */
export async function watch<Result>(
  options: WatchedOptions,
  play: (watched: WatchedWorld) => Promise<Result>,
): Promise<Result> {
  const spied = vi.spyOn(process.stdout, 'write');
  try {
    return await play(open(options, spied));
  } finally {
    spied.mockRestore();
  }
}

function open(
  { template, sabotage, syncCallsAtOnce }: WatchedOptions,
  stdout: { mockImplementation(write: unknown): unknown },
) {
  const store = createMetricStore();
  const controls: Controls = {
    off: new Set(),
    throttled: new Set(),
    crashing: new Set(),
    refused: new Set(),
    effectMs: new Map(),
    callFate: () => 'done',
    latencyMs: 150,
    announceMs: 1_000,
    isBusFailing: false,
    isTargetFailing: false,
    terminatesLoops: false,
  };
  const put = (metric: Metric, value: number, at = world.timeline.now()): void => store.put(metric, value, at);
  stdout.mockImplementation((chunk: unknown) => {
    for (const [metric, value] of publishedIn(String(chunk))) put(metric, value);
    return true;
  });
  const dice = createDice(7);
  const missedRuns = { count: 0 };
  const stream = createStream({ controls, put, template, clock: () => world.timeline.now() });
  const world = createWorld({
    seed: 7,
    dice: createDice(7),
    start,
    takesTwice: true,
    sabotage,
    syncCallsAtOnce,
    count: () => {},
    latencyMs: () => dice.between(controls.latencyMs / 2, controls.latencyMs),
    faults: () => ({
      ...noFaults,
      aws: (_, what) => {
        if (isOf(controls.crashing, what())) return 'killed-before';
        return [...controls.refused].some((refused) => what().startsWith(refused)) ? 'throttled' : 'done';
      },
      call: (effect, what) => (isOf(controls.crashing, what()) ? 'killed-before' : controls.callFate(effect, what)),
    }),
    turn: (_, stage) => world.timeline.wait((stage && controls.effectMs.get(stage)) ?? dice.between(1, 30)),
    mayReceive: (name) => !controls.off.has(name) && !controls.throttled.has(consumerOf[name]),
    allowsRecursion: () => !controls.terminatesLoops,
    onRecursion: (stage) => put(ofFunction('RecursiveInvocationsDropped', stage), 1),
    metricsOf: (stage) => createMetrics({ namespace: 'simporter/prod', service: stage }),
    onWrite: stream.onWrite,
    onEnded: ({ stage, startedAt, isError }) => {
      put(ofFunction('Invocations', stage), 1, startedAt);
      put(ofFunction('Errors', stage), isError ? 1 : 0, startedAt);
      put(ofFunction('Duration', stage), world.timeline.now() - startedAt);
      if (stage === 'sync' && isError) missedRuns.count += 1;
    },
  });

  const everyMinute = (): void => {
    for (const name of queueNames) {
      const { visible, oldestSentAt } = world.queue.measure(queueUrl(name));
      const queue = `${resourceNames[name]}Queue`;
      put(ofQueue('ApproximateNumberOfMessagesVisible', queue), visible);
      if (oldestSentAt !== undefined) {
        put(ofQueue('ApproximateAgeOfOldestMessage', queue), (world.timeline.now() - oldestSentAt) / 1000);
      }
      const step = consumerOf[name];
      if (controls.throttled.has(step) && visible > 0) put(ofFunction('Throttles', step), 1);
      const dead = world.queue.measure(deadLetterUrl(name)).visible;
      put(ofQueue('ApproximateNumberOfMessagesVisible', `${resourceNames[name]}DeadLetters`), dead);
    }
    put(ofQueue('ApproximateNumberOfMessagesVisible', 'SyncMissedRuns'), missedRuns.count);
    stream.poll(world.timeline.now());
    world.lambda.pump();
  };

  const everyMs = scheduleOf(template);

  /**
   * Lambda keeps an asynchronous event that it cannot start, tries again after twice as long each time, after five
   * minutes at most, and dead-letters it when the next one comes.
   */
  const startSync = (waitMs = 1_000, until = world.timeline.now() + everyMs): void => {
    if (!controls.throttled.has('sync')) return void world.lambda.sync();
    put(ofFunction('Throttles', 'sync'), 1);
    const again = world.timeline.now() + waitMs;
    if (again >= until) missedRuns.count += 1;
    else world.timeline.at(again, () => startSync(Math.min(2 * waitMs, 5 * minute), until));
  };

  const repeat = (intervalMs: number, action: () => void): void => {
    const next = (at: number): void =>
      world.timeline.at(at, () => {
        action();
        next(at + intervalMs);
      });
    next(start + intervalMs);
  };
  repeat(minute, everyMinute);
  repeat(everyMs, () => {
    if (!controls.off.has('schedule')) startSync();
  });
  let files = 0;
  let rows = 0;
  const upload = (given: readonly Row[]): void => {
    files += 1;
    void drop(`create-port/file-${files}.csv`, given, world);
  };
  repeat(20 * minute, () => {
    upload(validRows(rows, 3));
    rows += 3;
  });
  return {
    world,
    controls,
    store,
    put: (metric, value) => put(metric, value),
    upload,
    runTo: (time) => stepTo(time, world),
    now: world.timeline.now,
    fired: (since) => {
      const fired = firstFirings(alarmsOf(template), store, { from: since, to: world.timeline.now() });
      const named = [...fired].map(
        ([name, at]) => [name.replace('simporter-prod-', ''), (at - since) / minute] as const,
      );
      return new Map(named);
    },
  } satisfies WatchedWorld;
}

/** The description of an effect begins with its function. */
const isOf = (steps: ReadonlySet<Step>, what: string): boolean => steps.has(what.split(' ')[0] as Step);

function scheduleOf(template: Template): number {
  const [[, schedule] = []] = resourcesOf(template, 'AWS::Scheduler::Schedule');
  const [, minutes] = /^rate\((\d+) minutes?\)$/.exec(schedule?.ScheduleExpression ?? '') ?? [];
  return Number(minutes) * minute;
}

const metricLine = z.object({
  _aws: z.object({
    CloudWatchMetrics: z.array(
      z.object({
        Namespace: z.string(),
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string() })),
      }),
    ),
  }),
});

/** What CloudWatch reads from lines of the embedded metric format. */
function publishedIn(text: string): [Metric, number][] {
  return text.split('\n').flatMap((line) => {
    if (!line.includes('"_aws"')) return [];
    const entry = JSON.parse(line) as Record<string, string | number>;
    return metricLine.parse(entry)._aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
      Dimensions.flatMap((names) =>
        Metrics.map(({ Name }): [Metric, number] => {
          const dimensions = Object.fromEntries(names.map((name) => [name, String(entry[name])]));
          return [{ namespace: Namespace, name: Name, dimensions }, Number(entry[Name])];
        }),
      ),
    );
  });
}

/** Lambda discards a batch that failed so often. */
const attempts = 20;

interface StreamParts {
  readonly controls: Controls;
  readonly put: (metric: Metric, value: number) => void;
  readonly template: Template;
  readonly clock: Clock;
}

/** The event source of announce: Lambda polls the stream all the time, and reports an empty poll as 0 events. */
function createStream({ controls, put, template, clock }: StreamParts) {
  const [mapping = ''] = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').flatMap(([id]) =>
    withoutHash(id) === 'AnnounceSource' ? [formatValue({ Ref: id })] : [],
  );
  let waiting: number[] = [];
  let failures = 0;
  let dead = 0;
  let undelivered = 0;
  let busyUntil = 0;

  /** EventBridge counts what it cannot deliver at all, and dead-letters it. */
  const route = (events: number): void => {
    if (!controls.isTargetFailing) return;
    undelivered += events;
    put(
      {
        namespace: 'AWS/Events',
        name: 'FailedInvocations',
        dimensions: { EventBusName: '<EventBus>', RuleName: 'simporter-prod-LogEvents' },
      },
      events,
    );
  };

  const deliver = (now: number): void => {
    const [oldest = now] = waiting;
    put(ofFunction('Invocations', 'announce'), 1);
    put(ofFunction('IteratorAge', 'announce'), now - oldest);
    put(ofFunction('Duration', 'announce'), controls.announceMs);
    put(ofFunction('Errors', 'announce'), controls.crashing.has('announce') ? 1 : 0);
    busyUntil = now + controls.announceMs;
    const isFailed = controls.isBusFailing || controls.crashing.has('announce');
    failures = isFailed ? failures + 1 : 0;
    if (failures > attempts) dead += 1;
    if (isFailed && failures <= attempts) return;
    failures = 0;
    if (!isFailed) route(Math.min(batch, waiting.length));
    waiting = waiting.slice(batch);
  };

  return {
    onWrite: (_: Item | undefined, after: Item | undefined) => {
      if (after !== undefined && isAnnounced(after)) waiting.push(clock());
    },
    poll: (now: number): void => {
      put(ofQueue('ApproximateNumberOfMessagesVisible', 'AnnounceDeadLetters'), dead);
      put(ofQueue('ApproximateNumberOfMessagesVisible', 'EventDeadLetters'), undelivered);
      if (controls.off.has('stream')) return;
      const polled = {
        namespace: 'AWS/Lambda',
        name: 'PolledEventCount',
        dimensions: { EventSourceMappingUUID: mapping },
      };
      put(polled, waiting.length);
      if (waiting.length === 0 || now < busyUntil) return;
      if (controls.throttled.has('announce')) put(ofFunction('Throttles', 'announce'), 1);
      else deliver(now);
    },
  };
}

const batch = 100;

const isAnnounced = ({ sk, state }: Item): boolean =>
  (sk === 'import' && ['planned', 'rejected', 'finished'].includes(String(state))) || String(sk).startsWith('event#');
