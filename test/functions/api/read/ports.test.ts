// The list of ports in the API, and the adoption of one that was made elsewhere.
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { expect, test, vi } from 'vitest';
import { portListKey } from '#shared/store/object-keys.ts';
import { settle } from '../../../chaos/drive.ts';
import { account, accountId } from '../../../chaos/network.ts';
import { rowsFrom } from '../../../chaos/scenario.ts';
import { type ApiWorld, operator, person, startApiWorld } from '../../../support/api/simulated-api.ts';
import { numberAt, simAt } from '../../../support/ingest/valid-rows.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
const viewer = person('vera@example.com', 'viewer');
const approver = person('ada@example.com', 'approver');

/** A person creates a port in the portal. Answers its id. */
async function makeElsewhere({ world }: ApiWorld, name: string, indexes: readonly number[]): Promise<string> {
  const row = {
    groupName: 'Field team',
    esim: false,
    tariffId: 2001,
    boltOns: [101],
    services: [],
    provisioningOrder: 5001,
    pac: 'ABC123456',
  };
  const { status, body } = await world.network.portal('POST', `/api/porting/${accountId}`, {
    name,
    targetNetworkId: 11,
    sourceNetworkId: 1,
    connectionDate: '2026-07-16T00:00:00',
    portType: 'Port',
    rows: indexes.map((index) => ({ ...row, msisdn: numberAt(index), serialNo: simAt(index) })),
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return String(body);
}

async function refresh(api: ApiWorld): Promise<void> {
  expect((await api.call('POST', '/port-list', { as: approver, body: {} })).status).toBe(202);
  await settle(api.world);
}

test('a foreign port is listed, adopted and completes, and a file with its number is warned about', async () => {
  const api = startApiWorld();
  const { call, plan, send, pass, world } = api;
  const own = await send('july.csv', rowsFrom(0, ['ABC123456']));
  const portId = await makeElsewhere(api, 'Field team', [1, 2]);
  const none = { readAt: null, reading: '', isComplete: false, ports: [], nextCursor: null };
  expect((await call('GET', '/ports')).body).toEqual(none);
  await refresh(api);
  const { body } = await call('GET', '/ports', { as: viewer });
  expect(body).toMatchObject({ isComplete: true, nextCursor: null, ports: [{}, {}] });
  const foreign = (await call('GET', '/ports?origin=foreign')).body.ports;
  expect(foreign).toMatchObject([{ portId, name: 'Field team', rowCount: 2, importId: null }]);
  expect((await call('GET', `/ports?number=${numberAt(0)}`)).body.ports).toMatchObject([{ importId: own }]);

  const adopt = () => call('POST', `/ports/${portId}/adopt`, { as: approver, body: { because: 'made in the portal' } });
  const { status, body: adopted } = await adopt();
  expect(status).toBe(202);
  await settle(world);
  const { importId } = adopted;
  expect((await call('GET', `/imports/${importId}`)).body).toMatchObject({
    state: 'in-progress',
    file: 'port Field team.csv',
    rows: 2,
    operation: 'create-port',
    adoptedPort: portId,
  });
  const numberOf = rowsFrom(2, ['ABC123456'])[0]?.msisdn;
  expect((await call('GET', `/numbers/${numberOf}`)).body).toMatchObject({ importId, adoptedPort: portId });
  expect((await adopt()).body).toEqual({ importId });
  const { entries } = (await call('GET', `/imports/${importId}/audit`)).body;
  expect(entries).toMatchObject([{ action: 'adopted', because: 'made in the portal', details: { port: portId } }]);
  expect((await call('GET', '/ports?origin=foreign')).body.ports).toEqual([]);

  const again = await plan('again.csv', rowsFrom(2, ['ABC123456']));
  const { warnings } = (await call('GET', `/imports/${again}/plan`)).body;
  expect(warnings).toMatchObject([{ code: 'MSISDN_IN_LIVE_IMPORT', rows: 1 }]);
  expect(warnings[0].messages[0].message).toContain(`line 3 of import ${importId}`);

  for (let days = 0; days < 14; days += 1) await pass(day);
  await settle(world);
  expect((await call('GET', `/imports/${importId}`)).body).toMatchObject({
    state: 'finished',
    outcomes: { complete: 2 },
  });
  const { rows } = (await call('GET', `/imports/${importId}/rows`)).body;
  expect(rows).toMatchObject([
    { outcome: 'complete', portId },
    { outcome: 'complete', portId },
  ]);
});

test('a port that an import follows, and one that has ended, are not adopted', async () => {
  const api = startApiWorld();
  const { call, send, world } = api;
  const importId = await send('july.csv', rowsFrom(0, ['ABC123456']));
  const { requests } = (await call('GET', `/imports/${importId}/requests`)).body;
  const { status, body } = await call('POST', `/ports/${requests[0].portId}/adopt`, { body: {} });
  expect([status, body.code, body.changed]).toEqual([409, 'state-changed', { import: importId }]);
  const cancelled = await makeElsewhere(api, 'Field team', [1]);
  await world.network.portal('DELETE', `/api/porting/${accountId}/port/${cancelled}`);
  await api.pass(hour);
  const declined = (await call('POST', `/ports/${cancelled}/adopt`, { body: {} })).body.importId;
  await settle(world);
  const { state, issues } = (await call('GET', `/imports/${declined}`)).body;
  expect([state, issues.length, issues[0].message]).toEqual([
    'rejected',
    1,
    `Port ${cancelled} has ended, as Cancelled`,
  ]);
});

test('pages of ports follow each other, and the list is a file to download', async () => {
  const api = startApiWorld();
  const { call } = api;
  expect((await call('GET', '/port-list')).status).toBe(503);
  const ids = new Set<string>();
  for (let index = 1; index <= 5; index += 1) ids.add(await makeElsewhere(api, `Team ${index}`, [index]));
  await refresh(api);
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await call('GET', `/ports?limit=2${cursor}`);
    seen.push(...body.ports.map(({ portId }: { portId: string }) => portId));
    if (body.nextCursor === null) break;
    cursor = `&cursor=${body.nextCursor}`;
  }
  expect(seen).toEqual([...ids].sort());
  const { url, fileName } = (await call('GET', '/port-list', { as: operator })).body;
  expect([fileName, url]).toEqual(['ports.csv', expect.stringContaining(`/${portListKey(account)}`)]);
});

test('the ports of some days come with the sums of each day, page after page', async () => {
  const api = startApiWorld();
  const { call, send, pass } = api;
  await send('july.csv', [...rowsFrom(0, ['ABC123456', 'ABC123457']), ...rowsFrom(2, ['BAD123456'])]);
  await pass(hour);
  const of = async (from: string, to: string, rest = '') =>
    (await call('GET', `/port-days?from=${from}&to=${to}${rest}`, { as: viewer })).body;
  const { days, ports, isComplete, nextCursor } = await of('2026-07-01', '2026-08-15');
  expect([isComplete, nextCursor]).toEqual([true, null]);
  const [{ day }] = days;
  expect(days).toMatchObject([{ numbers: 3, complete: 0, cancelBy: expect.stringMatching(/Z$/) }]);
  expect(days[0].blocked).toBe(ports.reduce((sum: number, port: { blockedRows: number }) => sum + port.blockedRows, 0));
  expect(
    ports.every((port: { day: string; name: string }) => port.day === day && !port.name.includes('simporter')),
  ).toBe(true);
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await of(day, day, `&limit=1${cursor}`);
    expect(page.days).toEqual(days);
    seen.push(...page.ports.map(({ portId }: { portId: string }) => portId));
    if (page.nextCursor === null) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  expect(seen).toEqual(ports.map(({ portId }: { portId: string }) => portId));
  expect((await of('2026-06-01', '2026-06-30')).days).toEqual([]);
  for (const [from, to] of [
    ['2026-07-02', '2026-07-01'],
    ['2026-07-01', '2026-09-30'],
    ['soon', '2026-07-01'],
    // Other texts for a day would be compared with days as they are.
    [`${day}T00:00:00Z`, '2026-08-15'],
    [`'${day}`, '2026-08-15'],
  ] as const)
    expect((await of(from, to)).code).toBe('invalid-request');
});

test('a viewer sees the ports, and neither adopts one nor reads the list again', async () => {
  const { call } = startApiWorld();
  expect((await call('GET', '/ports', { as: viewer })).status).toBe(200);
  for (const path of ['/port-list', '/ports/some-port/adopt'])
    expect((await call('POST', path, { as: viewer, body: {} })).status).toBe(403);
});

test('a link to the list reads none of it: no connection waits for a reader', async () => {
  const api = startApiWorld();
  await api.send('july.csv', rowsFrom(0, ['ABC123456']));
  await refresh(api);
  const send = vi.spyOn(api.world.bucket, 'send');
  expect((await api.call('GET', '/port-list')).status).toBe(200);
  expect((await api.call('GET', '/ports?cursor=nothing')).body.code).toBe('invalid-cursor');
  expect(send.mock.calls.filter(([command]) => command instanceof GetObjectCommand)).toEqual([]);
});
