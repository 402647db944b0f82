// The alarms of the console's API: errors and slow answers.
import type { Duration } from 'aws-cdk-lib';
import type { AlarmDefinition } from './alarms.ts';
import type { ConsoleApi } from './console-api.ts';
import { errorsOf, throttlesOf } from './metrics.ts';
import type { PipelineFunction } from './pipeline-function.ts';

export interface ApiAlarmSources {
  readonly api: ConsoleApi;
  readonly functions: readonly PipelineFunction[];
  readonly period: Duration;
}

/** Answers 5xx in five minutes. */
const toleratedErrors = 5;
/** Of the slowest of a hundred answers, in milliseconds. A cold start takes about one second. */
const slowMs = 3_000;

export const apiAlarms = ({ api, functions, period }: ApiAlarmSources): readonly AlarmDefinition[] => [
  {
    id: 'ApiErrors',
    meaning: `More than ${toleratedErrors} answers of the API were 5xx in five minutes: people see errors.`,
    metric: api.api.metricServerError({ period, statistic: 'Sum', label: 'server errors' }),
    breachingPeriods: 2,
    above: toleratedErrors,
  },
  {
    id: 'ApiLatency',
    meaning: `One of a hundred answers of the API takes more than ${slowMs / 1_000} seconds.`,
    metric: api.api.metricLatency({ period, statistic: 'p99', label: 'latency' }),
    breachingPeriods: 2,
    above: slowMs,
  },
  ...functions.flatMap((one): AlarmDefinition[] => [
    {
      id: `${one.node.id}Errors`,
      section: 'api-errors',
      meaning: `The function ${one.name} crashed, or ran out of memory or time: people see errors.`,
      metric: errorsOf(one),
      breachingPeriods: 1,
    },
    {
      id: `${one.node.id}Throttles`,
      section: 'function-throttles',
      meaning: `Lambda throttled ${one.name}: the concurrency limit of the account is used up.`,
      metric: throttlesOf(one),
      breachingPeriods: 2,
    },
  ]),
];
