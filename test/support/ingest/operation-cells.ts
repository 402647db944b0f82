// Valid rows of the operations on SIMs, which tests modify.
import type { OperationName } from '#shared/text/identity.ts';
import { accountSettings, rowsContext } from './catalogue.ts';
import type { Cells } from './operation-rows.ts';

export const serialNumber = '8944110068123456787';
export const provisionTypeA = { serialNumber, network: 'Network A', tariffNumber: '2001' };
export const provisionTypeB = { serialNumber, network: '201', tariffNumber: '3001' };
export const change = { ...provisionTypeA, provisioningOrderNumber: '5001' };
export const settings = { serialNumber, network: '101', services: 'Roaming=on;Premium=block' };
export const text = { serialNumber, network: '232', message: 'STATUS?' };
export const binary = { ...text, message: '0A1B', binary: 'yes' };
export const bundle = {
  serialNumber,
  network: '101',
  startDate: '2026-07-01',
  bundleSizeMb: '1 GB',
  bundlePeriod: 'monthly',
  provisioningTemplateId: 'Europe',
};
export const control = {
  serialNumber,
  network: 'Network A',
  zone: 'EU',
  bundleControlPeriod: 'oneoff',
  sizeMb: '100',
  startDate: '2026-07-01',
  bundleControlEndAction: 'cutoff',
};
export const flags = { serialNumber, premium: 'true' };

/** Both networks of the small catalogue have bundle control. */
export const rules = () =>
  rowsContext({ settings: { ...accountSettings, bundleControlNetworks: ['Network A', '201'] } });

/** Valid rows of every operation that makes tickets. */
export const validTicketRows: ReadonlyMap<OperationName, readonly Cells[]> = new Map<OperationName, readonly Cells[]>([
  ['provision', [provisionTypeA, provisionTypeB]],
  ['change-provision', [change]],
  ['bar-service-config', [settings]],
  ['send-sms', [text, binary]],
  ['create-bundle', [bundle]],
  ['configure-bundle-control', [control]],
  ['bar', [flags]],
  ['unbar', [flags]],
]);
