// All findings of a row at once: a second fault in other cells never removes the finding about the first.
import { expect, test } from 'vitest';
import { operationNamed } from '#shared/operations/registry.ts';
import type { OperationName } from '#shared/text/identity.ts';
import { validCells } from '../../support/ingest/catalogue.ts';
import * as rows from '../../support/ingest/operation-cells.ts';
import { portId, portsContext, stranger } from '../../support/ingest/operation-ports.ts';
import { type Cells, checkRow } from '../../support/ingest/operation-rows.ts';

/** The cells that make a valid row invalid, and the finding about them. */
type Fault = readonly [cells: Cells, finding: string];

const ofSims: readonly Fault[] = [
  [{ serialNumber: '' }, 'serialNumber CELL_REQUIRED'],
  [{ serialNumber: '89441' }, 'serialNumber ICCID_SHAPE'],
];
const ofNetworks: readonly Fault[] = [
  [{ network: '' }, 'network CELL_REQUIRED'],
  [{ network: 'Network' }, 'network NETWORK_UNKNOWN'],
  [{ network: 'Nonsense' }, 'network NETWORK_UNKNOWN'],
];
const ofBundles: readonly Fault[] = [
  [{ startDate: '01/07/2026' }, 'startDate DATE_SHAPE'],
  [{ submissionName: 'x'.repeat(256) }, 'submissionName CELL_TOO_LONG'],
];
const ofProvisioning: readonly Fault[] = [
  ...ofSims,
  ...ofNetworks,
  [{ msisdn: '12' }, 'msisdn MSISDN_SHAPE'],
  [{ tariffNumber: '' }, 'tariffNumber CELL_REQUIRED'],
  [{ tariffNumber: 'Unlimitid' }, 'tariffNumber TARIFF_UNKNOWN'],
  [{ tariffNumber: 'Nonsense' }, 'tariffNumber TARIFF_UNKNOWN'],
  [{ boltOns: '999' }, 'boltOns BOLT_ON_UNKNOWN'],
  [{ purchaseOrderNumber: '1;2;3;4;5;6' }, 'purchaseOrderNumber PURCHASE_ORDER_SHAPE'],
  [{ provisioningOrderNumber: '9999' }, 'provisioningOrderNumber PROVISIONING_ORDER_UNKNOWN'],
  [{ newProvisioningOrderName: 'Depot North' }, 'newProvisioningOrderName PROVISIONING_ORDER_NAME_SHAPE'],
];

const cases: readonly [OperationName, Cells, readonly Fault[]][] = [
  [
    'create-port',
    validCells,
    [
      [{ msisdn: '' }, 'msisdn CELL_REQUIRED'],
      [{ msisdn: '02079460000' }, 'msisdn MSISDN_NOT_MOBILE'],
      [{ serialNo: '1' }, 'serialNo ICCID_SHAPE'],
      [{ serialNo: '' }, 'serialNo CELL_REQUIRED'],
      [{ pac: '' }, 'pac PAC_REQUIRED'],
      [{ pac: 'AB12' }, 'pac PAC_SHAPE'],
      [{ pac: '123456ABC' }, 'pac PAC_IS_STAC'],
      [{ pacExpiry: '2026-06-28' }, 'pacExpiry PAC_EXPIRES_BEFORE_DATE'],
      [{ pacExpiry: '31/07/2026' }, 'pacExpiry DATE_SHAPE'],
      [{ portType: 'Prot' }, 'portType PORT_TYPE_UNKNOWN'],
      [{ targetNetwork: 'Netwrok A' }, 'targetNetwork TARGET_NETWORK_UNKNOWN'],
      [{ targetNetwork: 'Nonsense' }, 'targetNetwork TARGET_NETWORK_UNKNOWN'],
      [{ sourceNetwork: 'Source' }, 'sourceNetwork SOURCE_NETWORK_UNKNOWN'],
      [{ connectionDate: '2026-06-29' }, 'connectionDate DATE_TOO_EARLY'],
      [{ connectionDate: '2026-07-04' }, 'connectionDate DATE_NOT_WORKING_DAY'],
      [{ connectionDate: '2027-07-05' }, 'connectionDate DATE_TOO_LATE'],
      [{ tariff: '' }, 'tariff CELL_REQUIRED'],
      [{ tariff: 'Unlimitid' }, 'tariff TARIFF_UNKNOWN'],
      [{ tariff: 'Nonsense' }, 'tariff TARIFF_UNKNOWN'],
      [{ boltOns: '999' }, 'boltOns BOLT_ON_UNKNOWN'],
      [{ services: 'Nothing=on' }, 'services SERVICE_UNKNOWN'],
      [{ esim: 'maybe' }, 'esim CELL_NOT_A_BOOLEAN'],
      [{ provisioningOrder: '9999' }, 'provisioningOrder PROVISIONING_ORDER_UNKNOWN'],
      [{ provisioningOrderName: 'x' }, 'provisioningOrder PROVISIONING_ORDER_BOTH'],
      [{ provisioningOrderName: 'x'.repeat(256) }, 'provisioningOrderName CELL_TOO_LONG'],
      [{ groupName: 'x'.repeat(256) }, 'groupName CELL_TOO_LONG'],
    ],
  ],
  ['provision', rows.provisionTypeA, ofProvisioning],
  ['change-provision', rows.change, ofProvisioning],
  [
    'bar-service-config',
    rows.settings,
    [
      ...ofSims,
      ...ofNetworks,
      [{ tariffNumber: 'Unlimitid' }, 'tariffNumber TARIFF_UNKNOWN'],
      [{ tariffNumber: 'Nonsense' }, 'tariffNumber TARIFF_UNKNOWN'],
      [{ services: '' }, 'services CELL_REQUIRED'],
      [{ services: 'Roaming' }, 'services SERVICE_SHAPE'],
    ],
  ],
  [
    'send-sms',
    rows.binary,
    [
      ...ofSims,
      [{ network: '101' }, 'network NETWORK_NOT_SUPPORTED'],
      [{ message: '0A1' }, 'message CELL_NOT_HEX'],
      [{ protocolId: '256' }, 'protocolId CELL_OUT_OF_RANGE'],
      [{ userDataHeader: '0' }, 'userDataHeader CELL_NOT_HEX'],
    ],
  ],
  [
    'create-bundle',
    rows.bundle,
    [
      ...ofSims,
      ...ofNetworks,
      ...ofBundles,
      [{ bundleSizeMb: '7' }, 'bundleSizeMb BUNDLE_SIZE_UNKNOWN'],
      [{ provisioningTemplateId: 'Nowhere' }, 'provisioningTemplateId TEMPLATE_UNKNOWN'],
      [{ bundlePeriod: '' }, 'bundlePeriod CELL_REQUIRED'],
    ],
  ],
  [
    'configure-bundle-control',
    rows.control,
    [
      ...ofSims,
      ...ofNetworks,
      ...ofBundles,
      [{ sizeMb: '7' }, 'sizeMb BUNDLE_SIZE_UNKNOWN'],
      [{ bundleControlPeriod: 'weekly' }, 'bundleControlPeriod CELL_NOT_ONE_OF'],
      [{ roamingBucketVolumes: 'EU' }, 'roamingBucketVolumes ALLOWANCE_SHAPE'],
    ],
  ],
  ['bar', rows.flags, [...ofSims, [{ admin: 'maybe' }, 'admin CELL_NOT_A_BOOLEAN']]],
  [
    'update-port',
    { msisdn: '07700900001', pac: 'ABC123456', portId },
    [
      [{ msisdn: '12' }, 'msisdn MSISDN_SHAPE'],
      [{ pac: '' }, 'pac PAC_REQUIRED'],
      [{ pac: '123456ABC' }, 'pac PAC_IS_STAC'],
      [{ action: 'amned' }, 'action CELL_NOT_ONE_OF'],
      [{ portId: 'abc' }, 'portId PORT_ID_SHAPE'],
      [{ portId: stranger }, 'portId PORT_UNKNOWN'],
    ],
  ],
  [
    'cancel-port',
    { msisdn: '07700900001', portId },
    [
      [{ msisdn: '12' }, 'msisdn MSISDN_SHAPE'],
      [{ portId: 'abc' }, 'portId PORT_ID_SHAPE'],
    ],
  ],
];

const contextOf = (name: OperationName) =>
  ['update-port', 'cancel-port'].includes(name) ? portsContext().context : rows.rules();

const overlap = (one: Cells, other: Cells): boolean => Object.keys(one).some((column) => column in other);

test.each(cases)('%s: a second fault never removes the finding about the first', async (name, valid, faults) => {
  const operation = operationNamed(name);
  if (operation === undefined) throw new Error(`there is no operation ${name}`);
  const errorsOf = async (cells: Cells) => (await checkRow(operation, { ...valid, ...cells }, contextOf(name))).errors;
  expect(await errorsOf({})).toEqual([]);
  const lost: string[] = [];
  for (const [cells, finding] of faults) {
    expect(await errorsOf(cells)).toContain(finding);
    for (const [others, otherFinding] of faults.filter((fault) => !overlap(fault[0], cells))) {
      const errors = await errorsOf({ ...cells, ...others });
      if (!errors.includes(finding)) lost.push(`${finding} (with ${otherFinding}: ${JSON.stringify(others)})`);
    }
  }
  expect(lost).toEqual([]);
});
