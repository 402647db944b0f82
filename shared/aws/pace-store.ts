// The pace of calls to the service, as the table keeps it: one item for the whole stage, changed on the revision that was seen.
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type PaceItem, paceItem } from '#shared/domain/pace.ts';
import { whetherWritten } from './conditional.ts';
import { paceKey } from './keys.ts';

export interface PaceStore {
  /** Strongly consistent; undefined before the first call of all. */
  get(): Promise<PaceItem | undefined>;
  /** Writes `next` in the place of what was seen; false when that is not what stands there any more. */
  replace(seen: PaceItem | undefined, next: PaceItem): Promise<boolean>;
}

export function createPaceStore(client: DynamoDBDocumentClient, table: string, account: number): PaceStore {
  const get = async (): Promise<PaceItem | undefined> => {
    const found = await client.send(
      new GetCommand({ TableName: table, Key: { ...paceKey(account) }, ConsistentRead: true }),
    );
    return found.Item && paceItem.parse(found.Item);
  };

  const replace = (seen: PaceItem | undefined, next: PaceItem): Promise<boolean> =>
    whetherWritten(() =>
      client.send(
        new PutCommand({
          TableName: table,
          Item: { ...paceKey(account), ...next, revision: (seen?.revision ?? 0) + 1 },
          ConditionExpression: seen === undefined ? 'attribute_not_exists(pk)' : 'revision = :revision',
          ...(seen === undefined ? {} : { ExpressionAttributeValues: { ':revision': seen.revision } }),
        }),
      ),
    );

  return { get, replace };
}
