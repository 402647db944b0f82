// The items that hold one small thing each: a place in the list of ports, a claim, an event of a SIM, an order.
import * as z from 'zod';
import type { Port } from '../../ports/port.ts';
import type { NewProvisioningOrder, Owner, SimEvent } from '../store.ts';
import { listKey, listSort, timeText } from './port-order.ts';
import type { Item } from './table.ts';

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
