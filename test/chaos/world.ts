// One simulation: the in-memory doubles, the porting simulator behind its network, Lambda, and observers of all output.

import { hash } from 'node:crypto';
import { announcementOf } from '#functions/announce/handler.ts';
import { type QueueName, queueNames } from '#shared/api/agreed-names.ts';
import type { Announcement } from '#shared/api/events.ts';
import type { ApprovalMode } from '#shared/import/approval.ts';
import type { Metrics } from '#shared/runtime/metrics.ts';
import { callsAtOnce } from '#shared/service/in-parallel.ts';
import { tokenOfPortName } from '#shared/text/identity.ts';
import { type BucketTwin, createBucketTwin } from '../support/in-memory/bucket.ts';
import type { Item } from '../support/in-memory/expression.ts';
import { createQueueTwin, type QueueSettings, type QueueTwin } from '../support/in-memory/queue.ts';
import { createTableTwin, type TableTwin } from '../support/in-memory/table.ts';
import { type CallCaps, watchCalls } from './call-watch.ts';
import { createDice, type Dice } from './dice.ts';
import { createEnvironment, type Stage } from './environment.ts';
import type { Faults } from './faults.ts';
import {
  type Consumer,
  type Container,
  concurrency,
  createLambda,
  type EndedInvocation,
  type Lambda,
  mayRecurse,
  type SubmitSize,
} from './lambda.ts';
import { watchLedger } from './ledger-watch.ts';
import { createNetwork, type Network } from './network.ts';
import {
  callsPerSecond,
  callTimeoutMs,
  createPipeline,
  deadLetterUrl,
  queueUrl,
  quietMs,
  type Sabotage,
  submitBatch,
  timeoutSeconds,
} from './pipeline.ts';
import { calmHabits, createPortList, type ListFate, type ListHabits } from './port-list.ts';
import { createTimeline, type Timeline } from './timeline.ts';

export interface WorldOptions {
  readonly seed: number;
  readonly dice: Dice;
  readonly start: number;
  /** The faults at this time. */
  readonly faults: () => Faults;
  readonly takesTwice: boolean;
  /**
   * Whether a call may be executed, and the list may lag, for longer than the quiet period, and the list may be empty.
   * Only if no request is abandoned and no port cancelled: its second port would belong to nobody.
   * @default false
   */
  readonly lagsLong?: boolean;
  /** Ports of other users in the list. @default 0 */
  readonly strangers?: number;
  /** @default calmHabits */
  readonly listHabits?: ListHabits | undefined;
  /** See `NetworkOptions`. @default 0 */
  readonly listPauseMs?: (() => number) | undefined;
  /** Reads of the service that sync makes at the same time. @default - as on AWS */
  readonly syncCallsAtOnce?: number | undefined;
  readonly sabotage: Sabotage | undefined;
  /** See `QueueTwinOptions`. @default never, which tests more orders */
  readonly isFair?: () => boolean;
  /** How long blocking rows may block others, in milliseconds. @default - until a person acts */
  readonly removeBlockingAfterMs?: number | undefined;
  /** @default upload */
  readonly approval?: ApprovalMode | undefined;
  /** See `PipelineOptions`. */
  readonly restMs?: number | undefined;
  /** See `NetworkOptions`. */
  readonly onSubmit?: (path: string, body: unknown) => void;
  readonly declines?: (body: unknown) => string | undefined;
  readonly namesFirst?: boolean;
  readonly actsAtOnce?: boolean;
  readonly cutsEnd?: (() => boolean) | undefined;
  /** See `PipelineOptions`. */
  readonly rowsPerRequest?: number;
  /** The duration of a call and of its answer. @default up to 150 virtual milliseconds each */
  readonly latencyMs?: () => number;
  /** See `EnvironmentParts`. @default some virtual milliseconds each */
  readonly turn?: (effect: string, stage: Stage | undefined) => Promise<void>;
  /** See `LambdaParts`. @default - as in the template */
  readonly allowsRecursion?: ((stage: Consumer) => boolean) | undefined;
  /** Whether ingest reads ports that are to be moved, several at a time. @default false */
  readonly movesPorts?: boolean;
  /** See `LambdaParts`. */
  readonly submit?: SubmitSize | undefined;
  readonly mayReceive?: ((name: QueueName) => boolean) | undefined;
  readonly onEnded?: ((ended: EndedInvocation) => void) | undefined;
  /** Lambda stops a recursive loop of the function. */
  readonly onRecursion?: (stage: Consumer) => void;
  /** The metrics of a new environment. @default - they are not published */
  readonly metricsOf?: (stage: Stage) => Metrics;
  /** Called with each write to the table. */
  readonly onWrite?: (before: Item | undefined, after: Item | undefined) => void;
  readonly count: (name: string) => void;
}

export interface World {
  readonly timeline: Timeline;
  readonly table: TableTwin;
  readonly bucket: BucketTwin;
  readonly queue: QueueTwin;
  readonly network: Network;
  readonly lambda: Lambda;
  /** A separate environment, beside those of Lambda. */
  open(stage?: Stage): Container;
  readonly heard: Heard;
}

/** What was observed. */
export interface Heard {
  /** The events that other systems got. */
  readonly events: Announcement[];
  /** Violated invariants, each once. */
  readonly violations: Set<string>;
  /** Every command to the table and the queues, and every log line. */
  readonly spoken: string[];
  /** The numbers that people asked to forget, in E.164 digits, with the imports of that time. */
  readonly forgotten: Map<string, ReadonlySet<string>>;
  /** The numbers of corrections whose uploads may be gone. */
  readonly corrected: Set<string>;
  /** The tokens that the service issued. */
  readonly tokens: string[];
  /** The same for the same run. */
  fingerprint(): string;
  effects(): number;
}

const deliveries = 8;

/** Submit makes one call at a time for each message of a batch, sync as many as its settings allow. */
const callCapsOf = ({
  movesPorts = false,
  submit = { invocations: concurrency.submit, batch: submitBatch },
}: Pick<WorldOptions, 'movesPorts' | 'submit'>): CallCaps => ({
  atOnce: {
    ingest: concurrency.ingest * (movesPorts ? callsAtOnce(callsPerSecond) : 1),
    submit: submit.invocations * submit.batch,
    report: 0,
    sync: callsAtOnce(callsPerSecond),
  },
  perSecond: callsPerSecond,
});

export function createWorld(options: WorldOptions): World {
  const { dice, start, faults } = options;
  const timeline = createTimeline(start);
  const { heard, listen, speak } = createEars();
  const watch = watchLedger((violation) => void heard.violations.add(violation));
  const table = createTableTwin({
    now: timeline.now,
    indexLagMs: dice.pick([0, 100, 3_000]),
    pageSize: dice.pick([2, 5, 1_000]),
    throttles: () => faults().partly(),
    onWrite: (before, after) => {
      watch(before, after);
      noteEvent(before, after, heard.events);
      options.onWrite?.(before, after);
    },
  });
  const bucket = createBucketTwin({ now: timeline.now });
  const queue = createQueueTwin({
    now: timeline.now,
    queues: Object.fromEntries(queueNames.flatMap(queuesOf)),
    isFair: options.isFair ?? (() => false),
    pick: (messages) => dice.between(0, messages - 1),
    throttles: () => faults().partly(),
    forgets: () => faults().forgets(),
    onVisible: (at) => timeline.at(at, () => lambda.pump()),
  });
  const network = openNetwork(options, timeline, table, heard);
  const calls = watchCalls(callCapsOf(options), timeline.now, (violation) => void heard.violations.add(violation));
  const twins = { table: listen(table), queues: listen(queue), buckets: bucket };
  const {
    sabotage,
    removeBlockingAfterMs,
    restMs,
    approval,
    turn = () => timeline.wait(dice.between(1, 30)),
  } = options;
  let environments = 0;
  const open = (stage?: Stage): Container => {
    environments += 1;
    // Lambda applies the concurrency limits; separate environments have none.
    const onCall = () => (stage === undefined ? () => {} : calls.begin(stage));
    const environment = createEnvironment({
      number: environments,
      stage: stage ?? 'beside',
      timeline,
      dice,
      twins,
      network,
      onCall,
      faults,
      turn: (effect) => turn(effect, stage),
    });
    const pipeline = createPipeline(environment, {
      timeline,
      onLog: speak,
      metrics: stage && options.metricsOf?.(stage),
      sabotage,
      removeBlockingAfterMs,
      restMs,
      approval,
      syncCallsAtOnce: options.syncCallsAtOnce,
      isAtScale: options.submit !== undefined,
      rowsPerRequest: options.rowsPerRequest,
    });
    return { environment, pipeline };
  };
  const lambda: Lambda = createLambda({
    timeline,
    dice,
    queue,
    open,
    undeleted: () => faults().undeleted(),
    allowsRecursion: options.allowsRecursion ?? ((stage) => mayRecurse[stage]),
    onLoop: (stage, { body }) => {
      queue.add(deadLetterUrl(stage), JSON.parse(body));
      options.onRecursion?.(stage);
    },
    submit: options.submit,
    mayReceive: options.mayReceive,
    onEnded: options.onEnded,
    onInvoked: (stage) => options.count(`invoked ${stage}`),
  });
  return { timeline, table, bucket, queue, network, lambda, open, heard };
}

/** Announce reads each write from the stream of the table. */
function noteEvent(was: Item | undefined, is: Item | undefined, events: Announcement[]): void {
  const sk = String(is?.sk);
  const kind = eventKinds.find(([start]) => sk.startsWith(start))?.[1];
  if (is === undefined || kind === undefined) return;
  const event = announcementOf({ kind, was, is } as unknown as Parameters<typeof announcementOf>[0]);
  if (event !== undefined) events.push(event);
}

const eventKinds = [
  ['import', 'import'],
  ['current', 'number'],
  ['port', 'port'],
  ['request#', 'request'],
  ['event#', 'port-event'],
  ['comparison#', 'comparison'],
] as const;

/** A queue and its dead-letter queue. */
const queuesOf = (name: QueueName): [string, QueueSettings][] => {
  const visibilityMs = 6 * timeoutSeconds[name === 'command' ? 'ingest' : name] * 1000;
  const redrive = { to: deadLetterUrl(name), deliveries };
  return [
    [queueUrl(name), { visibilityMs, redrive }],
    [redrive.to, { visibilityMs }],
  ];
};

function openNetwork(options: WorldOptions, timeline: Timeline, table: TableTwin, heard: Heard): Network {
  const { seed, dice, takesTwice, lagsLong = false, strangers = 0, latencyMs, faults, onSubmit = () => {} } = options;
  const { listHabits: habits = calmHabits, listPauseMs = () => 0 } = options;
  const isLate = dice.chance(0.5);
  const delays = createDice(seed ^ 0x1157);
  // Only a service that declines a number that is taken reveals a second call.
  const isDetected = !takesTwice && lagsLong;
  const longestLag = isDetected && delays.chance(0.5) ? 1.8 * quietMs : quietMs / 3;
  const listFate = (): ListFate => {
    const fate = faults().list();
    return fate === 'vanished' && !isDetected ? 'emptied' : fate;
  };
  return createNetwork({
    timeline,
    dice: createDice(seed ^ 0xd1ce),
    timeoutMs: callTimeoutMs,
    lateMs: () => delays.between(0, quietMs / 2),
    committedLateMs: () => delays.between(0, isDetected ? 40 * 60_000 : quietMs / 2),
    listLagMs: () => (isLate ? delays.between(0, longestLag) : 0),
    takesTwice,
    list: createPortList({ dice: createDice(seed ^ 0x1157ed), strangers, fate: listFate, habits }),
    listPauseMs,
    listHabits: habits,
    latencyMs: latencyMs ?? (() => delays.between(0, 150)),
    onCreate: (name) => {
      const token = tokenOfPortName(name);
      const intent = table.items().find((item) => item.token === token);
      if (intent?.state === 'in-flight') return;
      heard.violations.add(`I2 a port was created while its request was ${intent?.state}`);
    },
    onSubmit,
    declines: options.declines,
    namesFirst: options.namesFirst,
    actsAtOnce: options.actsAtOnce,
    cutsEnd: options.cutsEnd,
    onToken: (token) => void heard.tokens.push(token),
  });
}

interface Sending {
  send(command: { readonly input: unknown }, trace?: string): Promise<unknown>;
}

function createEars() {
  const commands: string[] = [];
  const spoken: string[] = [];
  const listen = (twin: Sending): Sending => ({
    send: (command, trace) => {
      const text = `${command.constructor.name} ${JSON.stringify(command.input)}`;
      spoken.push(text);
      commands.push(text);
      return twin.send(command, trace);
    },
  });
  const heard: Heard = {
    events: [],
    violations: new Set(),
    forgotten: new Map(),
    corrected: new Set(),
    spoken,
    tokens: [],
    fingerprint: () => hash('sha256', commands.join('\n')).slice(0, 16),
    effects: () => commands.length,
  };
  return { heard, listen, speak: (text: string) => void spoken.push(text) };
}
