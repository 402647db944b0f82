// What is read of the answers of the service: those of the simulator, and arbitrary ones.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { snapshotOf } from '#shared/outcome/port-snapshot.ts';
import { portEvent, portItem, portRowState } from '#shared/port/port.ts';
import { requestItem } from '#shared/request/request.ts';
import { createPortingClient, type PortingClient } from '#shared/service/client.ts';
import type { CreatePortBody } from '#shared/service/contract.ts';
import * as contract from '#shared/service/contract.ts';
import { isPortingFailure } from '#shared/service/errors.ts';
import { newScan, scanPorts } from '#shared/service/scan-port-list.ts';
import { type RunningSimulator, startSimulator } from '#simulator/start-simulator.ts';
import { anyJson, assertUnpolluted, nearlyRight } from '../../support/nearly-right.ts';
import {
  createPortBody,
  failureOf,
  portDetail,
  portId,
  portSummary,
  ticketNumber,
} from '../../support/service/scripted-server.ts';
import { noon, portRowsOf, requestItemOf } from '../../support/steps/ledger-items.ts';

// The client against the porting simulator over HTTP: two independent implementations of one contract.
describe('the simulator', () => {
  const hour = 3_600_000;
  const monday = '2026-07-06T00:00:00';

  let now = Date.parse('2026-07-01T10:00:00Z');
  let server: RunningSimulator;
  let client: PortingClient;

  const clientWith = (clientSecret: string): PortingClient => {
    const { baseUrl, authUrl, clients } = server;
    const [{ clientId, accountId } = { clientId: '', accountId: 0 }] = clients;
    return createPortingClient({
      baseUrl,
      authUrl,
      accountId,
      credentials: async () => ({ clientId, clientSecret }),
      wait: async () => undefined,
    });
  };

  beforeAll(async () => {
    server = await startSimulator({ clock: () => now });
    client = clientWith(server.clients[0]?.clientSecret ?? '');
  });

  afterAll(() => server.stop());

  /** A valid body, built from the lookups that the spec recommends, with fictional numbers. */
  async function bodyFor(pacs: Readonly<Record<string, string>>): Promise<CreatePortBody> {
    const types = await client.networks();
    const target = types.find((type) => type.portTypeName === 'Port')?.targetNetworks[0];
    const networkNumber = target?.networkNumber ?? 0;
    const { tariffs } = await client.tariffs(networkNumber);
    const orders = await client.provisioningOrders(networkNumber);
    return createPortBody({
      targetNetworkId: target?.id ?? 0,
      sourceNetworkId: target?.sourceNetworks[0]?.id ?? 0,
      connectionDate: monday,
      rows: Object.entries(pacs).map(([msisdn, pac], index) => ({
        groupName: 'plain',
        esim: false,
        msisdn,
        serialNo: `89441000000${msisdn.slice(-3)}0000${index}`,
        provisioningOrder: orders === 'not-available' ? null : (orders[0]?.number ?? null),
        pac,
        tariffId: tariffs[0]?.number ?? 0,
        boltOns: [],
        services: null,
      })),
    });
  }

  describe('the recommended flow', () => {
    test('leads from networks to a created port that is listed and can be read', async () => {
      const body = await bodyFor({ '07700900101': 'ABC123456', '07700900102': 'ABD123456' });

      const id = await client.createPort({ ...body, name: 'first of July' });
      const listed: string[] = [];
      await scanPorts(client, newScan(), (port) => listed.push(port.id));

      expect(listed).toContain(id);
      expect(await client.port(id)).toMatchObject({
        id,
        name: 'first of July',
        rowCount: 2,
        rows: [{ msisdn: '07700900101' }, { msisdn: '07700900102' }],
      });
    });

    test('a wrong PAC is found, amended, and the port cancelled', async () => {
      const id = await client.createPort(await bodyFor({ '07700900103': 'INV123456' }));
      now += 4 * hour;
      expect(await client.port(id)).toMatchObject({ rows: [{ statusName: 'PacInvalid' }] });

      await client.updatePort(id, { Rows: [{ Msisdn: '07700900103', Pac: 'ABE123456', PortRowStatus: 'Amended' }] });
      expect(await client.port(id)).toMatchObject({ rows: [{ statusName: 'Amended' }] });

      await client.cancelPort(id);
      now += 24 * hour;
      expect(await client.port(id)).toMatchObject({ statusName: 'Cancelled' });
    });

    test('every lookup of both families of networks parses', async () => {
      for (const type of await client.networks()) {
        for (const { networkNumber } of type.targetNetworks) {
          const { tariffs, hasAttributes } = await client.tariffs(networkNumber);
          const [tariff] = tariffs;
          const orders = await client.provisioningOrders(networkNumber);

          expect(tariff).toBeDefined();
          expect(orders === 'not-available').toBe(!hasAttributes);
          expect(await client.boltOns(tariff?.number ?? 0)).toEqual(hasAttributes ? expect.any(Array) : []);
          expect(await client.networkServices(networkNumber, tariff?.number)).not.toEqual([]);
          expect(await client.bundleSizes(networkNumber)).toEqual(expect.any(Array));
          expect(await client.provisioningTemplates(networkNumber)).toEqual(expect.any(Array));
        }
      }
      expect(await client.companies()).not.toEqual([]);
    });
  });

  describe('the client understands a declined call', () => {
    test('about a number that left the service, which is named', async () => {
      const failure = await failureOf(client.createPort(await bodyFor({ '07700900995': 'ABC123456' })));

      expect(failure).toMatchObject({
        retryable: false,
        decline: { msisdns: [expect.stringContaining('7700900995')] },
      });
      expect(failure.message).toContain('already exists on the stock records');
    });

    test('about an unknown port', async () => {
      expect(await failureOf(client.port('00000000-0000-4000-8000-000000000000'))).toMatchObject({ kind: 'not-found' });
    });

    test('wrong credentials are rejected before anything is sent', async () => {
      expect(await failureOf(clientWith('wrong').networks())).toMatchObject({
        kind: 'credentials-rejected',
        status: 400,
      });
    });
  });
});

// Whatever the service answers is either read or a failure of errors.ts, and what was read can be stored.
describe('whatever the service answers', () => {
  /** The client of a service that answers every call except the token call with `status` and `text`. */
  function clientAnswered(status: number, text: string): PortingClient {
    return createPortingClient({
      baseUrl: 'https://service.example',
      authUrl: 'https://service.example',
      accountId: 1001,
      credentials: async () => ({ clientId: 'client', clientSecret: 'secret' }),
      wait: async () => {},
      clock: () => noon,
      random: () => 0.5,
      fetch: async (url) => {
        const isToken = String(url).endsWith('/connect/token');
        return isToken ? Response.json({ access_token: 'token' }) : new Response(text === '' ? null : text, { status });
      },
    });
  }

  /** The result of the call; throws every error that is not a porting failure. */
  async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
    try {
      return await call;
    } catch (error) {
      if (!isPortingFailure(error)) throw error;
      return error;
    } finally {
      assertUnpolluted();
    }
  }

  const network = {
    id: 11,
    name: 'UK Mobile A',
    maxPortDays: 30,
    minPortDays: 1,
    allowEsim: true,
    networkNumber: 101,
    sourceNetworks: [{ id: 1, name: 'Source' }],
    upcomingHolidays: ['2026-08-31T00:00:00'],
  };
  const networks = [{ portTypeName: 'Port', portType: 1, targetNetworks: [network] }];
  const service = { name: 'Roaming', readOnly: false, type: 'Service', availableOptions: ['true', null] };
  const ipGroup = {
    id: 1,
    number: 2,
    name: 'Public',
    startIpAddress: '192.0.2.1',
    endIpAddress: '192.0.2.9',
    totalIpAddresses: 9,
    availableIpAddresses: 4,
  };
  const template = { id: 1, templateName: 'a', friendlyName: 'A', visible: true, premium: false };
  const sms = { serialNumbers: ['8944100000000000001'], message: 'hello' };

  const calls: readonly [string, (client: PortingClient) => Promise<unknown>, unknown][] = [
    ['networks', (client) => client.networks(), networks],
    ['listPorts', (client) => client.listPorts(1), { total: 1, totalPages: 1, data: [portSummary(portId)] }],
    ['port', (client) => client.port(portId), portDetail()],
    ['provisioningOrders', (client) => client.provisioningOrders(7), [{ number: 1, name: 'Order' }]],
    ['tariffs', (client) => client.tariffs(7), { result: [{ name: 'B', number: 11, configurationAttributes: null }] }],
    ['boltOns', (client) => client.boltOns(10), [{ name: 'Extra', number: 20, isDataBoltOn: true }]],
    ['networkServices', (client) => client.networkServices(7), [{ groupName: 'Data', services: [service] }]],
    ['simServices', (client) => client.simServices('89441'), [{ groupName: 'Data', services: [service] }]],
    ['publicIpGroups', (client) => client.publicIpGroups(7), [ipGroup]],
    ['bundleSizes', (client) => client.bundleSizes(7), [{ id: 1, name: '1 GB', size: 1024 }]],
    ['provisioningTemplates', (client) => client.provisioningTemplates(7), [template]],
    ['companies', (client) => client.companies(), { result: [{ id: 1, name: 'A' }] }],
    ['cancelPort', (client) => client.cancelPort(portId), null],
    ['submit', (client) => client.submit('/api/simSubmission/SendSms', sms), { ticketNumber }],
  ];

  describe.each(calls)('%s', (_name, call, right) => {
    test('an almost valid answer is read or classified', async () => {
      await fc.assert(
        fc.asyncProperty(nearlyRight(right), async (answer) => {
          await outcomeOf(call(clientAnswered(200, JSON.stringify(answer))));
        }),
        { numRuns: 150 },
      );
    });

    test('any text with any status is read or classified', async () => {
      const statuses = fc.constantFrom(200, 201, 202, 299, 301, 400, 401, 403, 404, 408, 409, 422, 429, 500, 503, 599);
      const texts = fc.oneof(
        fc.string({ maxLength: 60 }),
        anyJson.map((value) => JSON.stringify(value)),
      );
      await fc.assert(
        fc.asyncProperty(statuses, texts, async (status, text) => {
          await outcomeOf(call(clientAnswered(status, text)));
        }),
        { numRuns: 60 },
      );
    });
  });

  const schemas = Object.entries(contract).flatMap(([name, schema]) =>
    typeof schema === 'object' && 'safeParse' in schema ? [{ name, schema }] : [],
  );

  test('every wire shape is tested', () => {
    expect(schemas.length).toBeGreaterThan(30);
  });

  test.each(schemas)('$name reads any JSON or reports what is wrong', ({ schema }) => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const read = schema.safeParse(value);
        if (!read.success) expect(read.error.issues.length).toBeGreaterThan(0);
        assertUnpolluted();
      }),
      { numRuns: 100 },
    );
  });

  test('an almost valid port can be stored: the items can be read again', async () => {
    const context = { account: '1001@service', zone: 'Europe/London', callingCode: '44', readAt: noon };
    const rows = portRowsOf('Submitted', 'PacValid');
    const right = portDetail({
      rowCount: 2,
      rows: rows.map(({ msisdn, status }) => ({ id: portId, msisdn, status: 1, statusName: status, message: 'why' })),
    });
    await fc.assert(
      fc.asyncProperty(nearlyRight(right), async (answer) => {
        const read = contract.portDetail.safeParse(answer);
        if (!read.success) return;
        const look = snapshotOf({ request: requestItemOf({ portId }), rows }, read.data, context);
        expect(portItem.safeParse(look?.next).error).toBeUndefined();
        const request = look?.request?.next;
        // A duplicate port changes nothing of its request.
        if (request === undefined) expect(read.data.id).not.toBe(portId);
        else expect(requestItem.safeParse(request).error).toBeUndefined();
        for (const row of look?.rows ?? []) expect(portRowState.safeParse(row).error).toBeUndefined();
        if (look?.event !== undefined) expect(portEvent.safeParse(look.event).error).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });
});
