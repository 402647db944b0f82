// The metrics of the pipeline: those that its functions publish, and those of Lambda.
import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { type MetricName, metricDimensions, type PlainMetric } from '#shared/runtime/metrics.ts';
import { metricsNamespace } from '../derived-settings.ts';
import type { FunctionName } from '../function-names.ts';
import type { Configuration } from '../settings.ts';
import { fiveMinutes } from './alarms.ts';
import type { SimporterFunction } from './function.ts';

/** In seconds. Each run of sync measures them once, at its end. */
const times: ReadonlySet<MetricName> = new Set(['serviceDown', 'syncStaleness', 'oldestUnfinished']);

/** The metrics that the functions of one environment publish. */
export class PipelineMetrics {
  readonly namespace: string;
  /** Two such periods in a row contain a value of each time: a run takes less than its interval. */
  private readonly periodOfRuns: Duration;

  constructor({ stage, sync }: Configuration) {
    this.namespace = metricsNamespace(stage);
    this.periodOfRuns = Duration.minutes(Math.max(sync.everyMinutes, fiveMinutes.toMinutes()));
  }

  /**
   * The sum of a count over all functions; of a time, the longest. Metrics Insights counts a function that never
   * published the metric as 0. A metric math sum would have no data then, and its alarm would never fire.
   */
  of(name: PlainMetric): IMetric {
    if (times.has(name)) return this.metric('sync', name, { statistic: 'Maximum', period: this.periodOfRuns });
    return new MathExpression({
      expression: `SELECT SUM(${name}) FROM SCHEMA("${this.namespace}", service)`,
      usingMetrics: {},
      label: name,
      period: fiveMinutes,
    });
  }

  sum(service: FunctionName, name: PlainMetric): Metric {
    return this.metric(service, name, sum);
  }

  importsByState(): IMetric {
    return new MathExpression({
      expression: `SEARCH('{${[this.namespace, 'service', ...metricDimensions.imports]}} MetricName="imports"', 'Sum')`,
      usingMetrics: {},
      label: '',
      period: fiveMinutes,
    });
  }

  private metric(
    service: FunctionName,
    metricName: MetricName,
    over: { readonly statistic: string; readonly period: Duration },
  ): Metric {
    const { namespace } = this;
    return new Metric({ namespace, metricName, dimensionsMap: { service }, label: metricName, ...over });
  }
}

const sum = { period: fiveMinutes, statistic: 'Sum' };
const maximum = { period: fiveMinutes, statistic: 'Maximum' };

export const errorsOf = ({ lambda }: SimporterFunction): IMetric => lambda.metricErrors({ ...sum, label: 'errors' });

export const throttlesOf = ({ lambda }: SimporterFunction): IMetric =>
  lambda.metricThrottles({ ...sum, label: 'throttles' });

export const invocationsOf = ({ lambda }: SimporterFunction, period: Duration = fiveMinutes): IMetric =>
  lambda.metricInvocations({ ...sum, period, label: 'invocations' });

/** Age of the stream records that the function processes, in milliseconds. */
export const iteratorAgeOf = ({ lambda }: SimporterFunction): IMetric =>
  lambda.metric('IteratorAge', { ...maximum, label: 'iterator age' });

/** Data where Lambda reads the event source, also while it has nothing new: then the value is 0. */
export const pollsOf = (sourceId: string, period: Duration): IMetric =>
  new Metric({
    namespace: 'AWS/Lambda',
    metricName: 'PolledEventCount',
    dimensionsMap: { EventSourceMappingUUID: sourceId },
    statistic: 'SampleCount',
    period,
    label: 'polls',
  });

/** In milliseconds. */
export const longestInvocationOf = ({ lambda }: SimporterFunction): IMetric =>
  lambda.metricDuration({ ...maximum, label: 'longest' });

/** Invocations that recursive loop detection stopped. */
export const recursiveInvocationsOf = ({ lambda }: SimporterFunction): IMetric =>
  lambda.metric('RecursiveInvocationsDropped', { ...sum, label: 'recursive invocations' });

/** Metrics of a rule on a custom event bus have both dimensions. */
export const failedInvocationsOf = (rule: { readonly eventBusName: string; readonly ruleName: string }): IMetric =>
  new Metric({
    ...sum,
    namespace: 'AWS/Events',
    metricName: 'FailedInvocations',
    dimensionsMap: { EventBusName: rule.eventBusName, RuleName: rule.ruleName },
    label: 'failed deliveries',
  });
