// The operations on SIMs: what no table of single rows shows.
import { expect, test } from 'vitest';
import { bar, unbar } from '#shared/operations/bar.ts';
import { configureBundleControl } from '#shared/operations/configure-bundle-control.ts';
import { provision } from '#shared/operations/provision.ts';
import { sendSms } from '#shared/operations/send-sms.ts';
import { control, flags, provisionTypeA, rules, serialNumber, text } from '../../support/operations-cells.ts';
import { type Cells, callOf, judgeRow, plannedOf } from '../../support/operations-rows.ts';

test('bundles are controlled on the French networks where no setting says otherwise', async () => {
  const { findings, errors } = await judgeRow(configureBundleControl, control);
  expect(errors).toEqual(['network NETWORK_NOT_SUPPORTED']);
  expect(findings[0]?.message).toBe('bundles are not controlled on Network A, only on French LMVNO and French M2M');
});

test('bundles may start a month ago, clamped to the end of a shorter month', async () => {
  const startsOn = async (startDate: string, now: string) => {
    const context = { ...rules(), calendar: () => Date.parse(now) };
    return (await judgeRow(configureBundleControl, { ...control, startDate }, context)).errors;
  };
  expect(await startsOn('2027-02-28', '2027-03-31T23:59:59Z')).toEqual([]);
  expect(await startsOn('2027-02-27', '2027-03-31T23:59:59Z')).toEqual(['startDate DATE_TOO_EARLY']);
});

test.each([bar, unbar])('$name warns that it will be taken away, and says what replaces it', async (operation) => {
  const { findings } = await judgeRow(operation, flags);
  expect(findings).toMatchObject([{ column: null, code: 'OPERATION_LEGACY', severity: 'warning' }]);
  expect(findings[0]?.message).toMatch(/bar-service-config/);
});

test('a SIM stands in a file once, a number as well', async () => {
  const context = rules();
  await judgeRow(provision, { ...provisionTypeA, msisdn: '07700900123' }, context);
  context.line = 7;
  const again = await judgeRow(provision, { ...provisionTypeA, msisdn: '+447700900123' }, context);
  expect(again.errors).toEqual(['serialNumber ICCID_DUPLICATE_IN_FILE', 'msisdn MSISDN_DUPLICATE_IN_FILE']);
  expect(again.findings[0]?.message).toMatch(/line 2 already/);
});

test('all that is wrong with a row is found at once', async () => {
  const cells = { ...control, serialNumber: '1', zone: '', bundleControlPeriod: 'x', startDate: 'y', network: 'z' };
  expect((await judgeRow(configureBundleControl, cells)).errors).toEqual([
    'zone CELL_REQUIRED',
    'bundleControlPeriod CELL_NOT_ONE_OF',
    'startDate DATE_SHAPE',
    'network NETWORK_UNKNOWN',
    'serialNumber ICCID_SHAPE',
  ]);
});

test('rows of identical options share a group, however the options are written', async () => {
  const keyOf = async (cells: Cells) => (await judgeRow(provision, cells)).shape?.head;
  const key = await keyOf({ ...provisionTypeA, boltOns: '101;102' });
  expect(await keyOf({ ...provisionTypeA, network: '101', tariffNumber: 'Unlimited', boltOns: 'Minutes;101' })).toBe(
    key,
  );
  expect(await keyOf({ ...provisionTypeA, boltOns: '101' })).not.toBe(key);
});

test('a text may have 160 characters', async () => {
  expect((await judgeRow(sendSms, { ...text, message: 'x'.repeat(160) })).errors).toEqual([]);
});

test('what is texted is not what the request is called', async () => {
  expect((await judgeRow(sendSms, text)).shape?.label).toBe('Text of 7 characters to IoT M2M-O');
});

test('a new order that exists by the time of the call is named by its number', async () => {
  const context = rules();
  const cells = { ...provisionTypeA, newProvisioningOrderName: 'Depot' };
  const request = await plannedOf(provision, [cells], context);
  expect(await provision.submission.recheck(request, context)).toEqual({ send: request });
  context.lookups.orders.push({ number: 5009, name: 'Depot' });
  const rechecked = await provision.submission.recheck(request, context);
  if (!('send' in rechecked)) throw new Error('refused');
  expect((await callOf(provision, rechecked.send)).body).toEqual({
    stock: [{ serialNumber }],
    tariffNumber: 2001,
    provisioningOrderNumber: 5009,
  });
});
