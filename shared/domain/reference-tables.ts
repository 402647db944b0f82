// The names of the tables of reference data.
export const referenceTableNames = [
  'networks',
  'source-networks',
  'holidays',
  'tariffs',
  'bolt-ons',
  'services',
  'provisioning-orders',
] as const;
export type ReferenceTableName = (typeof referenceTableNames)[number];
