// The names of the tables of reference data.
export const referenceTableNames = [
  'networks',
  'source-networks',
  'holidays',
  'tariffs',
  'bolt-ons',
  'services',
  'provisioning-orders',
  'ip-groups',
  'bundle-sizes',
  'provisioning-templates',
  'companies',
] as const;
export type ReferenceTableName = (typeof referenceTableNames)[number];
