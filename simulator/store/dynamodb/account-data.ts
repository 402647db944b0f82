// Everything of one account, read and replaced as a whole: for dumps, snapshots, seeds and resets.
import * as z from 'zod';
import type { AccountData } from '../store.ts';
import { type ClaimRequest, claimItem, claimKey } from './number-claims.ts';
import { claimSchema, eventItems, eventSchema, listItem, orderItem, orderSchema } from './port-order.ts';
import { type Item, inParallel, type Table } from './table.ts';
import { portItems, portOfItems, submissionItems, submissionsOfItems } from './zipped-items.ts';

const byKey = (one: Item, other: Item): number => {
  const [left, right] = [`${one.pk}\n${one.sk}`, `${other.pk}\n${other.sk}`];
  return left < right ? -1 : Number(left > right);
};

const listed = z.object({ portId: z.string() });

export async function readAccount(table: Table, accountId: number): Promise<AccountData> {
  const items = (await table.scanAccount(accountId)).sort(byKey);
  const withKey = (pk: string, sk = ''): Item[] =>
    items.filter((item) => item.pk.startsWith(pk) && item.sk.startsWith(sk));
  const partsById = Map.groupBy(withKey('port#'), ({ pk }) => pk.slice('port#'.length));
  const ids = z.array(listed).parse(withKey('account#', 'port#'));
  const ports = await inParallel(ids, 25, ({ portId }) => portOfItems(partsById.get(portId) ?? []));
  return {
    ports: ports.flatMap((port) => port ?? []),
    simEvents: z
      .array(eventSchema)
      .parse(withKey('sim#'))
      .map(({ event }) => event),
    provisioningOrders: z.array(orderSchema).parse(withKey('orders#')),
    submissions: await submissionsOfItems(withKey('account#', 'ticket#')),
    claims: z
      .array(claimSchema)
      .parse(withKey('number#'))
      .map(({ pk, owner }) => ({ number: pk.slice('number#'.length), owner })),
  };
}

async function itemsOf(accountId: number, data: AccountData, now: number): Promise<Item[]> {
  // A new version: another process that cached an earlier port of this id must not take that one for this.
  const ports = data.ports.map((port) => ({ ...port, version: now }));
  const request: ClaimRequest = { accountId, claimedAt: now, owners: new Map(), released: new Map() };
  // The past: a port that is created a moment later must be newer than all of these.
  const createdAt = (index: number): number => now - data.ports.length + index;
  return [
    ...(await Promise.all(ports.map(portItems))).flat(),
    ...ports.map((port, index) => listItem(port, createdAt(index))),
    ...data.simEvents.flatMap((event, index) => eventItems([event], now - data.simEvents.length + index)),
    ...data.provisioningOrders.map(orderItem),
    ...(await Promise.all(data.submissions.map(submissionItems))).flat(),
    ...data.claims.map(({ number, owner }) => claimItem(number, owner, request)),
  ];
}

/** Returns the numbers that another account holds; then nothing was changed. */
export async function replaceAccount(
  table: Table,
  accountId: number,
  data: AccountData,
  now: number,
): Promise<string[]> {
  const claims = z.array(claimSchema).parse(await table.batchGet(data.claims.map(({ number }) => claimKey(number))));
  const foreign = claims.filter((claim) => claim.accountId !== accountId);
  if (foreign.length > 0) return foreign.map(({ pk }) => pk.slice('number#'.length));
  await table.batchDelete(await table.scanAccount(accountId));
  await table.batchPut(await itemsOf(accountId, data, now));
  return [];
}
