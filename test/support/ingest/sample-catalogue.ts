// A catalogue in memory with every name of the generated files: ingest is measured without a network.
import type { LookupClient } from '#shared/operations/catalogue.ts';

const sourceNetworks = [
  { id: 1, name: 'Source Mobile One' },
  { id: 2, name: 'Source Mobile Two' },
  { id: 3, name: 'Source Mobile Three' },
];

const target = (id: number, name: string, networkNumber: number) => ({
  id,
  name,
  networkNumber,
  minPortDays: 2,
  maxPortDays: 30,
  allowEsim: true,
  sourceNetworks,
  upcomingHolidays: [],
});

const networkB = 21;

const setting = (name: string, type: 'Service' | 'Bar') => ({
  name,
  type,
  readOnly: false,
  availableOptions: ['true', 'false'],
});

const services = [
  setting('Roaming', 'Service'),
  setting('Data Roaming', 'Service'),
  setting('Voicemail', 'Service'),
  setting('Premium Rate Calls', 'Bar'),
];

const tariffsOfA = [
  { number: 2001, name: 'Business 10' },
  { number: 2002, name: 'Business Unlimited' },
];

const tariffsOfB = [
  { number: 3101, name: 'Mobile B Basic' },
  { number: 3102, name: 'Mobile B Plus' },
];

const notGenerated = () => Promise.reject(new Error('generated files do not need this lookup'));

export const sampleCatalogue: LookupClient = {
  networks: async () => [
    {
      portTypeName: 'Port',
      portType: 1,
      targetNetworks: [target(11, 'UK Mobile A', 20), target(12, 'UK Mobile B', networkB)],
    },
  ],
  tariffs: async (networkNumber) =>
    networkNumber === networkB
      ? { tariffs: tariffsOfB, hasAttributes: false }
      : { tariffs: tariffsOfA, hasAttributes: true },
  provisioningOrders: async (networkNumber) =>
    networkNumber === networkB ? 'not-available' : [{ number: 5001, name: 'Head Office' }],
  boltOns: async (tariffNumber) =>
    tariffNumber >= 3000
      ? []
      : [101, 102, 103, 104, 105].map((number) => ({ number, name: `Data ${number}`, isDataBoltOn: true })),
  networkServices: async () => [{ groupName: 'All', services }],
  publicIpGroups: notGenerated,
  staticIpGroups: notGenerated,
  bundleSizes: notGenerated,
  provisioningTemplates: notGenerated,
  companies: notGenerated,
  simServices: notGenerated,
  port: notGenerated,
};
