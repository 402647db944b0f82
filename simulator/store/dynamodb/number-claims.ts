// Claims on numbers: one item per number, written conditionally, so that a number has one owner only.
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { type Owner, ownerKey, type Released } from '../store.ts';
import { chunksOf, type Table } from './table.ts';

export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

export const claimKey = (number: string) => ({ pk: `number#${number}`, sk: 'claim' });

export interface ClaimRequest {
  readonly accountId: number;
  readonly owners: ReadonlyMap<string, Owner>;
  readonly released: Released;
  /** Wall time, epoch milliseconds. */
  readonly claimedAt: number;
}

export const claimItem = (number: string, owner: Owner, { accountId, claimedAt }: ClaimRequest) => ({
  ...claimKey(number),
  accountId,
  claimedAt,
  owner,
  holder: ownerKey(owner),
});

/** Claims each number that is free, or whose owner has released it. */
export const claimWrites = (table: Table, request: ClaimRequest): Write[] =>
  [...request.owners].map(([number, owner]) => {
    const earlier = request.released.get(number);
    return {
      Put: {
        TableName: table.name,
        Item: claimItem(number, owner, request),
        ConditionExpression:
          earlier === undefined ? 'attribute_not_exists(pk)' : 'attribute_not_exists(pk) OR holder = :earlier',
        ...(earlier !== undefined && { ExpressionAttributeValues: { ':earlier': earlier } }),
      },
    };
  });

/** DynamoDB limits a transaction to 100 writes. */
export const maxWrites = 100;

/** Makes all the writes or none. Returns the indexes of those whose condition failed; none if they were made. */
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
      // Two transactions wrote the same item at once: the other one has finished by now.
      if (!reasons.some(({ Code }) => Code === 'TransactionConflict')) throw error;
    }
  }
}

/** Releases claims, unless another owner has them by now. */
export async function releaseNumbers(table: Table, owners: ReadonlyMap<string, Owner>): Promise<void> {
  const releases = [...owners].map(
    ([number, owner]): Write => ({
      Delete: {
        TableName: table.name,
        Key: claimKey(number),
        ConditionExpression: 'holder = :mine',
        ExpressionAttributeValues: { ':mine': ownerKey(owner) },
      },
    }),
  );
  for (const chunk of chunksOf(releases, maxWrites)) await transact(table, chunk);
}

/** Claims numbers in several transactions, and releases them all if one is taken. Returns those that are taken. */
export async function claimInChunks(table: Table, request: ClaimRequest): Promise<string[]> {
  const numbers = [...request.owners.keys()];
  let claimed = 0;
  for (const chunk of chunksOf(claimWrites(table, request), maxWrites)) {
    const failed = await transact(table, chunk);
    if (failed.length > 0) {
      await releaseNumbers(table, new Map([...request.owners].slice(0, claimed)));
      return failed.map((index) => numbers[claimed + index] ?? '');
    }
    claimed += chunk.length;
  }
  return [];
}
