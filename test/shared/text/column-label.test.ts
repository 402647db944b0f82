import { expect, test } from 'vitest';
import { columnLabel } from '#shared/text/wording.ts';

test.each([
  ['msisdn', 'Number'],
  ['serialNo', 'SIM serial'],
  ['pac', 'PAC'],
  ['pacExpiry', 'PAC expiry'],
  ['targetNetwork', 'Gaining network'],
  ['sourceNetwork', 'Losing network'],
  ['connectionDate', 'Port date'],
  ['boltOns', 'Bolt-ons'],
  ['esim', 'eSIM'],
  ['provisioningOrderName', 'New provisioning order'],
  ['provisioningOrder', 'Provisioning order'],
  ['ipV4Address', 'Ip v4 address'],
  ['tariff', 'Tariff'],
  ['services: Roaming', 'Services: Roaming'],
  ['boltOns: dataUK: 5', 'Bolt-ons: dataUK: 5'],
])('the column %s is shown as "%s"', (name, label) => {
  expect(columnLabel(name)).toBe(label);
});
