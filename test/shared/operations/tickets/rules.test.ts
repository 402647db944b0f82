// The operations on SIMs: their columns and networks, and rules about more than one row.
import { expect, test } from 'vitest';
import { ImportUniqueness } from '#functions/ingest/validate/duplicate-index.ts';
import { mapHeader } from '#shared/files/map-header.ts';
import { bar, unbar } from '#shared/operations/bars.ts';
import { configureBundleControl, createBundle } from '#shared/operations/bundles.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { changeProvision, provision } from '#shared/operations/provision.ts';
import { sendSms } from '#shared/operations/send-sms.ts';
import { countedLookups, rowsContext } from '../../../support/ingest/catalogue.ts';
import {
  bundle,
  control,
  flags,
  provisionTypeA,
  rules,
  serialNumber,
  text,
} from '../../../support/ingest/operation-cells.ts';
import { type Cells, callOf, checkRow, plannedOf } from '../../../support/ingest/operation-rows.ts';

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
