// The order of an account's ports. The process keeps it and reads only what is new before each use: the last page of
// the list costs no more than the first.
import * as z from 'zod';
import type { Table } from './table.ts';

/** Clocks of two processes may differ by this much, and so may the writes of two parallel requests. */
const overlapMs = 10_000;

const listItem = z.object({ sk: z.string(), portId: z.string() });

export const listKey = (accountId: number): string => `account#${accountId}`;

export const timeText = (epochMs: number): string => String(Math.max(0, epochMs)).padStart(15, '0');

export const listSort = (createdAt: number, portId: string): string => `port#${timeText(createdAt)}#${portId}`;

export interface PortOrder {
  /** Ids of the account's ports, oldest first. */
  ids(accountId: number): Promise<readonly string[]>;
  forget(): void;
}

interface Known {
  readonly ids: string[];
  readonly seen: Set<string>;
  latest: number;
}

export function createPortOrder(table: Table): PortOrder {
  const byAccount = new Map<number, Known>();
  return {
    async ids(accountId) {
      const known: Known = byAccount.get(accountId) ?? { ids: [], seen: new Set(), latest: 0 };
      byAccount.set(accountId, known);
      const from = `port#${timeText(known.latest - overlapMs)}`;
      for (const item of await table.query(listKey(accountId), { prefix: 'port#', from })) {
        const { sk, portId } = listItem.parse(item);
        if (known.seen.has(portId)) continue;
        known.seen.add(portId);
        known.ids.push(portId);
        known.latest = Math.max(known.latest, Number(sk.slice(5, 20)));
      }
      return known.ids;
    },
    forget: () => byAccount.clear(),
  };
}
