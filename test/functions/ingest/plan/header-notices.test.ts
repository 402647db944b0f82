// The notices about the columns of a file.
import { expect, test } from 'vitest';
import { headerNotices } from '#functions/ingest/plan/file-notices.ts';
import { mapHeader } from '#shared/files/map-header.ts';
import { operations } from '#shared/operations/registry.ts';
import type { OperationName } from '#shared/text/identity.ts';

function noticesOf(name: OperationName, header: readonly string[], defaults: Record<string, string> = {}): string[] {
  const columns = operations.get(name)?.columns ?? [];
  return headerNotices(mapHeader(header, columns, { defaults }), columns, { line: 3, header, samples: [] }).map(
    ({ line, severity, code, message }) => `${line} ${severity} ${code}: ${message}`,
  );
}

test('columns that the operation does not have are one notice', () => {
  expect(noticesOf('bar-service-config', ['iccid', 'network', 'services', 'Depot', '', 'Cost centre'])).toEqual([
    '3 notice HEADER_COLUMNS_NOT_USED: 2 columns are not used, only copied into the results: "Depot", "Cost centre"',
  ]);
  expect(noticesOf('bar-service-config', ['iccid', 'network', 'services', 'Depot'])[0]).toContain(
    '1 column is not used',
  );
});

test('columns with values and without a name are named by their letter, such as those below merged cells', () => {
  const header = ['iccid', 'network', 'services', '', ' ', 'Depot'];
  const columns = operations.get('bar-service-config')?.columns ?? [];
  const samples = [
    ['89', '1', 'x', '', '', ''],
    ['89', '1', 'x', '', '2001', ''],
  ];
  const mapping = { 'column E': 'reference' };
  expect(
    headerNotices(mapHeader(header, columns, { samples, mapping }), columns, { line: 3, header, samples }),
  ).toEqual([
    expect.objectContaining({
      message: '1 column is not used, only copied into the results: "Depot"',
    }),
  ]);
  expect(headerNotices(mapHeader(header, columns, { samples }), columns, { line: 3, header, samples })).toMatchObject([
    {
      code: 'HEADER_COLUMNS_NOT_USED',
      message: '2 columns are not used, only copied into the results: "Depot", column E (it has values and no name)',
    },
  ]);
});

test('many columns are not all named', () => {
  const header = Array.from({ length: 11 }, (_, index) => `Own ${index}`);
  expect(noticesOf('send-sms', header)[0]).toMatch(/: "Own 0", .+"Own 7", and 3 more$/);
});

test('columns that no lookup can check are one notice, also where a default fills them', () => {
  expect(noticesOf('configure-bundle-control', ['iccid', 'allowances'], { zone: 'EU' })).toEqual([
    '3 notice HEADER_COLUMNS_NOT_CHECKED: Not checked: zone, roamingBucketVolumes. ' +
      'The service decides whether the values are valid',
  ]);
  expect(noticesOf('bar', ['iccid', 'gprs', 'mms'])[0]).toContain('Not checked: gprs, mms. The service decides');
  expect(noticesOf('create-bundle', ['bundlePeriod'])[0]).toContain('Not checked: bundlePeriod.');
});

test('a file whose columns are all used and checked has none', () => {
  expect(noticesOf('create-port', ['msisdn', 'pac', 'reference'])).toEqual([]);
});
