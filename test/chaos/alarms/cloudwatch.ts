// CloudWatch as far as alarms need it: the values of metrics, and the arithmetic of an alarm as the template has it.
import * as z from 'zod';
import { formatValue } from '#local/template/references.ts';
import { type Properties, resourcesOf, type Template } from '../../support/infra/checks/read-template.ts';

export interface Metric {
  readonly namespace: string;
  readonly name: string;
  /** References of the template are texts such as `<IngestFunction>`. */
  readonly dimensions: Readonly<Record<string, string>>;
}

export interface MetricStore {
  put(metric: Metric, value: number, at: number): void;
  /** The values from `from` (inclusive) to `to`. */
  values(metric: Metric, from: number, to: number): readonly number[];
  /** Every metric that has a value. */
  metrics(): readonly Metric[];
}

/** An alarm reads the same metric every minute. */
const keys = new WeakMap<Metric, string>();
function keyOf(metric: Metric): string {
  const { namespace, name, dimensions } = metric;
  const key = keys.get(metric) ?? JSON.stringify([namespace, name, Object.entries(dimensions).sort()]);
  keys.set(metric, key);
  return key;
}

export function createMetricStore(): MetricStore {
  const series = new Map<string, { readonly metric: Metric; readonly points: { at: number; value: number }[] }>();
  return {
    put: (metric, value, at) => {
      const key = keyOf(metric);
      const found = series.get(key) ?? { metric, points: [] };
      series.set(key, found);
      found.points.push({ at, value });
    },
    values: (metric, from, to) =>
      (series.get(keyOf(metric))?.points ?? []).filter(({ at }) => at >= from && at < to).map(({ value }) => value),
    metrics: () => [...series.values()].map(({ metric }) => metric),
  };
}

export interface Alarm {
  readonly name: string;
  readonly periodMs: number;
  readonly evaluationPeriods: number;
  readonly datapointsToAlarm: number;
  readonly isBreaching: (value: number) => boolean;
  readonly isMissingDataBreaching: boolean;
  /** What it measures; undefined where there is no data. */
  readonly read: (store: MetricStore, from: number, to: number) => number | undefined;
  /** The metrics that it reads. Those of a query with `SCHEMA` have exactly these dimensions, with any value. */
  readonly metrics: readonly Metric[];
}

const reduceAs: Readonly<Record<string, (values: readonly number[]) => number>> = {
  Sum: (values) => values.reduce((sum, value) => sum + value, 0),
  Maximum: (values) => Math.max(...values),
  Minimum: (values) => Math.min(...values),
  SampleCount: (values) => values.length,
};

const comparisons: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  GreaterThanThreshold: (value, threshold) => value > threshold,
  LessThanThreshold: (value, threshold) => value < threshold,
};

const dimensions = z
  .array(z.object({ Name: z.string(), Value: z.unknown() }))
  .transform((list) => Object.fromEntries(list.map(({ Name, Value }) => [Name, formatValue(Value)])));
const metricShape = z.object({ Namespace: z.string(), MetricName: z.string(), Dimensions: dimensions });
const query = /^SELECT SUM\((\w+)\) FROM SCHEMA\("([^"]+)", (\w+)\)$/;

/** Every alarm of the template. @throws Error for one whose arithmetic this file does not know */
export const alarmsOf = (template: Template): readonly Alarm[] =>
  resourcesOf(template, 'AWS::CloudWatch::Alarm').map(([, properties]) => alarmOf(properties));

function alarmOf(properties: Properties): Alarm {
  const { AlarmName, EvaluationPeriods, DatapointsToAlarm, Threshold, ComparisonOperator, TreatMissingData } =
    properties;
  const compare = comparisons[ComparisonOperator];
  if (compare === undefined || !/^(notB|b)reaching$/.test(TreatMissingData)) {
    throw new Error(`the arithmetic of ${AlarmName} is not known`);
  }
  return {
    name: AlarmName,
    evaluationPeriods: EvaluationPeriods,
    datapointsToAlarm: DatapointsToAlarm,
    isBreaching: (value) => compare(value, Threshold),
    isMissingDataBreaching: TreatMissingData === 'breaching',
    ...measureOf(properties),
  };
}

function measureOf(properties: Properties): Pick<Alarm, 'periodMs' | 'read' | 'metrics'> {
  const [single, ...others] = properties.Metrics ?? [{ MetricStat: { ...properties, Metric: properties } }];
  if (others.length > 0) throw new Error(`${properties.AlarmName} reads several metrics`);
  const { Expression, Period, MetricStat: stat } = single;
  if (Expression !== undefined) {
    const [, name = '', namespace = '', dimension = ''] = query.exec(Expression) ?? [];
    if (name === '') throw new Error(`the expression ${Expression} is not known`);
    return { periodMs: Period * 1000, ...sumBySchema({ namespace, name, dimensions: { [dimension]: '*' } }) };
  }
  const { Namespace, MetricName, Dimensions } = metricShape.parse(stat.Metric);
  const metric = { namespace: Namespace, name: MetricName, dimensions: Dimensions };
  const reduce = reduceAs[stat.Stat ?? stat.Statistic];
  if (reduce === undefined) throw new Error(`the statistic ${stat.Stat ?? stat.Statistic} is not known`);
  return {
    periodMs: stat.Period * 1000,
    metrics: [metric],
    read: (store, from, to) => {
      const values = store.values(metric, from, to);
      return values.length === 0 ? undefined : reduce(values);
    },
  };
}

/** Metrics Insights: every metric of this name with exactly these dimensions, whatever their values. */
function sumBySchema(metric: Metric): Pick<Alarm, 'read' | 'metrics'> {
  const names = Object.keys(metric.dimensions).join();
  const isMeant = ({ namespace, name, dimensions: each }: Metric): boolean =>
    namespace === metric.namespace && name === metric.name && Object.keys(each).sort().join() === names;
  return {
    metrics: [metric],
    read: (store, from, to) => {
      const values = store
        .metrics()
        .filter(isMeant)
        .flatMap((each) => store.values(each, from, to));
      return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
    },
  };
}

/**
 * Whether the alarm fires at this time: of its last periods, which slide, so many breach. A period without data counts
 * as the alarm treats missing data. (CloudWatch also looks at earlier periods where some are missing: an alarm that
 * needs that would depend on a range that is not documented; one on missing data may fire later.)
 */
export function isFiring(alarm: Alarm, store: MetricStore, at: number): boolean {
  const { periodMs, evaluationPeriods, datapointsToAlarm, isBreaching, isMissingDataBreaching, read } = alarm;
  let breaching = 0;
  for (let back = 0; back < evaluationPeriods; back += 1) {
    const value = read(store, at - (back + 1) * periodMs, at - back * periodMs);
    if (value === undefined ? isMissingDataBreaching : isBreaching(value)) breaching += 1;
  }
  return breaching >= datapointsToAlarm;
}

const minute = 60_000;

/** When each alarm fires first in this time, by its name. CloudWatch evaluates an alarm once a minute. */
export function firstFirings(
  alarms: readonly Alarm[],
  store: MetricStore,
  { from, to }: { readonly from: number; readonly to: number },
): ReadonlyMap<string, number> {
  const fired = new Map<string, number>();
  for (const alarm of alarms) {
    for (let at = from; at <= to && !fired.has(alarm.name); at += minute) {
      if (isFiring(alarm, store, at)) fired.set(alarm.name, at);
    }
  }
  return fired;
}
