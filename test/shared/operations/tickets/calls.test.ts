// The operations on SIMs: the call of a valid row.
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
import { type Cells, callOf, checkRow, plannedOf } from '../../../support/ingest/operation-rows.ts';

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
