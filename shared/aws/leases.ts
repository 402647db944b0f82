// A lease by name: of all runs that ask at once exactly one gets it, and a run that died lets it lapse.
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { whetherWritten } from './conditional.ts';
import { leaseKey } from './keys.ts';

export interface Leases {
  /** Takes the lease for `holder` from `now` until `until` (wall time, ISO); false while another holder's is running. */
  take(name: string, holder: string, now: string, until: string): Promise<boolean>;
  /** Gives the lease back, if `holder` still has it. */
  release(name: string, holder: string): Promise<void>;
}

export function createLeases(client: DynamoDBDocumentClient, table: string): Leases {
  const take = (name: string, holder: string, now: string, until: string): Promise<boolean> =>
    whetherWritten(() =>
      client.send(
        new PutCommand({
          TableName: table,
          Item: { ...leaseKey(name), holder, leaseUntil: until },
          ConditionExpression: 'attribute_not_exists(pk) OR leaseUntil <= :now OR holder = :holder',
          ExpressionAttributeValues: { ':now': now, ':holder': holder },
        }),
      ),
    );

  const release = async (name: string, holder: string): Promise<void> => {
    const remove = new DeleteCommand({
      TableName: table,
      Key: { ...leaseKey(name) },
      ConditionExpression: 'holder = :holder',
      ExpressionAttributeValues: { ':holder': holder },
    });
    await whetherWritten(() => client.send(remove));
  };

  return { take, release };
}
