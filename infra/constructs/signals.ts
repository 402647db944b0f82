// What the stages tell of themselves: their own metrics, by the names under which functions count them, and Lambda's.
import type { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { MetricName } from '#shared/runtime/metrics.ts';
import type { FunctionName } from '../bundle.ts';
import { metricsNamespace, type StageConfiguration } from '../config.ts';
import { fiveMinutes } from './alarms.ts';
import type { PipelineFunction } from './pipeline-function.ts';

/** Finds the metrics of one stage's functions. */
export class Signals {
  readonly namespace: string;

  constructor(configuration: StageConfiguration) {
    this.namespace = metricsNamespace(configuration);
  }

  /** How often it was counted within the period. */
  counted(service: FunctionName, name: MetricName, period = fiveMinutes): Metric {
    return this.metric(service, name, 'Sum', period);
  }

  /** The worst reading within the period. */
  reading(service: FunctionName, name: MetricName): Metric {
    return this.metric(service, name, 'Maximum', fiveMinutes);
  }

  /**
   * The same count of all stages as one figure. A query, because a sum of metrics has no value as long as one of them was never
   * counted, and an alarm over it would sleep through the first duplicate.
   */
  countedAnywhere(name: MetricName): IMetric {
    return new MathExpression({
      expression: `SELECT SUM(${name}) FROM SCHEMA("${this.namespace}", service)`,
      usingMetrics: {},
      label: name,
      period: fiveMinutes,
    });
  }

  /** One line for each state in which an import was left. */
  importsByState(): IMetric {
    return new MathExpression({
      expression: `SEARCH('{${this.namespace},service,state} MetricName="imports"', 'Sum')`,
      usingMetrics: {},
      label: '',
      period: fiveMinutes,
    });
  }

  private metric(service: FunctionName, metricName: MetricName, statistic: string, period: Duration): Metric {
    const dimensionsMap = { service };
    return new Metric({ namespace: this.namespace, metricName, dimensionsMap, statistic, period, label: metricName });
  }
}

const ofFunction = { period: fiveMinutes };

export const errorsOf = ({ lambda }: PipelineFunction): IMetric =>
  lambda.metricErrors({ ...ofFunction, statistic: 'Sum', label: 'errors' });

export const throttlesOf = ({ lambda }: PipelineFunction): IMetric =>
  lambda.metricThrottles({ ...ofFunction, statistic: 'Sum', label: 'throttles' });

export const runsOf = ({ lambda }: PipelineFunction, period = fiveMinutes): IMetric =>
  lambda.metricInvocations({ period, statistic: 'Sum', label: 'invocations' });

/** Milliseconds by which the function's reading of its stream is behind. */
export const behindOf = ({ lambda }: PipelineFunction): IMetric =>
  lambda.metric('IteratorAge', { ...ofFunction, statistic: 'Maximum', label: 'behind' });

/** Milliseconds of the longest invocation. */
export const longestOf = ({ lambda }: PipelineFunction): IMetric =>
  lambda.metricDuration({ ...ofFunction, statistic: 'Maximum', label: 'longest' });
