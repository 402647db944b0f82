// The order of an account's ports. The process keeps it and reads only what is new before each use: the last page of
// the list costs no more than the first.
import * as z from 'zod';
import type { Port } from '../../ports/port.ts';
import type { NewProvisioningOrder, Owner, SimEvent } from '../store.ts';
import type { Item, Table } from './table.ts';

/** Clocks of two processes may differ by this much, and so may the writes of two parallel requests. */
const overlapMs = 10_000;

const listedPort = z.object({ sk: z.string(), portId: z.string() });

export const listKey = (accountId: number): string => `account#${accountId}`;

export const timeText = (epochMs: number): string => String(Math.max(0, epochMs)).padStart(15, '0');

const listSort = (createdAt: number, portId: string): string => `port#${timeText(createdAt)}#${portId}`;

interface Known {
  /** Ids of the account's ports, oldest first. */
  readonly ids: string[];
  readonly seen: Set<string>;
  latest: number;
}

export function createPortOrder(table: Table) {
  const byAccount = new Map<number, Known>();
  return {
    /** The ids of the account's ports, oldest first. */
    async ids(accountId: number): Promise<readonly string[]> {
      const known: Known = byAccount.get(accountId) ?? { ids: [], seen: new Set(), latest: 0 };
      byAccount.set(accountId, known);
      const from = `port#${timeText(known.latest - overlapMs)}`;
      for (const item of await table.query(listKey(accountId), { prefix: 'port#', from })) {
        const { sk, portId } = listedPort.parse(item);
        if (known.seen.has(portId)) continue;
        known.seen.add(portId);
        known.ids.push(portId);
        known.latest = Math.max(known.latest, Number(sk.slice(5, 20)));
      }
      return known.ids;
    },
    forget: (): void => byAccount.clear(),
  };
}

export type PortOrder = ReturnType<typeof createPortOrder>;

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

export const claimSchema = z.object({
  pk: z.string(),
  accountId: z.int(),
  claimedAt: z.number(),
  owner: z.custom<Owner>(isObject),
});
export const eventSchema = z.object({ event: z.custom<SimEvent>(isObject) });
export const orderSchema = z.object({
  accountId: z.int(),
  networkNumber: z.int(),
  number: z.int(),
  name: z.string(),
});

export const listItem = ({ id, accountId }: Port, createdAt: number): Item => ({
  pk: listKey(accountId),
  sk: listSort(createdAt, id),
  accountId,
  portId: id,
});

/** Events that count from the same time are applied in the order in which they were accepted, at `wall`. */
export const eventItems = (events: readonly SimEvent[], wall: number): Item[] =>
  events.map((event) => {
    const cause = 'portId' in event.cause ? event.cause.portId : event.cause.ticketNumber;
    const sk = `${timeText(event.at)}#${timeText(wall)}#${cause}`;
    return { pk: `sim#${event.serialNumber}`, sk, accountId: event.accountId, event };
  });

export const ordersKey = (accountId: number, networkNumber: number): string => `orders#${accountId}#${networkNumber}`;

export const orderItem = (order: NewProvisioningOrder): Item => ({
  pk: ordersKey(order.accountId, order.networkNumber),
  sk: order.name,
  ...order,
});
