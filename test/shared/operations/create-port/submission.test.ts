// The call of a create-port request: its body, and the validation just before it is sent.
import { describe, expect, test, vi } from 'vitest';
import { createCatalogue, keepLists } from '#shared/operations/catalogue.ts';
import { createPort } from '#shared/operations/create-port/create-port.ts';
import type { PlannedRequest } from '#shared/request/request.ts';
import type { PortingClient } from '#shared/service/client.ts';
import { createPortBody } from '#shared/service/contract.ts';
import { checkCells, monday, rowsContext } from '../../../support/ingest/catalogue.ts';

const day = 86_400_000;

/** A request of one row, planned on Monday 29 June 2026 and read back from its plan. */
async function planned(cells: Record<string, string> = {}): Promise<PlannedRequest> {
  const { shape, row } = await checkCells(cells);
  const request = {
    importId: 'import-1',
    request: 1,
    operation: 'create-port',
    token: 'sim1-token',
    label: shape?.label,
    head: JSON.parse(shape?.head ?? 'null'),
    rows: [{ line: 2, ...row }],
  };
  return JSON.parse(JSON.stringify(request));
}

const later = (days: number) => rowsContext({ calendar: () => monday + days * day });

describe('the call', () => {
  test('sends one body as in the spec, with the deterministic name', async () => {
    const send = vi.fn<PortingClient['createPort']>(async () => 'port-1');
    const request = await planned({ boltOns: '101', services: 'Premium=block', esim: 'true', pacExpiry: '2026-07-20' });
    const answer = await createPort.submission.call({ createPort: send } as never, request, 'batch sim1-token');
    expect(answer).toBe('port-1');
    const body = send.mock.calls[0]?.[0];
    expect(body).toEqual({
      name: 'batch sim1-token',
      targetNetworkId: 11,
      sourceNetworkId: 1,
      connectionDate: '2026-07-02T00:00:00',
      portType: 'Port',
      rows: [
        {
          groupName: expect.stringMatching(/^Unlimited /),
          esim: true,
          msisdn: '07700900123',
          serialNo: '8944110068123456787',
          provisioningOrder: 5001,
          provisioningOrderName: null,
          pac: 'ABC123456',
          tariffId: 2001,
          boltOns: [101],
          services: [{ name: 'Premium', value: 'false' }],
        },
      ],
    });
    expect(createPortBody.safeParse(body).success).toBe(true);
  });
});

describe('the revalidation (spec gap 10)', () => {
  test('sends the request as planned while its date can be booked', async () => {
    const request = await planned();
    expect(await createPort.submission.revalidate(request, later(0))).toEqual({ send: request });
  });

  test('returns the holidays right before the date', async () => {
    const request = await planned({ connectionDate: '2026-07-06' });
    expect(await createPort.submission.revalidate(request, later(0))).toEqual({
      send: request,
      holidays: ['2026-07-03'],
    });
    const rolled = await planned({ connectionDate: 'auto' });
    expect(await createPort.submission.revalidate(rolled, later(4))).toMatchObject({
      send: { head: { connectionDate: '2026-07-06' } },
      holidays: ['2026-07-03'],
    });
  });

  test('rejects a given date that has become too early', async () => {
    const answer = await createPort.submission.revalidate(await planned(), later(2));
    expect(answer).toMatchObject({
      rejection: { code: 'DATE_NO_LONGER_AVAILABLE', message: expect.stringMatching(/too early/) },
    });
  });

  test('rolls an automatic date forward, with a note', async () => {
    const answer = await createPort.submission.revalidate(await planned({ connectionDate: 'auto' }), later(1));
    expect(answer).toMatchObject({
      send: { head: { connectionDate: '2026-07-02' } },
      note: expect.stringMatching(/from 2026-07-01 to 2026-07-02/),
    });
  });

  test('does not roll a date forward beyond the expiry of a PAC', async () => {
    const request = await planned({ connectionDate: 'auto', pacExpiry: '2026-07-01' });
    const answer = await createPort.submission.revalidate(request, later(1));
    expect(answer).toMatchObject({
      rejection: { code: 'DATE_NO_LONGER_AVAILABLE', message: expect.stringMatching(/line 2/) },
    });
  });

  test('rejects the request when the network is no longer offered', async () => {
    const context = later(0);
    context.lookups.types.length = 1;
    context.lookups.types[0]?.targetNetworks.shift();
    const answer = await createPort.submission.revalidate(await planned(), context);
    expect(answer).toMatchObject({ rejection: { code: 'TARGET_NETWORK_UNKNOWN' } });
  });

  test('uses the number of an order that another request has created in the meantime (spec gap 17)', async () => {
    const context = later(0);
    await context.catalogue.provisioningOrders(101);
    context.lookups.orders.push({ number: 5009, name: 'Depot' });
    const request = await planned({ provisioningOrder: '', provisioningOrderName: 'Depot' });
    expect(await createPort.submission.revalidate(request, context)).toMatchObject({
      send: { head: { provisioningOrder: 5009, provisioningOrderName: null } },
    });
  });

  test('keeps the name without another lookup when no other request has used it, and the kept orders lack it', async () => {
    const { lookups } = later(0);
    const used: string[] = [];
    const catalogue = createCatalogue(lookups, {
      isFirstUseOf: Object.assign(async (name: string, network: number) => used.push(`${network} ${name}`) === 1, {
        isComing: async () => false,
      }),
    });
    const request = await planned({ provisioningOrder: '', provisioningOrderName: 'Depot' });
    const context = { ...later(0), catalogue };
    expect(await createPort.submission.revalidate(request, context)).toEqual({ send: request });
    expect(lookups.calls.get('orders 101')).toBe(1);
    await createPort.submission.revalidate(request, context);
    expect(lookups.calls.get('orders 101')).toBe(2);
    expect(used).toEqual(['101 depot', '101 depot']);
  });

  test('rejects and moves a request by a fresh list of networks only', async () => {
    const lookups = later(0).lookups;
    const lists = keepLists(
      lookups,
      () => monday,
      () => '',
    )();
    const target = lookups.types[0]?.targetNetworks.shift();
    await createCatalogue(lookups, { lists }).networks();
    lookups.networks = async () => [{ ...lookups.types[0], targetNetworks: [target] }] as never;
    const request = await planned();
    const catalogue = createCatalogue(lookups, { lists });
    expect(await createPort.submission.revalidate(request, { ...later(0), catalogue })).toEqual({ send: request });
  });

  test('keeps the name on a Type-B network, which has no orders', async () => {
    const cells = { targetNetwork: '12', tariff: '3001', provisioningOrder: '', provisioningOrderName: 'Depot' };
    expect(await createPort.submission.revalidate(await planned(cells), later(0))).toMatchObject({
      send: { head: { provisioningOrder: null, provisioningOrderName: 'Depot' } },
    });
  });
});
