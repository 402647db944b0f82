// Metric lines in the embedded metric format, as CloudWatch reads them.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMetrics, type Metrics } from '#shared/runtime/metrics.ts';

let lines: string[];

beforeEach(() => {
  lines = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    lines.push(String(chunk));
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

function flushed(collect: (metrics: Metrics) => void): Record<string, unknown>[] {
  const metrics = createMetrics({ service: 'submit', namespace: 'simporter/test' });
  collect(metrics);
  metrics.flush();
  return lines.map((line) => JSON.parse(line));
}

test('counts are added up to one value, with the namespace and the service', () => {
  const entries = flushed((metrics) => {
    metrics.count('requestsCreated');
    metrics.count('requestsCreated', 4);
    metrics.count('rows', 500);
  });

  expect(entries).toMatchObject([
    {
      service: 'submit',
      requestsCreated: 5,
      rows: 500,
      _aws: {
        CloudWatchMetrics: [
          {
            Namespace: 'simporter/test',
            Dimensions: [['service']],
            Metrics: [
              { Name: 'requestsCreated', Unit: 'Count' },
              { Name: 'rows', Unit: 'Count' },
            ],
          },
        ],
      },
    },
  ]);
});

test('a gauge has its last value, in its unit', () => {
  const entries = flushed((metrics) => {
    metrics.gauge('syncStaleness', 90);
    metrics.gauge('syncStaleness', 30);
  });

  expect(entries).toMatchObject([
    { syncStaleness: 30, _aws: { CloudWatchMetrics: [{ Metrics: [{ Name: 'syncStaleness', Unit: 'Seconds' }] }] } },
  ]);
});

test('each set of dimensions is a separate line', () => {
  const entries = flushed((metrics) => {
    metrics.count('imports', 1, { state: 'planned' });
    metrics.count('imports', 1, { state: 'planned' });
    metrics.count('imports', 1, { state: 'rejected' });
    metrics.count('rows');
  });

  expect(entries.map((entry) => [entry.state, entry.imports ?? entry.rows])).toEqual([
    ['planned', 2],
    ['rejected', 1],
    [undefined, 1],
  ]);
});

test('a flush writes each value once, and nothing without values', () => {
  const metrics = createMetrics({ service: 'sync' });
  metrics.count('rows');
  metrics.flush();
  metrics.flush();

  expect(lines).toHaveLength(1);
});
