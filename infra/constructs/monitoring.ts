// What a person on call works with: alarms, the dashboard, and the saved log queries.
import { Arn, ArnFormat, Duration, Stack, Token } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IAlarmAction,
  type IMetric,
  type IWidget,
  PeriodOverride,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import { stackName } from '../derived-settings.ts';
import type { Configuration } from '../settings.ts';
import { alarmDefinitions } from './alarm-definitions.ts';
import { Alarms, fiveMinutes } from './alarms.ts';
import type { SimporterFunction } from './function.ts';
import { pipelineQueries, saveLogQueries } from './log-queries.ts';
import { mailTopic } from './messages.ts';
import {
  errorsOf,
  invocationsOf,
  iteratorAgeOf,
  longestInvocationOf,
  PipelineMetrics,
  throttlesOf,
} from './metrics.ts';
import type { MonitoringSources } from './monitoring-sources.ts';
import type { WorkQueue } from './queues.ts';

interface MonitoringProps extends Omit<MonitoringSources, 'metrics'> {
  readonly key: IKey;
}

export class Monitoring extends Construct {
  readonly alarms: Alarms;
  /** What an alarm does. */
  readonly actions: readonly IAlarmAction[];

  constructor(scope: Construct, id: string, { key, ...props }: MonitoringProps) {
    super(scope, id);
    const { configuration, functions } = props;
    const topics = this.alarmTopics(configuration, key);
    this.actions = topics.map((topic) => new SnsAction(topic));
    this.alarms = new Alarms(this, 'Alarms', configuration, this.actions);
    const sources = { ...props, metrics: new PipelineMetrics(configuration) };
    for (const definition of alarmDefinitions(sources)) this.alarms.add(definition);
    for (const alarm of this.alarms.all) alarm.node.addDependency(...topics);
    createDashboard(this, { ...sources, alarms: this.alarms.all });
    saveLogQueries(this, configuration, Object.values(functions), pipelineQueries);
  }

  private alarmTopics({ alarms: { email, topicArn } }: Configuration, key: IKey): ITopic[] {
    if (topicArn !== undefined) requireOwnRegion(this, topicArn);
    const mail = { key, subject: 'Alarms', publisher: 'cloudwatch.amazonaws.com' } as const;
    return [
      ...(topicArn === undefined ? [] : [Topic.fromTopicArn(this, 'AlarmTopic', topicArn)]),
      ...(email === undefined ? [] : [mailTopic(this, 'AlarmMail', { ...mail, email })]),
    ];
  }
}

/** @throws Error for a topic of another region: CloudWatch cannot notify it */
function requireOwnRegion(scope: Construct, topicArn: string): void {
  const { region } = Stack.of(scope);
  const { region: ofTopic } = Arn.split(topicArn, ArnFormat.NO_RESOURCE_NAME);
  if (Token.isUnresolved(region) || Token.isUnresolved(ofTopic) || ofTopic === region) return;
  throw new Error(`alarms.topicArn: the topic is in ${ofTopic}, and alarms in ${region} can only notify topics there.`);
}

// The dashboard: one column for each step of the pipeline, with its queue, its results and its function.

/** CloudWatch divides the width of a dashboard into 24 units. */
const [fullWidth, columnWidth, height] = [24, 6, 5];

function createDashboard(scope: Construct, props: MonitoringSources & { readonly alarms: readonly IAlarm[] }): void {
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
    metrics.of('requestsCreated'),
    metrics.of('requestsDeclined'),
    metrics.sum('submit', 'requestsUnknown'),
  ]),
  graph('Skipped rows, duplicate ports, pauses by the service, noisy imports', [
    metrics.of('rowsSkipped'),
    metrics.of('duplicates'),
    metrics.of('pauses'),
    // Requests of such an import wait for those of others.
    queues.submit.queue.metric('ApproximateNumberOfNoisyGroups', { ...maximum, label: 'noisy imports' }),
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
    metrics.of('requestsUnresolved'),
    metrics.of('unknownStatus'),
    metrics.of('deferred'),
    metrics.of('unreadableItems'),
    metrics.of('failedTasks'),
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

const functionGraphs = (one: SimporterFunction): readonly IWidget[] => [
  graph('Invocations, errors, throttles', [invocationsOf(one), errorsOf(one), throttlesOf(one)]),
  graph('Longest invocation (ms)', [longestInvocationOf(one)], one.timeoutSeconds * 1000),
];
