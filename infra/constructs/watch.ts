// Watch: what is worth a person's attention, as alarms; the same story as a dashboard; questions to the logs.
import { Duration } from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StageConfiguration } from '../config.ts';
import { Alarms, type Concern, fiveMinutes } from './alarms.ts';
import type { Announce } from './announce.ts';
import { tellStory } from './dashboard.ts';
import type { Ingest } from './ingest.ts';
import { saveLogQueries } from './log-queries.ts';
import { mailTopic } from './mail-topic.ts';
import type { Parts } from './parts.ts';
import type { PipelineFunction } from './pipeline-function.ts';
import type { Report } from './report.ts';
import { behindOf, errorsOf, longestOf, runsOf, Signals, throttlesOf } from './signals.ts';
import type { Submit } from './submit.ts';
import type { Sync } from './sync.ts';

export interface WatchProps {
  readonly parts: Parts;
  readonly ingest: Ingest;
  readonly submit: Submit;
  readonly sync: Sync;
  readonly report: Report;
  readonly announce: Announce;
}

export class Watch extends Construct {
  constructor(scope: Construct, id: string, { parts, ...stages }: WatchProps) {
    super(scope, id);
    const { configuration } = parts;
    const { email } = configuration.watch;
    const mail = { key: parts.key, subject: 'Alarms', sender: 'cloudwatch.amazonaws.com' } as const;
    const action = email === undefined ? undefined : new SnsAction(mailTopic(this, 'AlarmMail', { ...mail, email }));
    const signals = new Signals(configuration);
    const alarms = new Alarms(this, 'Alarms', configuration, action);
    const functions = [stages.ingest, stages.submit, stages.sync, stages.report, stages.announce];
    const concerns = [
      ...putAside(parts, stages.sync),
      ...announcing(stages.announce),
      ...outcomes(signals, configuration),
      ...following(signals, stages.sync, configuration),
      ...functions.flatMap(running),
      // Sync stops by itself in time, however much there is to do: its staleness tells when that is too much.
      ...[stages.ingest, stages.submit, stages.report, stages.announce].map(nearTimeout),
    ];
    for (const concern of concerns) alarms.raise(concern);
    tellStory(this, {
      ...{ configuration, signals, alarms: alarms.raised, arrivals: parts.inbox.arrivals },
      ...{ submissions: parts.submissions, reports: parts.reports },
      ...stages,
    });
    saveLogQueries(this, configuration, functions);
  }
}

/** A single message put aside is one too many: it stands for work that nobody does until a person looks. */
const putAside = ({ inbox, submissions, reports }: Parts, sync: Sync): readonly Concern[] => [
  {
    id: 'IngestDeadLetters',
    meaning: 'An uploaded file could not be read or planned in eight tries: nothing of it was sent.',
    ...depthOf(inbox.arrivals.deadLetters),
  },
  {
    id: 'SubmitDeadLetters',
    meaning: 'A request was put aside: its numbers are not on their way, and it is safe to redrive.',
    ...depthOf(submissions.deadLetters),
  },
  {
    id: 'SyncMissedRuns',
    meaning: 'A sync run failed or never began: statuses grow old until a run succeeds.',
    ...depthOf(sync.deadLetters),
  },
  {
    id: 'ReportDeadLetters',
    meaning: "An import's totals or results.csv could not be written: what they show is old.",
    ...depthOf(reports.deadLetters),
  },
];

/** Nobody's work waits for an event here, but whoever listens may wait for one. */
const lateMinutes = 15;

const announcing = (announce: Announce): readonly Concern[] => [
  {
    id: 'AnnounceDeadLetters',
    meaning: 'Changes were not announced: whoever listens to the events has not heard of them.',
    ...depthOf(announce.deadLetters),
  },
  {
    id: 'AnnounceBehind',
    meaning: `Events come more than ${lateMinutes} minutes after the change that they tell of.`,
    metric: behindOf(announce),
    kind: 'level',
    above: lateMinutes * 60_000,
  },
];

const depthOf = (queue: IQueue): Pick<Concern, 'metric' | 'kind'> => ({
  metric: queue.metricApproximateNumberOfMessagesVisible({ period: fiveMinutes, statistic: 'Maximum' }),
  kind: 'level',
});

/** Calls in doubt that are still being settled: a few are the weather, more mean that the service is ill. */
const doubtsInFiveMinutes = 5;

const outcomes = (signals: Signals, { watch }: StageConfiguration): readonly Concern[] => [
  {
    id: 'Duplicates',
    meaning: 'The same request made more than one port: cancel the extra one before its day.',
    metric: signals.countedAnywhere('duplicates'),
    kind: 'event',
  },
  {
    id: 'UnknownRequests',
    meaning: 'The service leaves calls in doubt (time-outs, resets, 5xx). Sync settles them; the service needs a look.',
    metric: signals.counted('submit', 'requestsUnknown'),
    kind: 'level',
    above: doubtsInFiveMinutes,
  },
  {
    id: 'UndecidableRequests',
    meaning: 'Nobody but a person can find out whether a submission was made: it is not sent again until then.',
    metric: signals.counted('sync', 'requestsUnknown'),
    kind: 'event',
  },
  {
    id: 'RefusedRequests',
    meaning: 'The service or our own last check refused a request as a whole: none of its rows is on its way.',
    metric: signals.countedAnywhere('requestsRefused'),
    kind: 'event',
  },
  {
    id: 'WithdrawnRows',
    meaning: `More than ${watch.attentionLines} good rows in five minutes were taken out of their requests, mostly because a file was dropped twice.`,
    metric: signals.counted('submit', 'rowsWithdrawn'),
    kind: 'event',
    above: watch.attentionLines,
  },
  {
    id: 'AttentionRising',
    meaning: `More than ${watch.attentionLines} lines in five minutes began to need a person: one cause is likelier than many.`,
    metric: signals.countedAnywhere('attention'),
    kind: 'level',
    above: watch.attentionLines,
  },
  {
    id: 'UnknownStatusNames',
    meaning:
      'The service uses a status that simporter does not know: it is shown as it came and never taken for an end.',
    metric: signals.counted('sync', 'unknownStatus'),
    kind: 'event',
  },
  {
    id: 'UnreadableItems',
    meaning:
      'An item of the results table cannot be read: nobody looks after what it stands for, and all else goes on.',
    metric: signals.counted('sync', 'unreadableItems'),
    kind: 'event',
  },
];

const following = (signals: Signals, sync: Sync, configuration: StageConfiguration): readonly Concern[] => {
  const { watch } = configuration;
  return [
    {
      id: 'ServiceDown',
      meaning:
        'No call to the service comes to anything: nothing is sent or looked at until it answers. Nothing is lost.',
      metric: signals.reading('sync', 'serviceDown'),
      kind: 'level',
    },
    {
      id: 'OldestUnfinished',
      meaning: `A request has been in doubt or unsent for more than ${watch.unfinishedMinutes} minutes.`,
      metric: signals.reading('sync', 'oldestUnfinished'),
      kind: 'level',
      above: watch.unfinishedMinutes * 60,
    },
    {
      id: 'SyncStale',
      meaning: `A port has waited for more than ${watch.stalenessMinutes} minutes beyond its time to be looked at: statuses are old.`,
      metric: signals.reading('sync', 'syncStaleness'),
      kind: 'level',
      above: watch.stalenessMinutes * 60,
    },
    {
      id: 'SyncStopped',
      meaning: 'No sync run began: the schedule is off or may not start it. No status moves until one does.',
      // Three turns of the schedule: one that comes late is no stop.
      metric: runsOf(sync, Duration.minutes(3 * configuration.sync.everyMinutes)),
      kind: 'level',
      below: 1,
    },
  ];
};

const running = (one: PipelineFunction): readonly Concern[] => {
  const { id } = one.node;
  return [
    {
      id: `${id}Errors`,
      section: 'function-errors',
      meaning: `The ${one.name} function crashes, runs out of memory or out of time; what it had in hand comes again.`,
      metric: errorsOf(one),
      kind: 'level',
    },
    {
      id: `${id}Throttles`,
      section: 'function-throttles',
      meaning: `The ${one.name} function is not allowed to run: the account's or its own concurrency is used up.`,
      metric: throttlesOf(one),
      kind: 'level',
    },
  ];
};

/** So near to its time-out an invocation is soon cut off in the middle of its work. */
const nearness = 0.9;

const nearTimeout = (one: PipelineFunction): Concern => ({
  id: `${one.node.id}NearTimeout`,
  section: 'near-time-out',
  meaning: `An invocation of ${one.name} took more than nine tenths of its ${one.timeoutSeconds} seconds.`,
  metric: longestOf(one),
  kind: 'level',
  above: nearness * one.timeoutSeconds * 1000,
});
