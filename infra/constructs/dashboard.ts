// The dashboard: one column for each step of the pipeline, with its queue, its results and its function.
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
import { stackName } from '../derived-settings.ts';
import { fiveMinutes } from './alarms.ts';
import { errorsOf, invocationsOf, iteratorAgeOf, longestInvocationOf, throttlesOf } from './metrics.ts';
import type { MonitoringSources } from './monitoring-sources.ts';
import type { PipelineFunction } from './pipeline-function.ts';
import type { WorkQueue } from './queues.ts';

/** CloudWatch divides the width of a dashboard into 24 units. */
const [fullWidth, columnWidth, height] = [24, 6, 5];

export function createDashboard(
  scope: Construct,
  props: MonitoringSources & { readonly alarms: readonly IAlarm[] },
): void {
  const dashboard = new Dashboard(scope, 'Dashboard', {
    dashboardName: stackName(props.configuration.stage),
    periodOverride: PeriodOverride.AUTO,
    defaultInterval: Duration.days(1),
  });
  dashboard.addWidgets(
    new AlarmStatusWidget({ title: 'Alarms', alarms: [...props.alarms], width: fullWidth, height: 4 }),
  );
  const columns = [ingestColumn(props), submitColumn(props), syncColumn(props), reportColumn(props)];
  // Row by row, so that the widgets of a column are aligned.
  for (let row = 0; row < (columns[0]?.length ?? 0); row += 1) {
    dashboard.addWidgets(...columns.flatMap((column) => column[row] ?? []));
  }
}

const ingestColumn = ({ metrics, queues, functions }: MonitoringSources): readonly IWidget[] => [
  heading('Inbox and ingest', 'Turns an upload into a plan, invalid rows and requests.'),
  queueGraph('Uploads waiting', queues.ingest),
  graph('Imports by state', [metrics.importsByState()]),
  graph('Rows', [metrics.sum('ingest', 'rows'), metrics.sum('ingest', 'rowsRejected')]),
  ...functionGraphs(functions.ingest),
];

const submitColumn = ({ metrics, queues, functions }: MonitoringSources): readonly IWidget[] => [
  heading('Submit', 'Sends each request with one call and records its outcome.'),
  queueGraph('Requests waiting', queues.submit),
  graph('Requests by outcome', [
    metrics.sum('submit', 'requestsCreated'),
    metrics.sum('submit', 'requestsDeclined'),
    metrics.sum('submit', 'requestsUnknown'),
  ]),
  graph('Skipped rows, duplicate ports, pauses by the service', [
    metrics.sum('submit', 'rowsSkipped'),
    metrics.of('duplicates'),
    metrics.of('pauses'),
  ]),
  ...functionGraphs(functions.submit),
];

const syncColumn = ({ metrics, functions, configuration: { alarms } }: MonitoringSources): readonly IWidget[] => [
  heading('Sync', 'Tracks every port to its end and resolves unknown outcomes.'),
  graph('Most overdue check of a port (s)', [metrics.of('syncStaleness')], alarms.stalenessMinutes * 60),
  graph(
    'Oldest unfinished request, and duration of the outage (s)',
    [metrics.of('oldestUnfinished'), metrics.of('serviceDown')],
    alarms.unfinishedMinutes * 60,
  ),
  graph('Action required', [
    metrics.of('actionRequired'),
    metrics.sum('sync', 'requestsUnresolved'),
    metrics.sum('sync', 'unknownStatus'),
    metrics.sum('sync', 'deferred'),
    metrics.sum('sync', 'unreadableItems'),
    metrics.sum('sync', 'failedTasks'),
  ]),
  ...functionGraphs(functions.sync),
];

const reportColumn = ({ queues, functions }: MonitoringSources): readonly IWidget[] => [
  heading('Report', 'Updates totals and results.csv. Announce publishes events.'),
  queueGraph('Changes waiting', queues.report),
  graph('Dead-lettered messages', [
    deadLetters(queues.ingest, 'uploads'),
    deadLetters(queues.command, 'commands'),
    deadLetters(queues.submit, 'requests'),
    deadLetters(queues.report, 'changes'),
  ]),
  graph('Delay of events (ms)', [iteratorAgeOf(functions.announce)]),
  ...functionGraphs(functions.report),
];

const heading = (title: string, text: string): IWidget =>
  new TextWidget({ markdown: `## ${title}\n${text}`, width: columnWidth, height: 2 });

const graph = (title: string, left: IMetric[], alarmThreshold?: number): IWidget =>
  new GraphWidget({
    title,
    left,
    width: columnWidth,
    height,
    leftYAxis: { min: 0, showUnits: false },
    ...(alarmThreshold === undefined ? {} : { leftAnnotations: [{ value: alarmThreshold, label: 'alarm' }] }),
  });

const maximum = { period: fiveMinutes, statistic: 'Maximum' };

const queueGraph = (title: string, { queue }: WorkQueue): IWidget =>
  new GraphWidget({
    title,
    left: [
      queue.metricApproximateNumberOfMessagesVisible({ ...maximum, label: 'waiting' }),
      queue.metricApproximateNumberOfMessagesNotVisible({ ...maximum, label: 'in progress' }),
    ],
    right: [queue.metricApproximateAgeOfOldestMessage({ ...maximum, label: 'oldest (s)' })],
    leftYAxis: { min: 0, showUnits: false },
    rightYAxis: { min: 0, showUnits: false },
    width: columnWidth,
    height,
  });

const deadLetters = (queue: WorkQueue, label: string): IMetric =>
  queue.deadLetters.metricApproximateNumberOfMessagesVisible({ ...maximum, label });

const functionGraphs = (one: PipelineFunction): readonly IWidget[] => [
  graph('Invocations, errors, throttles', [invocationsOf(one), errorsOf(one), throttlesOf(one)]),
  graph('Longest invocation (ms)', [longestInvocationOf(one)], one.timeoutSeconds * 1000),
];
