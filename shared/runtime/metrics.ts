// Business metrics in the embedded metric format: CloudWatch makes metrics of log lines, so that counting costs no call.

/** Every metric there is, with its unit. Alarms and dashboards are built from these names. */
export const metricUnits = {
  imports: 'Count',
  rows: 'Count',
  rowsRejected: 'Count',
  requestsCreated: 'Count',
  requestsRefused: 'Count',
  requestsUnknown: 'Count',
  duplicates: 'Count',
  attention: 'Count',
  unknownStatus: 'Count',
  /** Times that the service asked for fewer calls. */
  pauses: 'Count',
  /** For how many seconds no call has come to anything; 0 while the service is well. */
  serviceDown: 'Seconds',
  /** Seconds since the sync last caught up. */
  syncStaleness: 'Seconds',
  /** Age in seconds of the oldest request that has not ended. */
  oldestUnfinished: 'Seconds',
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
  /** Of all metrics of the deployment; it tells dev from prod. */
  readonly namespace: string;
  /** The pipeline stage: ingest, submit, sync, report. Stands as the dimension `service` on every metric. */
  readonly service: string;
}

interface Batch {
  readonly dimensions: MetricDimensions;
  readonly values: Map<MetricName, number>;
}

export function createMetrics({ namespace, service }: MetricsSettings): Metrics {
  const batches = new Map<string, Batch>();
  const metricLine = (batch: Batch) =>
    embedded(namespace, { service, ...batch.dimensions }, Object.fromEntries(batch.values));

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
      for (const batch of batches.values()) process.stdout.write(`${JSON.stringify(metricLine(batch))}\n`);
      batches.clear();
    },
  };
}

/** One document of CloudWatch's embedded metric format; at most 100 metrics fit, and 30 dimensions. */
const embedded = (namespace: string, dimensions: MetricDimensions, values: Readonly<Record<string, number>>) => ({
  _aws: {
    Timestamp: Date.now(),
    CloudWatchMetrics: [
      {
        Namespace: namespace,
        Dimensions: [Object.keys(dimensions)],
        Metrics: Object.keys(values).map((name) => ({ Name: name, Unit: metricUnits[name as MetricName] })),
      },
    ],
  },
  ...dimensions,
  ...values,
});
