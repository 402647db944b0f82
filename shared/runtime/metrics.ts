// Business metrics in the embedded metric format: CloudWatch makes metrics of log lines, so that counting costs no call.
import { MetricUnit, Metrics as PowertoolsMetrics } from '@aws-lambda-powertools/metrics';

/** Every metric there is, with its unit. Alarms and dashboards are built from these names. */
export const metricUnits = {
  imports: MetricUnit.Count,
  rows: MetricUnit.Count,
  rowsRejected: MetricUnit.Count,
  /** Good rows that were taken out of their request before it was sent, or because the service named them. */
  rowsWithdrawn: MetricUnit.Count,
  requestsCreated: MetricUnit.Count,
  requestsRefused: MetricUnit.Count,
  requestsUnknown: MetricUnit.Count,
  duplicates: MetricUnit.Count,
  attention: MetricUnit.Count,
  unknownStatus: MetricUnit.Count,
  /** Things that the service would not show while it answers otherwise: each is looked at again later. */
  leftForLater: MetricUnit.Count,
  /** Items of our own that cannot be read back. */
  unreadableItems: MetricUnit.Count,
  /** Times that the service asked for fewer calls. */
  pauses: MetricUnit.Count,
  /** For how many seconds no call has come to anything; 0 while the service is well. */
  serviceDown: MetricUnit.Seconds,
  /** Seconds since the sync last caught up. */
  syncStaleness: MetricUnit.Seconds,
  /** Age in seconds of the oldest request that has not ended. */
  oldestUnfinished: MetricUnit.Seconds,
} as const;
export type MetricName = keyof typeof metricUnits;

/** Few values each: every combination of them is a metric of its own, and paid for. Never a number or an id. */
export type MetricDimensions = Readonly<Record<string, string>>;

export interface Metrics {
  /** Adds to what was counted since the last flush. @default value 1 */
  count(name: MetricName, value?: number, dimensions?: MetricDimensions): void;
  /** A reading: the last one before the flush stands. */
  gauge(name: MetricName, value: number, dimensions?: MetricDimensions): void;
  /** Writes and forgets what was collected; call it at the end of each invocation. Writes nothing where nothing was. */
  flush(): void;
}

export interface MetricsSettings {
  /** @default - the variable POWERTOOLS_METRICS_NAMESPACE, which tells stages apart */
  readonly namespace?: string;
  /** The pipeline stage: ingest, submit, sync, report. Stands as the dimension `service` on every metric. */
  readonly service: string;
}

interface Batch {
  readonly dimensions: MetricDimensions;
  readonly values: Map<MetricName, number>;
}

export function createMetrics({ namespace, service }: MetricsSettings): Metrics {
  const writer = new PowertoolsMetrics({ serviceName: service, ...(namespace === undefined ? {} : { namespace }) });
  const batches = new Map<string, Batch>();

  const valuesFor = (dimensions: MetricDimensions): Map<MetricName, number> => {
    const key = JSON.stringify(Object.entries(dimensions).sort());
    const batch = batches.get(key) ?? { dimensions, values: new Map() };
    batches.set(key, batch);
    return batch.values;
  };

  return {
    count: (name, value = 1, dimensions = {}) => {
      const values = valuesFor(dimensions);
      values.set(name, (values.get(name) ?? 0) + value);
    },
    gauge: (name, value, dimensions = {}) => {
      valuesFor(dimensions).set(name, value);
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
