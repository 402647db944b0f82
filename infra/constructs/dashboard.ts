// One dashboard that reads like the pipeline: a column for each stage, left to right; in each what waits, what was done,
// and how the function fares.
import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  PeriodOverride,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { StageConfiguration } from '../config.ts';
import { fiveMinutes } from './alarms.ts';
import type { PipelineFunction } from './pipeline-function.ts';
import { behindOf, errorsOf, longestOf, runsOf, type Signals, throttlesOf } from './signals.ts';
import type { WorkQueue } from './work-queue.ts';

export interface Story {
  readonly configuration: StageConfiguration;
  readonly signals: Signals;
  readonly alarms: readonly IAlarm[];
  readonly arrivals: WorkQueue;
  readonly submissions: WorkQueue;
  readonly reports: WorkQueue;
  readonly ingest: PipelineFunction;
  readonly submit: PipelineFunction;
  readonly sync: PipelineFunction;
  readonly report: PipelineFunction;
  readonly announce: PipelineFunction;
}

/** A dashboard is 24 wide. */
const [fullWidth, columnWidth, height] = [24, 6, 5];

export function tellStory(scope: Construct, story: Story): void {
  const dashboard = new Dashboard(scope, 'Dashboard', {
    dashboardName: `simporter-${story.configuration.stage}`,
    periodOverride: PeriodOverride.AUTO,
    defaultInterval: Duration.days(1),
  });
  dashboard.addWidgets(
    new AlarmStatusWidget({ title: 'Alarms', alarms: [...story.alarms], width: fullWidth, height: 4 }),
  );
  const columns = [ingestColumn(story), submitColumn(story), syncColumn(story), reportColumn(story)];
  // Row by row, so that every console shows the columns in line.
  for (let row = 0; row < (columns[0]?.length ?? 0); row += 1) {
    dashboard.addWidgets(...columns.flatMap((column) => column[row] ?? []));
  }
}

const ingestColumn = ({ signals, arrivals, ingest }: Story): readonly IWidget[] => [
  heading('Inbox and ingest', 'A CSV becomes a plan, rejected rows and requests.'),
  waiting('Uploads waiting', arrivals),
  graph('Imports, by the state they were left in', [signals.importsByState()]),
  graph('Rows', [signals.counted('ingest', 'rows'), signals.counted('ingest', 'rowsRejected')]),
  ...running(ingest),
];

const submitColumn = ({ signals, submissions, submit }: Story): readonly IWidget[] => [
  heading('Submit', 'One call for each request, and a record of it whatever happens.'),
  waiting('Requests waiting', submissions),
  graph('Requests, by what the service said', [
    signals.counted('submit', 'requestsCreated'),
    signals.counted('submit', 'requestsRefused'),
    signals.counted('submit', 'requestsUnknown'),
  ]),
  graph('Rows withdrawn, duplicates, and pauses that the service asked for', [
    signals.counted('submit', 'rowsWithdrawn'),
    signals.countedAnywhere('duplicates'),
    signals.countedAnywhere('pauses'),
  ]),
  ...running(submit),
];

const syncColumn = ({ signals, sync, configuration: { watch } }: Story): readonly IWidget[] => [
  heading('Sync', 'Every port is followed to its end; every doubt is settled.'),
  graph('Longest wait for a look (seconds)', [signals.reading('sync', 'syncStaleness')], watch.stalenessMinutes * 60),
  graph(
    'Oldest unfinished request, and how long the service has been down (seconds)',
    [signals.reading('sync', 'oldestUnfinished'), signals.reading('sync', 'serviceDown')],
    watch.unfinishedMinutes * 60,
  ),
  graph('For people', [
    signals.countedAnywhere('attention'),
    signals.counted('sync', 'requestsUnknown'),
    signals.counted('sync', 'unknownStatus'),
    signals.counted('sync', 'leftForLater'),
    signals.counted('sync', 'unreadableItems'),
  ]),
  ...running(sync),
];

const reportColumn = ({ arrivals, submissions, reports, report, announce }: Story): readonly IWidget[] => [
  heading('Report', 'Totals and results.csv of every import that changed; events for others.'),
  waiting('Changes waiting', reports),
  graph('Put aside: each is work that nobody does', [
    putAside(arrivals, 'uploads'),
    putAside(submissions, 'requests'),
    putAside(reports, 'changes'),
  ]),
  graph('Events: behind the change (ms)', [behindOf(announce)]),
  ...running(report),
];

const heading = (title: string, text: string): IWidget =>
  new TextWidget({ markdown: `## ${title}\n${text}`, width: columnWidth, height: 2 });

const graph = (title: string, left: IMetric[], limit?: number): IWidget =>
  new GraphWidget({
    title,
    left,
    width: columnWidth,
    height,
    leftYAxis: { min: 0, showUnits: false },
    ...(limit === undefined ? {} : { leftAnnotations: [{ value: limit, label: 'alarm' }] }),
  });

const waiting = (title: string, { queue }: WorkQueue): IWidget =>
  new GraphWidget({
    title,
    left: [
      queue.metricApproximateNumberOfMessagesVisible({ period: fiveMinutes, statistic: 'Maximum', label: 'waiting' }),
      queue.metricApproximateNumberOfMessagesNotVisible({
        period: fiveMinutes,
        statistic: 'Maximum',
        label: 'in work',
      }),
    ],
    right: [
      queue.metricApproximateAgeOfOldestMessage({ period: fiveMinutes, statistic: 'Maximum', label: 'oldest (s)' }),
    ],
    leftYAxis: { min: 0, showUnits: false },
    rightYAxis: { min: 0, showUnits: false },
    width: columnWidth,
    height,
  });

const putAside = ({ deadLetters }: WorkQueue, label: string): IMetric =>
  deadLetters.metricApproximateNumberOfMessagesVisible({ period: fiveMinutes, statistic: 'Maximum', label });

const running = (one: PipelineFunction): readonly IWidget[] => [
  graph('Invocations, errors, throttles', [runsOf(one), errorsOf(one), throttlesOf(one)]),
  graph('Longest invocation (ms)', [longestOf(one)], one.timeoutSeconds * 1000),
];
