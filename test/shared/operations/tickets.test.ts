// The operations on SIMs: rules about more than one row.
import { describe, expect, test } from 'vitest';
import { ImportUniqueness } from '#functions/ingest/validate/duplicate-index.ts';
import { mapHeader } from '#shared/files/map-header.ts';
import { bar, barServiceConfig, unbar } from '#shared/operations/bars.ts';
import { configureBundleControl, createBundle } from '#shared/operations/bundles.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { changeProvision, provision } from '#shared/operations/provision.ts';
import { sendSms } from '#shared/operations/send-sms.ts';
import { countedLookups, rowsContext } from '../../support/ingest/catalogue.ts';
import {
  binary,
  bundle,
  change,
  control,
  flags,
  provisionTypeA,
  provisionTypeB,
  rules,
  serialNumber,
  settings,
  text,
} from '../../support/ingest/operation-cells.ts';
import { type Cells, callOf, checkRow, plannedOf } from '../../support/ingest/operation-rows.ts';

test('bundle control is available on the French networks by default', async () => {
  const { findings, errors } = await checkRow(configureBundleControl, control);
  expect(errors).toEqual(['network NETWORK_NOT_SUPPORTED']);
  expect(findings[0]?.message).toBe(
    'Bundle control is not available on Network A. It is available on French LMVNO and French M2M',
  );
});

test('bundles may start up to a month ago, clamped to the end of a shorter month', async () => {
  const startsOn = async (startDate: string, now: string) => {
    const context = { ...rules(), calendar: () => Date.parse(now) };
    return (await checkRow(configureBundleControl, { ...control, startDate }, context)).errors;
  };
  expect(await startsOn('2027-02-28', '2027-03-31T23:59:59Z')).toEqual([]);
  expect(await startsOn('2027-02-27', '2027-03-31T23:59:59Z')).toEqual(['startDate DATE_TOO_EARLY']);
});

test.each([bar, unbar])('$name warns that the service will remove it, and names the replacement', async (operation) => {
  const { findings } = await checkRow(operation, flags);
  expect(findings).toMatchObject([{ column: null, code: 'OPERATION_LEGACY', severity: 'warning' }]);
  expect(findings[0]?.message).toMatch(/bar-service-config/);
});

test.each([bar, unbar])(
  '$name reports a flag that cannot be read, and not that no flag is chosen',
  async (operation) => {
    const { errors } = await checkRow(operation, { serialNumber, gprs: 'off', premium: '' });
    expect(errors).toEqual(['gprs CELL_NOT_A_BOOLEAN']);
  },
);

test('the columns of a request for SIMs are known by their usual short names', () => {
  const { indexes, extras } = mapHeader(['ICCID', 'Network', 'Tariff', 'Add-ons', 'PO'], provision.columns);
  expect(extras).toEqual([]);
  expect([...indexes.keys()].slice(3)).toEqual(['boltOns', 'purchaseOrderNumber']);
});

test('a SIM may be in a file once, and so may a number', async () => {
  const context = rules();
  await checkRow(provision, { ...provisionTypeA, msisdn: '07700900123' }, context);
  context.line = 7;
  const again = await checkRow(provision, { ...provisionTypeA, msisdn: '+447700900123' }, context);
  expect(again.errors).toEqual(['serialNumber ICCID_DUPLICATE_IN_FILE', 'msisdn MSISDN_DUPLICATE_IN_FILE']);
  expect(again.findings[0]?.message).toMatch(/already on line 2/);
});

test('all errors of a row are found at once', async () => {
  const cells = { ...control, serialNumber: '1', zone: '', bundleControlPeriod: 'x', startDate: 'y', network: 'z' };
  expect((await checkRow(configureBundleControl, cells)).errors).toEqual([
    'zone CELL_REQUIRED',
    'bundleControlPeriod CELL_NOT_ONE_OF',
    'startDate DATE_SHAPE',
    'network NETWORK_UNKNOWN',
    'serialNumber ICCID_SHAPE',
  ]);
});

test('rows with equal options share a group, however the options are written', async () => {
  const keyOf = async (cells: Cells) => (await checkRow(provision, cells)).shape?.head;
  const key = await keyOf({ ...provisionTypeA, boltOns: '101;102' });
  expect(await keyOf({ ...provisionTypeA, network: '101', tariffNumber: 'Unlimited', boltOns: 'Minutes;101' })).toBe(
    key,
  );
  expect(await keyOf({ ...provisionTypeA, boltOns: '101' })).not.toBe(key);
});

test('a text may have 160 characters', async () => {
  expect((await checkRow(sendSms, { ...text, message: 'x'.repeat(160) })).errors).toEqual([]);
});

test('what is texted is not what the request is called', async () => {
  expect((await checkRow(sendSms, text)).shape?.label).toBe('Text of 7 characters to IoT M2M-O');
});

test('a new order that exists by the time of the call is named by its number', async () => {
  const context = rules();
  const cells = { ...provisionTypeA, newProvisioningOrderName: 'Depot' };
  const request = await plannedOf(provision, [cells], context);
  expect(await provision.submission.revalidate(request, context)).toEqual({ send: request });
  context.lookups.orders.push({ number: 5009, name: 'Depot' });
  const rechecked = await provision.submission.revalidate(request, context);
  if (!('send' in rechecked)) throw new Error('declined');
  expect((await callOf(provision, rechecked.send)).body).toEqual({
    stock: [{ serialNumber }],
    tariffNumber: 2001,
    provisioningOrderNumber: 5009,
  });
});

test('bundle control takes a SIM once for each zone', async () => {
  let line = 1;
  const context = { ...rules(), uniqueness: new ImportUniqueness(() => line) };
  const inZone = async (zone: string) => {
    line += 1;
    return (await checkRow(configureBundleControl, { ...control, zone }, context)).findings.map(
      ({ message }) => message,
    );
  };
  expect((await inZone('EU')).join()).not.toContain('already on line');
  expect((await inZone('WORLD')).join()).not.toContain('already on line');
  expect((await inZone('eu')).join()).toContain('is already on line 2 with the zone eu');
});

test('a network that has one number under two names is known by both', async () => {
  const context = rules();
  const [port, migration] = context.lookups.types;
  const renamed = migration?.targetNetworks.map((network) => ({ ...network, id: 21, name: 'Network A by migration' }));
  context.lookups.types.splice(
    0,
    3,
    ...(port && migration && renamed ? [port, { ...migration, targetNetworks: renamed }] : []),
  );
  for (const network of ['Network A', 'Network A by migration', '101']) {
    expect((await checkRow(provision, { ...provisionTypeA, network }, context)).errors).toEqual([]);
  }
});

test('a name that two items have names none of them, and the message lists their numbers', async () => {
  const template = { templateName: 'esim', friendlyName: 'Europe', visible: true, premium: false };
  const catalogue = createCatalogue({
    ...countedLookups(),
    provisioningTemplates: async () => [
      { ...template, id: 11 },
      { ...template, id: 12, templateName: 'esim-premium', premium: true },
    ],
    tariffs: async () => ({
      tariffs: [2001, 2004].map((number) => ({ number, name: 'Unlimited' })),
      hasAttributes: true,
    }),
    provisioningOrders: async () => [5001, 5002].map((number) => ({ number, name: 'Head Office' })),
  });
  const context = rowsContext({ catalogue });
  const { errors, findings } = await checkRow(createBundle, bundle, context);
  expect(errors).toEqual(['provisioningTemplateId TEMPLATE_UNKNOWN']);
  expect(findings[0]?.message).toBe(
    '2 provisioning templates on Network A are named "Europe". Use one of Europe (11), Europe (12), by its number',
  );
  expect(
    (await checkRow(createBundle, { ...bundle, provisioningTemplateId: '12' }, rowsContext({ catalogue }))).errors,
  ).toEqual([]);
  const twins = { ...provisionTypeA, tariffNumber: 'Unlimited', provisioningOrderNumber: 'Head Office' };
  expect((await checkRow(changeProvision, twins, rowsContext({ catalogue }))).errors).toEqual([
    'tariffNumber TARIFF_UNKNOWN',
    'provisioningOrderNumber PROVISIONING_ORDER_UNKNOWN',
  ]);
});

// The operations on SIMs: the call of a valid row.
describe('a valid row becomes a call', () => {
  test.each<[string, Operation, Cells, string, unknown]>([
    [
      'a tariff alone',
      provision,
      provisionTypeA,
      '/api/simSubmission/Provision',
      { stock: [{ serialNumber }], tariffNumber: 2001 },
    ],
    [
      'everything that Type-A takes',
      provision,
      {
        ...provisionTypeA,
        msisdn: '+44 7700 900123',
        tariffNumber: 'Voice',
        boltOns: 'Data 1 GB;109;Public IP Group',
        newProvisioningOrderName: 'DepotNorth',
        publicIpGroupId: 'London public',
        staticIpGroupId: '41',
        purchaseOrderNumber: 'PO-1; PO-2',
      },
      '/api/simSubmission/Provision',
      {
        stock: [{ serialNumber, msisdn: '07700900123' }],
        tariffNumber: 2002,
        boltOns: [101, 108, 109],
        createNewProvisioningOrder: true,
        newProvisioningOrderName: 'DepotNorth',
        publicIpGroupId: 31,
        staticIpGroupId: 41,
        purchaseOrderNumber: 'PO-1,PO-2',
      },
    ],
    [
      'a Type-B network with a purchase order',
      provision,
      { ...provisionTypeB, purchaseOrderNumber: 'PO-1', createNewProvisioningOrder: 'false' },
      '/api/simSubmission/Provision',
      { stock: [{ serialNumber }], tariffNumber: 3001, purchaseOrderNumber: 'PO-1' },
    ],
    [
      'an existing order by name',
      changeProvision,
      { ...change, provisioningOrderNumber: 'Field Pool' },
      '/api/simSubmission/ChangeProvision',
      { stock: [{ serialNumber }], tariffNumber: 2001, provisioningOrderNumber: 5002 },
    ],
    [
      'a Type-B network, which has no orders to name',
      changeProvision,
      provisionTypeB,
      '/api/simSubmission/ChangeProvision',
      { stock: [{ serialNumber }], tariffNumber: 3001 },
    ],
    [
      'settings in plain words',
      barServiceConfig,
      settings,
      '/api/simSubmission/BarServiceConfig',
      {
        serialNumbers: [serialNumber],
        services: [
          { name: 'Premium', value: 'false' },
          { name: 'Roaming', value: 'true' },
        ],
      },
    ],
    [
      'a text of two lines',
      sendSms,
      { ...text, network: 'GDSP network', message: 'one\ntwo' },
      '/api/simSubmission/SendSms',
      { serialNumbers: [serialNumber], message: 'one\ntwo' },
    ],
    [
      'a binary message',
      sendSms,
      { ...binary, protocolId: '0', dataCodingScheme: '255', userDataHeader: '0605' },
      '/api/simSubmission/SendSms',
      {
        serialNumbers: [serialNumber],
        message: '0A1B',
        binary: true,
        protocolId: 0,
        dataCodingScheme: 255,
        userDataHeader: '0605',
      },
    ],
    [
      'a bundle, named after the request',
      createBundle,
      bundle,
      '/api/simSubmission',
      {
        type: 'vendor-create-bundle',
        name: 'the name of the request',
        commands: [
          {
            serialNumbers: [serialNumber],
            commandOptions: {
              type: 'vendor-create-bundle',
              startDate: '2026-07-01T00:00:00',
              bundleSizeMb: 1024,
              bundlePeriod: 'monthly',
              provisioningTemplateId: 11,
            },
          },
        ],
      },
    ],
    [
      'controlled bundles with allowances',
      configureBundleControl,
      {
        ...control,
        endDate: '2026-07-31 23:59:59Z',
        roamingBucketVolumes: 'WORLD=1;EU = 500',
        submissionName: 'July',
      },
      '/api/simsubmission/ConfigureBundleControl',
      {
        name: 'July',
        serialNumbers: [serialNumber],
        zone: 'EU',
        bundleControlPeriod: 'oneOff',
        sizeMb: 100,
        startDate: '2026-07-01T00:00:00',
        endDate: '2026-07-31T23:59:59',
        bundleControlEndAction: 'cutoff',
        roamingBucketVolumes: [
          { Name: 'EU', AllowanceMB: 500 },
          { Name: 'WORLD', AllowanceMB: 1 },
        ],
      },
    ],
    [
      'bars, with the type of the operation whatever a column says',
      bar,
      { ...flags, gprsRoaming: 'yes', voiceRoaming: 'no', type: 'unbar' },
      '/api/simSubmission',
      {
        type: 'bar',
        commands: [
          {
            serialNumbers: [serialNumber],
            commandOptions: { type: 'vendor-detailed-bar', gprsRoaming: true, premium: true },
          },
        ],
      },
    ],
    [
      'unbars',
      unbar,
      flags,
      '/api/simSubmission',
      {
        type: 'unbar',
        commands: [{ serialNumbers: [serialNumber], commandOptions: { type: 'vendor-detailed-unbar', premium: true } }],
      },
    ],
  ])('%s', async (_, operation, cells, path, body) => {
    expect((await checkRow(operation, cells, rules())).errors).toEqual([]);
    expect(await callOf(operation, await plannedOf(operation, [cells], rules()))).toEqual({ path, body });
  });
});

// The operations on SIMs: the findings about invalid rows.
describe('a row is rejected with its column named', () => {
  const faults: readonly [Operation, Cells, string, RegExp][] = [
    [provision, { ...provisionTypeA, serialNumber: '' }, 'serialNumber CELL_REQUIRED', /must not be empty/],
    [provision, { ...provisionTypeA, serialNumber: '1234' }, 'serialNumber ICCID_SHAPE', /19 or 20/],
    [provision, { ...provisionTypeA, msisdn: '12' }, 'msisdn MSISDN_SHAPE', /digits/],
    [provision, { ...provisionTypeA, network: '' }, 'network CELL_REQUIRED', /must not be empty/],
    [provision, { ...provisionTypeA, network: 'Network C' }, 'network NETWORK_UNKNOWN', /did you mean "Network A"/],
    [provision, { ...provisionTypeA, tariffNumber: '' }, 'tariffNumber CELL_REQUIRED', /must not be empty/],
    [provision, { ...provisionTypeA, tariffNumber: 'Unlimitd' }, 'tariffNumber TARIFF_UNKNOWN', /did you mean/],
    [provision, { ...provisionTypeA, tariffNumber: '2002' }, 'boltOns TARIFF_NEEDS_DATA_BOLT_ON', /Data 1 GB/],
    [provision, { ...provisionTypeA, boltOns: '999' }, 'boltOns BOLT_ON_UNKNOWN', /for Unlimited/],
    [provision, { ...provisionTypeA, boltOns: '108' }, 'publicIpGroupId IP_GROUP_REQUIRED', /London public \(31\)/],
    [provision, { ...provisionTypeA, boltOns: '109' }, 'staticIpGroupId IP_GROUP_REQUIRED', /London static \(41\)/],
    [provision, { ...provisionTypeA, publicIpGroupId: '901' }, 'publicIpGroupId IP_GROUP_UNKNOWN', /use its id 31/],
    [
      provision,
      { ...provisionTypeA, provisioningOrderNumber: '5001', newProvisioningOrderName: 'Depot' },
      'provisioningOrderNumber PROVISIONING_ORDER_BOTH',
      /not both/,
    ],
    [
      provision,
      { ...provisionTypeA, provisioningOrderNumber: '5001', createNewProvisioningOrder: 'true' },
      'provisioningOrderNumber PROVISIONING_ORDER_BOTH',
      /not both/,
    ],
    [
      provision,
      { ...provisionTypeA, provisioningOrderNumber: 'Head Offise' },
      'provisioningOrderNumber PROVISIONING_ORDER_UNKNOWN',
      /did you mean "Head Office"/,
    ],
    [
      provision,
      { ...provisionTypeA, createNewProvisioningOrder: 'true' },
      'newProvisioningOrderName CELL_REQUIRED',
      /must not be empty if/,
    ],
    [
      provision,
      { ...provisionTypeA, createNewProvisioningOrder: 'no', newProvisioningOrderName: 'Depot' },
      'newProvisioningOrderName CELL_NOT_ALLOWED',
      /no order is created/,
    ],
    [
      provision,
      { ...provisionTypeA, newProvisioningOrderName: 'Depot North' },
      'newProvisioningOrderName PROVISIONING_ORDER_NAME_SHAPE',
      /letters and digits/,
    ],
    [
      provision,
      { ...provisionTypeA, newProvisioningOrderName: 'x'.repeat(257) },
      'newProvisioningOrderName CELL_TOO_LONG',
      /at most 256/,
    ],
    [
      provision,
      { ...provisionTypeA, purchaseOrderNumber: '1;2;3;4;5;6' },
      'purchaseOrderNumber PURCHASE_ORDER_SHAPE',
      /6 purchase orders\. Use at most 5/,
    ],
    [
      provision,
      { ...provisionTypeA, purchaseOrderNumber: 'PO-1,PO-2' },
      'purchaseOrderNumber PURCHASE_ORDER_SHAPE',
      /semicolons/,
    ],
    [
      provision,
      { ...provisionTypeA, purchaseOrderNumber: `${'x'.repeat(50)};${'y'.repeat(50)}` },
      'purchaseOrderNumber CELL_TOO_LONG',
      /101 characters\. Use at most 100/,
    ],
    [provision, { ...provisionTypeB, boltOns: '101' }, 'boltOns BOLT_ON_NOT_AVAILABLE', /Type-B/],
    [provision, { ...provisionTypeB, publicIpGroupId: '31' }, 'publicIpGroupId IP_GROUP_NOT_AVAILABLE', /Type-B/],
    [
      provision,
      { ...provisionTypeB, provisioningOrderNumber: '5001' },
      'provisioningOrderNumber PROVISIONING_ORDER_NOT_AVAILABLE',
      /Type-B/,
    ],
    [
      provision,
      { ...provisionTypeB, createNewProvisioningOrder: 'true' },
      'createNewProvisioningOrder PROVISIONING_ORDER_NOT_AVAILABLE',
      /Type-B/,
    ],
    [
      changeProvision,
      { ...change, provisioningOrderNumber: '' },
      'provisioningOrderNumber PROVISIONING_ORDER_REQUIRED',
      /Change Provision needs/,
    ],
    [
      changeProvision,
      { ...change, provisioningOrderNumber: '', createNewProvisioningOrder: 'false' },
      'provisioningOrderNumber PROVISIONING_ORDER_REQUIRED',
      /Change Provision needs/,
    ],
    [barServiceConfig, { ...settings, services: '' }, 'services CELL_REQUIRED', /must not be empty/],
    [barServiceConfig, { ...settings, services: ';' }, 'services CELL_REQUIRED', /must set at least one service/],
    [barServiceConfig, { ...settings, services: 'raoming=on' }, 'services SERVICE_UNKNOWN', /did you mean "Roaming"/],
    [barServiceConfig, { ...settings, services: 'Fixed=on' }, 'services SERVICE_READ_ONLY', /Remove it from the cell/],
    [barServiceConfig, { ...settings, services: 'Premium=on' }, 'services SERVICE_OPTION_UNKNOWN', /allow, block/],
    [barServiceConfig, { ...settings, tariffNumber: '9' }, 'tariffNumber TARIFF_UNKNOWN', /no tariff "9"/],
    [sendSms, { ...text, network: '101' }, 'network NETWORK_NOT_SUPPORTED', /eSIM \(218\), eSIM IoT \(225\)/],
    [sendSms, { ...text, message: '' }, 'message CELL_REQUIRED', /must not be empty/],
    [sendSms, { ...text, message: 'x'.repeat(161) }, 'message CELL_TOO_LONG', /161 characters\. Use at most 160/],
    [sendSms, { ...text, message: 'a\u0007b' }, 'message CELL_CONTROL_CHARACTER', /U\+0007/],
    [sendSms, { ...text, binary: 'maybe' }, 'binary CELL_NOT_A_BOOLEAN', /true, false, yes or no/],
    [sendSms, { ...text, protocolId: '1' }, 'protocolId CELL_NOT_ALLOWED', /only for binary messages/],
    [sendSms, { ...binary, message: 'A1B' }, 'message CELL_NOT_HEX', /3 hex digits/],
    [sendSms, { ...binary, message: 'STATUS' }, 'message CELL_NOT_HEX', /not hex/],
    [sendSms, { ...binary, userDataHeader: '06 05' }, 'userDataHeader CELL_NOT_HEX', /not hex/],
    [sendSms, { ...binary, protocolId: '256' }, 'protocolId CELL_OUT_OF_RANGE', /from 0 to 255/],
    [sendSms, { ...binary, dataCodingScheme: '-1' }, 'dataCodingScheme CELL_NOT_A_NUMBER', /whole number/],
    [sendSms, { ...binary, network: '240', protocolId: '1' }, 'protocolId CELL_NOT_ALLOWED', /not supported on GDSP/],
    [createBundle, { ...bundle, startDate: '1 July' }, 'startDate DATE_SHAPE', /YYYY-MM-DD/],
    [createBundle, { ...bundle, bundleSizeMb: '1000' }, 'bundleSizeMb BUNDLE_SIZE_UNKNOWN', /100 MB \(100\)/],
    [createBundle, { ...bundle, bundlePeriod: '' }, 'bundlePeriod CELL_REQUIRED', /must not be empty/],
    [
      createBundle,
      { ...bundle, provisioningTemplateId: '9' },
      'provisioningTemplateId TEMPLATE_UNKNOWN',
      /Europe \(11\)/,
    ],
    [createBundle, { ...bundle, submissionName: 'x'.repeat(256) }, 'submissionName CELL_TOO_LONG', /at most 255/],
    [configureBundleControl, { ...control, zone: '' }, 'zone CELL_REQUIRED', /must not be empty/],
    [
      configureBundleControl,
      { ...control, bundleControlPeriod: 'weekly' },
      'bundleControlPeriod CELL_NOT_ONE_OF',
      /oneOff, daily, monthly/,
    ],
    [
      configureBundleControl,
      { ...control, bundleControlEndAction: 'cut' },
      'bundleControlEndAction CELL_NOT_ONE_OF',
      /cutoff, throttle/,
    ],
    [configureBundleControl, { ...control, sizeMb: '7' }, 'sizeMb BUNDLE_SIZE_UNKNOWN', /1 GB \(1024\)/],
    [
      configureBundleControl,
      { ...control, startDate: '2026-05-28' },
      'startDate DATE_TOO_EARLY',
      /The earliest day is 2026-05-29/,
    ],
    [configureBundleControl, { ...control, startDate: '2026-07-01T25:00' }, 'startDate DATE_SHAPE', /YYYY-MM-DD/],
    [
      configureBundleControl,
      { ...control, endDate: '2026-06-30' },
      'endDate DATE_END_BEFORE_START',
      /is not after startDate/,
    ],
    [
      configureBundleControl,
      { ...control, roamingBucketVolumes: 'EU:5' },
      'roamingBucketVolumes ALLOWANCE_SHAPE',
      /Name=megabytes/,
    ],
    [
      configureBundleControl,
      { ...control, roamingBucketVolumes: 'EU=5;EU=6' },
      'roamingBucketVolumes ALLOWANCE_SHAPE',
      /EU has two allowances/,
    ],
    [bar, { serialNumber }, 'null BAR_NONE_CHOSEN', /nothing to bar\. Write true for one of admin, gprs/],
    [unbar, { serialNumber, gprs: 'false' }, 'null BAR_NONE_CHOSEN', /nothing to unbar/],
    [bar, { ...flags, gprs: 'maybe' }, 'gprs CELL_NOT_A_BOOLEAN', /true, false/],
  ];
  test.each(
    faults.map(([operation, cells, found, message]) => [operation.name, cells, found, message, operation] as const),
  )('%s %j: %s', async (_, cells, found, message, operation) => {
    const { errors, findings, shape, row } = await checkRow(operation, cells, rules());
    expect(errors).toEqual([found]);
    expect(findings.find(({ severity }) => severity === 'error')?.message).toMatch(message);
    expect(shape === undefined || row === undefined).toBe(true);
  });
});
