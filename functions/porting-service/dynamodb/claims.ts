// Claims on numbers: one item per number, conditional, so that a number is in one live port only.
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Port } from '../port.ts';
import type { PortInsert } from '../store.ts';
import { chunksOf, type Table } from './table.ts';

export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

export const claimKey = (number: string) => ({ pk: `number#${number}`, sk: 'claim' });

/** A transaction may have 100 writes. */
export const maxWrites = 100;

/** Takes a free number, or one whose holder has let go of it. */
export const claimWrites = (table: Table, { port, released }: PortInsert, claimedAt: number): Write[] =>
  port.rows.map(({ number }) => {
    const holder = released.get(number);
    return {
      Put: {
        TableName: table.name,
        Item: { ...claimKey(number), portId: port.id, accountId: port.accountId, claimedAt },
        ConditionExpression:
          holder === undefined ? 'attribute_not_exists(pk)' : 'attribute_not_exists(pk) OR portId = :holder',
        ...(holder !== undefined && { ExpressionAttributeValues: { ':holder': holder } }),
      },
    };
  });

/** Makes all the writes or none; answers the places of those whose condition failed, none when they were made. */
export async function transact(table: Table, writes: readonly Write[]): Promise<number[]> {
  for (;;) {
    try {
      await table.client.send(new TransactWriteCommand({ TransactItems: [...writes] }));
      return [];
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      const reasons = error.CancellationReasons ?? [];
      const failed = reasons.flatMap(({ Code }, index) => (Code === 'ConditionalCheckFailed' ? index : []));
      if (failed.length > 0) return failed;
      // Two transactions met on an item; the other one is through by now.
      if (!reasons.some(({ Code }) => Code === 'TransactionConflict')) throw error;
    }
  }
}

const releaseWrite = (table: Table, number: string, port: Port): Write => ({
  Delete: {
    TableName: table.name,
    Key: claimKey(number),
    ConditionExpression: 'portId = :mine',
    ExpressionAttributeValues: { ':mine': port.id },
  },
});

/** Claims the numbers of a port too large for one transaction; gives all of them back when one is taken. */
export async function claimInChunks(table: Table, insert: PortInsert, claimedAt: number): Promise<string[]> {
  const numbers = insert.port.rows.map(({ number }) => number);
  const writes = claimWrites(table, insert, claimedAt);
  let claimed = 0;
  for (const chunk of chunksOf(writes, maxWrites)) {
    const failed = await transact(table, chunk);
    if (failed.length > 0) {
      const mine = numbers.slice(0, claimed).map((number) => releaseWrite(table, number, insert.port));
      for (const releases of chunksOf(mine, maxWrites)) await transact(table, releases);
      return failed.map((index) => numbers[claimed + index] ?? '');
    }
    claimed += chunk.length;
  }
  return [];
}
