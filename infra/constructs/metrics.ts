// The metrics of the pipeline: those that its functions publish, and those of Lambda.
import type { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '#shared/runtime/metrics.ts';
import { metricsNamespace } from '../derived-settings.ts';
import type { FunctionName } from '../function-names.ts';
import type { Configuration } from '../settings.ts';
import { fiveMinutes } from './alarms.ts';
import type { PipelineFunction } from './pipeline-function.ts';

/** In seconds, measured by sync. */
const times: ReadonlySet<MetricName> = new Set(['serviceDown', 'syncStaleness', 'oldestUnfinished']);

/** The metrics that the functions of one environment publish. */
export class PipelineMetrics {
  readonly namespace: string;

  constructor(configuration: Configuration) {
    this.namespace = metricsNamespace(configuration.stage);
  }

  /**
   * The sum of a count over all functions; of a time, the longest. Metrics Insights counts a function that never
   * published the metric as 0. A metric math sum would have no data then, and its alarm would never fire.
   */
  of(name: MetricName): IMetric {
    if (times.has(name)) return this.metric('sync', name, 'Maximum');
    return new MathExpression({
      expression: `SELECT SUM(${name}) FROM SCHEMA("${this.namespace}", service)`,
      usingMetrics: {},
      label: name,
      period: fiveMinutes,
    });
  }

  sum(service: FunctionName, name: MetricName): Metric {
    return this.metric(service, name, 'Sum');
  }

  importsByState(): IMetric {
    return new MathExpression({
      expression: `SEARCH('{${this.namespace},service,state} MetricName="imports"', 'Sum')`,
      usingMetrics: {},
      label: '',
      period: fiveMinutes,
    });
  }

  private metric(service: FunctionName, metricName: MetricName, statistic: string): Metric {
    const { namespace } = this;
    const dimensionsMap = { service };
    return new Metric({ namespace, metricName, dimensionsMap, statistic, period: fiveMinutes, label: metricName });
  }
}

const sum = { period: fiveMinutes, statistic: 'Sum' };
const maximum = { period: fiveMinutes, statistic: 'Maximum' };

export const errorsOf = ({ lambda }: PipelineFunction): IMetric => lambda.metricErrors({ ...sum, label: 'errors' });

export const throttlesOf = ({ lambda }: PipelineFunction): IMetric =>
  lambda.metricThrottles({ ...sum, label: 'throttles' });

export const invocationsOf = ({ lambda }: PipelineFunction, period: Duration = fiveMinutes): IMetric =>
  lambda.metricInvocations({ ...sum, period, label: 'invocations' });

/** Age of the stream records that the function processes, in milliseconds. */
export const iteratorAgeOf = ({ lambda }: PipelineFunction): IMetric =>
  lambda.metric('IteratorAge', { ...maximum, label: 'iterator age' });

/** In milliseconds. */
export const longestInvocationOf = ({ lambda }: PipelineFunction): IMetric =>
  lambda.metricDuration({ ...maximum, label: 'longest' });

/** Invocations that recursive loop detection stopped. */
export const recursiveInvocationsOf = ({ lambda }: PipelineFunction): IMetric =>
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
