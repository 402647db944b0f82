// The alarms of the pipeline: what they measure, and what they mean.
import { Duration } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { type AlarmDefinition, fiveMinutes } from './alarms.ts';
import type { SimporterFunction } from './function.ts';
import {
  errorsOf,
  failedInvocationsOf,
  invocationsOf,
  iteratorAgeOf,
  longestInvocationOf,
  pollsOf,
  recursiveInvocationsOf,
  throttlesOf,
} from './metrics.ts';
import type { MonitoringSources } from './monitoring-sources.ts';
import type { WorkQueue } from './queues.ts';

export const alarmDefinitions = (sources: MonitoringSources): readonly AlarmDefinition[] => [
  ...deadLetterAlarms(sources),
  ...undeliveredEventAlarms(sources),
  ...outcomeAlarms(sources),
  ...trackingAlarms(sources),
  ...sourceAlarms(sources),
  ...Object.values(sources.functions).flatMap((one: SimporterFunction) => [errorsAlarm(one), throttlesAlarm(one)]),
  // A run of sync uses all of its time where much is due, and that is no fault: SyncStale fires if it is not enough.
  ...Object.values(sources.functions)
    .filter((one) => one !== sources.functions.sync)
    .map(nearTimeoutAlarm),
  ...Object.values(sources.functions)
    .filter(({ mayInvokeItself }: SimporterFunction) => mayInvokeItself)
    .map(recursiveInvocationsAlarm),
];

/** Each message is unfinished work that nothing retries. */
const deadLetterAlarms = ({ queues, functions, events }: MonitoringSources): readonly AlarmDefinition[] => [
  {
    id: 'IngestDeadLetters',
    meaning: 'An upload could not be read or planned in eight deliveries. Nothing of it was submitted.',
    ...messagesIn(queues.ingest.deadLetters),
  },
  {
    id: 'CommandDeadLetters',
    meaning: 'An approval, a change of dates or a cancellation failed in eight deliveries. It has no effect.',
    ...messagesIn(queues.command.deadLetters),
  },
  {
    id: 'SubmitDeadLetters',
    meaning:
      'A request could not be submitted in eight deliveries. Its numbers are not being ported. A redrive is safe.',
    ...messagesIn(queues.submit.deadLetters),
  },
  {
    id: 'SyncMissedRuns',
    meaning: 'A run of sync failed or could not start. Statuses are not updated until a run succeeds.',
    ...messagesIn(functions.sync.deadLetters),
  },
  {
    id: 'ReportDeadLetters',
    meaning: 'The totals or the results.csv of an import could not be written. They are out of date.',
    ...messagesIn(queues.report.deadLetters),
  },
  {
    id: 'AnnounceDeadLetters',
    meaning: 'Events could not be published. Other systems did not receive them.',
    ...messagesIn(functions.announce.deadLetters),
  },
  {
    id: 'EventDeadLetters',
    meaning: 'EventBridge could not deliver events to the log group or as mail. They are in the dead-letter queue.',
    ...messagesIn(events.deadLetters),
  },
];

const undeliveredEventAlarms = ({ events: { bus, ruleNames } }: MonitoringSources): readonly AlarmDefinition[] =>
  [...ruleNames].map(([id, ruleName]) => ({
    id: `${id}Failed`,
    section: 'failed-event-rules',
    meaning: `EventBridge could not deliver events of the rule ${ruleName}: the target or its policy is wrong.`,
    metric: failedInvocationsOf({ eventBusName: bus.eventBusName, ruleName }),
    breachingPeriods: 1,
  }));

const messagesIn = (queue: IQueue) => ({
  metric: queue.metricApproximateNumberOfMessagesVisible({ period: fiveMinutes, statistic: 'Maximum' }),
  breachingPeriods: 2 as const,
});

/** Sync resolves a few unknown outcomes. More in five minutes show that the service is unreliable. */
const unknownOutcomes = 5;

/** A few are declined every day, and `actions` lists them. A canary release that declines wrongly declines them all. */
const declines = 10;

const outcomeAlarms = ({ metrics, configuration: { alarms } }: MonitoringSources): readonly AlarmDefinition[] => [
  {
    id: 'DuplicatePorts',
    meaning: 'A request created a second port, or a port after it had ended. Cancel it before its connection date.',
    metric: metrics.of('duplicates'),
    breachingPeriods: 1,
  },
  {
    id: 'UnknownOutcomes',
    meaning: `More than ${unknownOutcomes} calls in five minutes had an unknown outcome. Sync resolves them.`,
    metric: metrics.sum('submit', 'requestsUnknown'),
    breachingPeriods: 1,
    above: unknownOutcomes,
  },
  {
    id: 'UnresolvedRequests',
    meaning:
      'The service does not show whether it executed a request. It is not sent again until a person resolves it.',
    metric: metrics.of('requestsUnresolved'),
    breachingPeriods: 1,
  },
  {
    id: 'DeclinedRequests',
    meaning: `More than ${declines} whole requests were declined in five minutes. None of their rows is being processed.`,
    metric: metrics.of('requestsDeclined'),
    breachingPeriods: 1,
    above: declines,
  },
  {
    id: 'SkippedRows',
    meaning: `More than ${alarms.rowsNeedingAction} valid rows were skipped. Usually a file was imported twice.`,
    metric: metrics.of('rowsSkipped'),
    breachingPeriods: 1,
    above: alarms.rowsNeedingAction,
  },
  {
    id: 'ActionRequiredRows',
    meaning: `Action is required for more than ${alarms.rowsNeedingAction} new rows in five minutes.`,
    metric: metrics.of('actionRequired'),
    breachingPeriods: 1,
    above: alarms.rowsNeedingAction,
  },
  {
    id: 'UnknownStatusNames',
    meaning: 'The service returned an unknown status. simporter shows it unchanged and never treats it as an end.',
    metric: metrics.of('unknownStatus'),
    breachingPeriods: 1,
  },
  {
    id: 'UnreadableItems',
    meaning:
      'An item of the results table cannot be read. simporter does not process it. All other items are processed.',
    metric: metrics.of('unreadableItems'),
    breachingPeriods: 1,
  },
];

/** A shorter outage ends by itself, and calls that wait for it are made then. */
const outageMinutes = 5;
const announceDelayMinutes = 15;

const trackingAlarms = ({ metrics, functions, configuration }: MonitoringSources): readonly AlarmDefinition[] => {
  const { alarms, sync } = configuration;
  return [
    {
      id: 'ServiceOutage',
      meaning: `No call has succeeded for more than ${outageMinutes} minutes: the service is down or limits every call.`,
      metric: metrics.of('serviceDown'),
      breachingPeriods: 1,
      above: outageMinutes * 60,
    },
    {
      id: 'OldestUnfinishedRequest',
      meaning: `A request has been unsent or of unknown outcome for more than ${alarms.unfinishedMinutes} minutes.`,
      metric: metrics.of('oldestUnfinished'),
      breachingPeriods: 1,
      above: alarms.unfinishedMinutes * 60,
    },
    {
      id: 'SyncStale',
      meaning: `The check of a port is overdue by ${alarms.stalenessMinutes} minutes. Statuses are out of date.`,
      metric: metrics.of('syncStaleness'),
      breachingPeriods: 1,
      above: alarms.stalenessMinutes * 60,
    },
    {
      id: 'SyncStopped',
      meaning: 'No run of sync started. The schedule is disabled or may not start it. Statuses are not updated.',
      // Three intervals of the schedule: a late run is not an error.
      metric: invocationsOf(functions.sync, Duration.minutes(3 * sync.everyMinutes)),
      breachingPeriods: 1,
      below: 1,
    },
    {
      id: 'AnnounceDelayed',
      meaning: `Events are published more than ${announceDelayMinutes} minutes after their change.`,
      metric: iteratorAgeOf(functions.announce),
      breachingPeriods: 1,
      above: announceDelayMinutes * 60_000,
    },
  ];
};

/** For how long the retries of a message take: eight deliveries outlast half an hour. */
const retryMinutes = 30;
/** How long Lambda may not read the stream: it reads it several times a second. */
const unreadMinutes = 10;

/**
 * What waits because nothing reads it: the event source is disabled, or lost its permission. A crash hides a message,
 * and its retries take their time, so an older message shows more than that. Requests have OldestUnfinishedRequest:
 * those of a large import wait in their queue.
 */
const sourceAlarms = ({ queues, functions }: MonitoringSources): readonly AlarmDefinition[] => {
  const delayed = (id: string, what: string, { queue, hiddenSeconds }: WorkQueue): AlarmDefinition => {
    const minutes = hiddenSeconds / 60 + retryMinutes;
    return {
      id,
      section: 'delayed-messages',
      meaning: `${what} for more than ${minutes} minutes: nothing reads the queue, or more arrives than is processed.`,
      metric: queue.metricApproximateAgeOfOldestMessage({ period: fiveMinutes, statistic: 'Maximum' }),
      breachingPeriods: 1,
      above: minutes * 60,
    };
  };
  return [
    delayed('IngestDelayed', 'An upload has been waiting', queues.ingest),
    delayed('CommandDelayed', 'An approval, a change of dates or a cancellation has been waiting', queues.command),
    delayed('ReportDelayed', 'The totals and results.csv of an import have been out of date', queues.report),
    {
      id: 'AnnounceStopped',
      meaning: 'Nothing reads the stream of the table: the event source is disabled. Events are lost after 24 hours.',
      metric: pollsOf(functions.announce.sourceId, Duration.minutes(unreadMinutes)),
      breachingPeriods: 1,
      below: 1,
    },
  ];
};

const errorsAlarm = (one: SimporterFunction): AlarmDefinition => ({
  id: `${one.node.id}Errors`,
  section: 'function-errors',
  meaning: `The function ${one.name} crashed, or ran out of memory or time. Its work is delivered again.`,
  metric: errorsOf(one),
  // A crash hides its messages for the visibility timeout, so the next period is without errors.
  breachingPeriods: 1,
});

const throttlesAlarm = (one: SimporterFunction): AlarmDefinition => ({
  id: `${one.node.id}Throttles`,
  section: 'function-throttles',
  meaning: `Lambda throttled ${one.name}: the concurrency limit of the account or of the function is used up.`,
  metric: throttlesOf(one),
  breachingPeriods: 2,
});

const nearTimeoutAlarm = (one: SimporterFunction): AlarmDefinition => ({
  id: `${one.node.id}NearTimeout`,
  section: 'near-time-out',
  meaning: `An invocation of ${one.name} used more than 90 % of its ${one.timeoutSeconds} seconds.`,
  metric: longestInvocationOf(one),
  breachingPeriods: 1,
  above: 0.9 * one.timeoutSeconds * 1000,
});

const recursiveInvocationsAlarm = (one: SimporterFunction): AlarmDefinition => ({
  id: `${one.node.id}RecursiveInvocations`,
  section: 'recursive-invocations',
  meaning: `Lambda stopped ${one.name} as a recursive loop: the setting was changed. Requeued work is dead-lettered.`,
  metric: recursiveInvocationsOf(one),
  breachingPeriods: 1,
});
