// Bodies that no client should send: each is a 400, with both stores, and leaves nothing behind.
import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { storeKinds, useStores } from '../../support/embedded/simulator-stores.ts';
import {
  portBody,
  portRow,
  startTestSimulator,
  stockSerials,
  type TestSimulator,
} from '../../support/service/simulator.ts';

const newStore = useStores();

const post = (service: TestSimulator, body: unknown, path = '/api/porting/1001') =>
  service.call('POST', path, { body });

describe.each(storeKinds)('with the %s store', (kind) => {
  const start = async (): Promise<TestSimulator> => startTestSimulator({ sandbox: true, store: await newStore(kind) });

  const withLength = { length: { toString: 1 } };
  test.each([
    ['the name', { name: withLength }, 'name'],
    ['the rows', { rows: withLength }, 'rows'],
    ['a group name', { rows: [{ ...portRow(), groupName: withLength }] }, 'rows[0].groupName'],
    ['a number', { rows: [{ ...portRow(), msisdn: withLength }] }, 'rows[0].msisdn'],
  ])('an object with a length in place of %s is answered 400', async (_what, change, field) => {
    const service = await start();
    const reply = await post(service, { ...portBody(), ...change });
    expect([reply.status, reply.body.errors[0].field]).toEqual([400, field]);
  });

  test.each([
    ['a name', { name: 'half \ud83d a smile' }, 'name'],
    [
      'a provisioning order',
      { rows: [portRow(1, { provisioningOrder: null, provisioningOrderName: '\ude00' })] },
      'rows[0].provisioningOrderName',
    ],
    ['a field that is not known', { '\ud800': 1 }, 'body'],
  ])('half of a surrogate pair in %s is answered 400, and the number stays free', async (_what, change, field) => {
    const service = await start();
    const reply = await post(service, { ...portBody(), ...change });
    expect([reply.status, reply.body.errors[0].field]).toEqual([400, field]);
    expect((await post(service, portBody({ name: 'A whole smile 😀' }))).status).toBe(201);
  });

  test('a body that is nested deeper than any request is answered 400', async () => {
    const service = await start();
    const reply = await post(service, `{"name":${'['.repeat(200_000)}${']'.repeat(200_000)}}`);
    expect(reply.status).toBe(400);
  });

  test('a serial number longer than a key is answered 422', async () => {
    const service = await start();
    const sms = { serialNumbers: ['9'.repeat(5_000)], message: 'Hello' };
    expect((await post(service, sms, '/api/simSubmission/SendSms')).status).toBe(422);
  });

  test('a submission larger than an item is kept whole', async () => {
    const service = await start();
    // It hardly compresses, and an item may have 400 KB.
    const userDataHeader = randomBytes(450_000).toString('hex');
    const sms = { serialNumbers: stockSerials(232), message: '48', binary: true, userDataHeader };
    expect((await post(service, sms, '/api/simSubmission/SendSms')).status).toBe(200);
    const { submissions } = (await service.call('GET', '/_sandbox/dump')).body;
    expect(submissions[0].body.userDataHeader === userDataHeader).toBe(true);
  });
});

test('no JSON value in any place of a request is answered 500', async () => {
  const service = await startTestSimulator();
  const requests = [
    ['POST', '/api/porting/1001', portBody()],
    [
      'PATCH',
      '/api/porting/1001/port/00000000-0000-4000-8000-000000000000',
      { Rows: [{ Msisdn: '07700900001', Pac: 'ABC123456', PortRowStatus: 'Amended' }] },
    ],
    [
      'POST',
      '/api/simSubmission/Provision',
      {
        stock: [{ serialNumber: '8944110000000000001', msisdn: '07700900001' }],
        tariffNumber: 2001,
        boltOns: [101],
        provisioningOrderNumber: 5001,
        newProvisioningOrderName: 'a',
        purchaseOrderNumber: '1,2',
      },
    ],
    [
      'POST',
      '/api/simSubmission/SendSms',
      { serialNumbers: ['89440024010010003104'], message: 'a', binary: true, protocolId: 1, userDataHeader: '00' },
    ],
    [
      'POST',
      '/api/simSubmission/BarServiceConfig',
      { serialNumbers: ['89440010110010000104'], services: [{ name: 'Roaming', value: 'true' }] },
    ],
    [
      'POST',
      '/api/simSubmission',
      {
        type: 'bar',
        commands: [
          { serialNumbers: ['89440010110010000104'], commandOptions: { type: 'vendor-detailed-bar', gprs: true } },
        ],
      },
    ],
    [
      'POST',
      '/api/simsubmission/ConfigureBundleControl',
      {
        serialNumbers: ['89440040110010001304'],
        zone: 'EU',
        bundleControlPeriod: 'monthly',
        sizeMb: 1,
        startDate: '2026-07-06',
        endDate: null,
        bundleControlEndAction: 'cutoff',
        roamingBucketVolumes: [{ Name: 'EU', AllowanceMB: 1 }],
      },
    ],
  ] as const;
  const strange = fc.oneof(
    fc.jsonValue({ noUnicodeString: false } as never),
    fc.constantFrom({ length: { toString: 1 } }, { length: null }, { length: 5 }, '\ud800', '__proto__', 1e308, -0, ''),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...requests), fc.nat(), strange, async ([method, path, body], place, value) => {
      const places = placesOf(body);
      const reply = await service.call(method, path, {
        body: replaced(body, places[place % places.length] ?? [], value),
      });
      expect([reply.status >= 200, reply.status < 500]).toEqual([true, true]);
    }),
    { numRuns: 300 },
  );
});

type Path = readonly (string | number)[];

function placesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([key, each]) =>
    placesOf(each, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return [path, ...inner];
}

function replaced(value: unknown, [first, ...rest]: Path, by: unknown): unknown {
  if (first === undefined) return by;
  if (Array.isArray(value)) return value.map((each, index) => (index === first ? replaced(each, rest, by) : each));
  const members = value as Record<string, unknown>;
  return { ...members, [first]: replaced(members[first], rest, by) };
}
