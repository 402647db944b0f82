// The operations on SIMs: the findings about invalid rows.
import { describe, expect, test } from 'vitest';
import { bar, barServiceConfig, unbar } from '#shared/operations/bars.ts';
import { configureBundleControl, createBundle } from '#shared/operations/bundles.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { changeProvision, provision } from '#shared/operations/provision.ts';
import { sendSms } from '#shared/operations/send-sms.ts';
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
} from '../../../support/ingest/operation-cells.ts';
import { type Cells, checkRow } from '../../../support/ingest/operation-rows.ts';

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
