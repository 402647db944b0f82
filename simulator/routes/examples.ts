// The examples of the OpenAPI document. Each request succeeds on a new simulator on Monday 6 July 2026.

export const portId = '3f2b8c1e-5a4d-4e6f-9b7a-1c2d3e4f5a6b';
export const ticketNumber = '8d7c6b5a-4f3e-4d2c-8b1a-0f9e8d7c6b5a';

const createRow = {
  groupName: 'Office',
  esim: false,
  msisdn: '07700900123',
  serialNo: '8944110000000000123',
  provisioningOrder: 5001,
  provisioningOrderName: null,
  pac: 'ABC123456',
  tariffId: 2001,
  boltOns: [101],
  services: [{ name: 'Voicemail', value: 'false' }],
};

export const createPort = {
  name: 'Office move',
  targetNetworkId: 11,
  sourceNetworkId: 1,
  connectionDate: '2026-07-08T00:00:00',
  portType: 'Port',
  rows: [createRow],
};

export const updatePort = { Rows: [{ Msisdn: '07700900123', Pac: 'NEW123456', PortRowStatus: 'Amended' }] };

const summary = {
  id: portId,
  name: 'Office move',
  connectionDate: '2026-07-08T00:00:00',
  portType: 1,
  portTypeName: 'Port',
  rowCount: 1,
  status: 6,
  statusName: 'Submitted',
};

export const portList = { total: 1, totalPages: 1, data: [summary] };

export const portDetail = {
  ...summary,
  targetNetworkId: 11,
  targetNetworkName: 'UK Mobile A',
  sourceNetworkId: 1,
  sourceNetworkName: 'Source Mobile One',
  rows: [
    {
      ...createRow,
      id: '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d',
      status: 4,
      statusName: 'Submitted',
      message: null,
      tariffName: 'Business Unlimited',
    },
  ],
};

export const networks = [
  {
    portTypeName: 'Port',
    portType: 1,
    targetNetworks: [
      {
        id: 11,
        name: 'UK Mobile A',
        maxPortDays: 30,
        minPortDays: 1,
        allowEsim: true,
        networkNumber: 101,
        sourceNetworks: [{ id: 1, name: 'Source Mobile One' }],
        upcomingHolidays: ['2026-08-31T00:00:00'],
      },
    ],
  },
];

export const provisioningOrders = [
  {
    number: 5001,
    name: 'Head Office',
    displayName: 'Head Office (5001)',
    isPooled: false,
    isNetworkAccountDefault: true,
    hiremanCurrencyId: 1,
  },
];

export const tariffs = [
  {
    number: 2001,
    name: 'Business Unlimited',
    isLegacy: false,
    requiresDataBoltOn: false,
    supportsFullPooling: false,
  },
];

export const boltOns = [{ number: 101, name: 'Data 1 GB', isDataBoltOn: true, isLegacy: false, isTemporal: false }];

export const ipGroups = [
  {
    id: 1,
    number: 1,
    name: 'Public A',
    startIpAddress: '203.0.113.0',
    endIpAddress: '203.0.113.255',
    totalIpAddresses: 256,
    availableIpAddresses: 200,
  },
];

const voicemail = { name: 'Voicemail', readOnly: false, type: 'Service', availableOptions: ['true', 'false', null] };
export const networkServices = [{ groupName: 'Voice', services: [voicemail] }];
export const simServices = [{ groupName: 'Voice', services: [{ ...voicemail, optionValue: 'true' }] }];

export const bundleSizes = [{ id: 1, name: '1 GB', size: 1024 }];
export const provisioningTemplates = [
  { id: 1, templateName: 'esim-standard', friendlyName: 'Standard', visible: true, premium: false },
];
export const companies = { result: [{ id: 1, name: 'Northwind Telematics Ltd' }], totalCount: 1, count: 1 };

export const provision = {
  stock: [{ serialNumber: '89440010110010000302', msisdn: '07700900456' }],
  tariffNumber: 2001,
  boltOns: [101],
  provisioningOrderNumber: 5001,
};

export const changeProvision = {
  stock: [{ serialNumber: '89440010110010000104' }],
  tariffNumber: 2002,
  provisioningOrderNumber: 5001,
};

export const barServiceConfig = {
  serialNumbers: ['89440010110010000104'],
  services: [{ name: 'Roaming', value: 'false' }],
};

export const sendSms = { serialNumbers: ['89440024010010003104'], message: 'Hello', binary: false };

export const configureBundleControl = {
  serialNumbers: ['89440040110010001304'],
  zone: 'EU',
  bundleControlPeriod: 'monthly',
  sizeMb: 500,
  startDate: '2026-07-06T00:00:00',
  endDate: null,
  bundleControlEndAction: 'throttle',
};

export const bar = {
  type: 'bar',
  commands: [
    {
      serialNumbers: ['89440010110010000104'],
      commandOptions: { type: 'vendor-detailed-bar', international: true },
    },
  ],
};
