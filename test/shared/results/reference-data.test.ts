// The values of a template: one row for each family of networks, whatever families the service has.
import { expect, test } from 'vitest';
import { operations } from '#shared/operations/registry.ts';
import { type ReferenceTables, templateValues } from '#shared/results/reference-data.ts';

const network = (networkNumber: string, family: string) => ({
  portType: 'Port',
  targetNetwork: `Network ${networkNumber}`,
  networkNumber,
  family,
});
const tables = {
  networks: [network('201', 'B'), network('301', 'C'), network('101', 'A'), network('102', 'A')],
  tariffs: ['101', '102', '201', '301'].map((networkNumber) => ({ networkNumber, tariff: `Of ${networkNumber}` })),
  'source-networks': [],
  'bolt-ons': [],
  services: [],
  'provisioning-orders': [],
} as unknown as ReferenceTables;

test('a template has a row for each family of networks, Type-A first', () => {
  const columns = operations.get('create-port')?.columns ?? [];
  expect(templateValues(tables, columns).map(({ tariff }) => tariff)).toEqual(['Of 101', 'Of 201', 'Of 301']);
});
