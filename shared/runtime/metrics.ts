// Business metrics in the embedded metric format: CloudWatch reads them from log lines, so counting costs no call.
import { MetricUnit, Metrics as PowertoolsMetrics } from '@aws-lambda-powertools/metrics';

/** Every metric with its unit. Alarms and dashboards use these names. */
export const metricUnits = {
  imports: MetricUnit.Count,
  rows: MetricUnit.Count,
  rowsRejected: MetricUnit.Count,
  /** Rows that were skipped before their request was sent, or because the service declined them by name. */
  rowsSkipped: MetricUnit.Count,
  requestsCreated: MetricUnit.Count,
  requestsDeclined: MetricUnit.Count,
  requestsUnknown: MetricUnit.Count,
  /** Requests for which action is required: the service does not show whether it executed them. */
  requestsUnresolved: MetricUnit.Count,
  duplicates: MetricUnit.Count,
  actionRequired: MetricUnit.Count,
  unknownStatus: MetricUnit.Count,
  /** Ports and SIMs that could not be read while the service answers other calls: they are read again later. */
  deferred: MetricUnit.Count,
  /** Items of the results table that cannot be read. */
  unreadableItems: MetricUnit.Count,
  /** Tasks of sync that failed; the log has their names. The next run does them again. */
  failedTasks: MetricUnit.Count,
  /** Times that the service asked for fewer calls. */
  pauses: MetricUnit.Count,
  /** How long no call has succeeded, because the service is down or limits every call; 0 while it answers. */
  serviceDown: MetricUnit.Seconds,
  /** How long the longest waiting port has been due. */
  syncStaleness: MetricUnit.Seconds,
  /** How long the oldest request has been unsent, without known outcome, or without a reading of its port. */
  oldestUnfinished: MetricUnit.Seconds,
} as const;
export type MetricName = keyof typeof metricUnits;

/**
 * The dimensions of these metrics beside `service`. Few values each, never a number or an id: every combination is a
 * metric that costs money. An alarm or graph that leaves one out has no data.
 */
export const metricDimensions = { imports: ['state'] } as const satisfies Partial<
  Record<MetricName, readonly string[]>
>;
type Dimensioned = keyof typeof metricDimensions;
type DimensionsOf<Name extends Dimensioned> = Readonly<Record<(typeof metricDimensions)[Name][number], string>>;
/** Metrics with the dimension `service` alone. */
export type PlainMetric = Exclude<MetricName, Dimensioned>;

export interface Metrics {
  /** Adds to the count since the last flush. @default value 1 */
  count(name: PlainMetric, value?: number): void;
  count<Name extends Dimensioned>(name: Name, value: number, dimensions: DimensionsOf<Name>): void;
  /** Sets a value: the last one before the flush counts. */
  gauge(name: PlainMetric, value: number): void;
  /** Writes what was collected since the last flush, if anything. Called at the end of each invocation. */
  flush(): void;
}

export interface MetricsSettings {
  /** @default - the variable POWERTOOLS_METRICS_NAMESPACE, which differs between environments */
  readonly namespace?: string;
  /** The step of the pipeline: the dimension `service` of every metric. */
  readonly service: string;
}

interface Batch {
  readonly dimensions: Readonly<Record<string, string>>;
  readonly values: Map<MetricName, number>;
}

export function createMetrics({ namespace, service }: MetricsSettings): Metrics {
  const writer = new PowertoolsMetrics({ serviceName: service, ...(namespace === undefined ? {} : { namespace }) });
  const batches = new Map<string, Batch>();

  const valuesFor = (dimensions: Batch['dimensions']): Map<MetricName, number> => {
    const key = JSON.stringify(Object.entries(dimensions).sort());
    const batch = batches.get(key) ?? { dimensions, values: new Map() };
    batches.set(key, batch);
    return batch.values;
  };

  return {
    count: (name: MetricName, value = 1, dimensions: Batch['dimensions'] = {}) => {
      const values = valuesFor(dimensions);
      values.set(name, (values.get(name) ?? 0) + value);
    },
    gauge: (name, value) => {
      valuesFor({}).set(name, value);
    },
    flush: () => {
      for (const batch of batches.values()) write(writer, batch);
      batches.clear();
    },
  };
}

function write(writer: PowertoolsMetrics, { dimensions, values }: Batch): void {
  if (Object.keys(dimensions).length > 0) writer.addDimensions({ ...dimensions });
  for (const [name, value] of values) writer.addMetric(name, metricUnits[name], value);
  writer.publishStoredMetrics();
}
