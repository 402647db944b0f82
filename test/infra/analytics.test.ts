// The table and the workgroup for queries of all results.
import { expect, test } from 'vitest';
import { environments } from '#infra/derived-settings.ts';
import { formatValue } from '#local/template/references.ts';
import { analyticsColumns } from '#shared/results/analytics-table.ts';
import { analyticsKey } from '#shared/store/object-keys.ts';
import { resourcesOf, type Template } from '../support/infra/checks/read-template.ts';
import { productionSettings, synthesise } from '../support/infra/template.ts';

const template = synthesise('prod');
const only = (type: string, from: Template = template) => {
  const found = resourcesOf(from, type);
  expect(found).toHaveLength(1);
  return found[0]?.[1];
};

test('the partitions of the table are where report writes the files', () => {
  const { TableInput } = only('AWS::Glue::Table') ?? {};
  const { Parameters, StorageDescriptor, PartitionKeys } = TableInput;
  expect(PartitionKeys.map(({ Name }: { Name: string }) => Name)).toEqual(['operation', 'month']);
  const item = { importId: 'abc', operation: 'create-port', receivedAt: '2026-07-06T09:00:00.000Z' };
  const folder = formatValue(Parameters['storage.location.template'])
    .replace(/\$\{operation\}/, item.operation)
    .replace(/\$\{month\}/, '2026-07');
  expect(`${folder}abc.parquet`).toBe(`s3://<Results>/${analyticsKey(item)}`);
  expect(formatValue(StorageDescriptor.Location)).toBe('s3://<Results>/analytics/');
  expect(Parameters['projection.operation.values'].split(',')).toContain(item.operation);
  expect(Parameters['projection.month.range']).toMatch(/^NOW-\d+MONTHS,NOW$/);
});

test('the columns of the table are those of the files, in lower case', () => {
  const { TableInput } = only('AWS::Glue::Table') ?? {};
  const columns = TableInput.StorageDescriptor.Columns.map(({ Name, Type }: Record<string, string>) => [Name, Type]);
  expect(columns).toEqual(analyticsColumns.map(({ name, type }) => [name, type]));
  expect(columns.filter(([name]: string[]) => !/^[a-z_]+$/.test(name ?? ''))).toEqual([]);
});

test('answers of queries expire after a day, and the other results as before', () => {
  const { WorkGroupConfiguration, Name } = only('AWS::Athena::WorkGroup') ?? {};
  expect(formatValue(WorkGroupConfiguration.ResultConfiguration.OutputLocation)).toBe('s3://<Results>/query-results/');
  const [, results] = resourcesOf(template, 'AWS::S3::Bucket').find(([id]) => id === 'Results') ?? [];
  expect(results?.LifecycleConfiguration.Rules).toMatchObject([
    { ExpirationInDays: environments.prod.retention.resultsDays },
    { ExpirationInDays: 1, Prefix: 'query-results/' },
  ]);
  expect(template.Outputs?.AnalyticsWorkgroup).toEqual({ Value: Name });
  expect(template.Outputs?.AnalyticsDatabase).toEqual({ Value: only('AWS::Glue::Database')?.DatabaseInput.Name });
});

test('without the setting there is nothing of it, and report may not write the files', () => {
  const without = synthesise('prod', { ...productionSettings, analytics: false });
  const types = Object.values(without.Resources).map(({ Type }) => Type);
  expect(types.filter((type) => /Glue|Athena/.test(type))).toEqual([]);
  expect(JSON.stringify(without)).not.toMatch(/analytics\/|query-results|AnalyticsWorkgroup/);
});
