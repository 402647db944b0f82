// The client against the porting simulator over HTTP: two independent implementations of one contract.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPortingClient, type PortingClient } from '#shared/service/client.ts';
import type { CreatePortBody } from '#shared/service/contract.ts';
import { newScan, scanPorts } from '#shared/service/scan-port-list.ts';
import { type RunningSimulator, startSimulator } from '#simulator/start-simulator.ts';
import { createPortBody, failureOf } from '../../support/service/scripted-server.ts';

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

    expect(failure).toMatchObject({ retryable: false, decline: { msisdns: [expect.stringContaining('7700900995')] } });
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
