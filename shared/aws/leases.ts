// A lease by name: of all runs that ask at once exactly one gets it, and a run that died lets it lapse. It can carry a word from
// one holder to the next.
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { whetherWritten } from './conditional.ts';
import { leaseKey } from './keys.ts';

export interface Leases {
  /** Takes the lease for `holder` from `now` until `until` (wall time, ISO); false while another holder's is running. */
  take(name: string, holder: string, now: string, until: string): Promise<boolean>;
  /** The same, and answers what its last holder noted, `''` where that was nothing; undefined while another's is running. */
  takeUp(name: string, holder: string, now: string, until: string): Promise<string | undefined>;
  /** Leaves a word for the next holder, if `holder` still has the lease. */
  note(name: string, holder: string, until: string, word: string): Promise<void>;
  /** Gives the lease back, if `holder` still has it. */
  release(name: string, holder: string): Promise<void>;
}

export function createLeases(client: DynamoDBDocumentClient, table: string): Leases {
  const takeUp = async (name: string, holder: string, now: string, until: string): Promise<string | undefined> => {
    const put = new PutCommand({
      TableName: table,
      Item: { ...leaseKey(name), holder, leaseUntil: until },
      ConditionExpression: 'attribute_not_exists(pk) OR leaseUntil <= :now OR holder = :holder',
      ExpressionAttributeValues: { ':now': now, ':holder': holder },
      ReturnValues: 'ALL_OLD',
    });
    let before: Readonly<Record<string, unknown>> = {};
    const taken = await whetherWritten(async () => {
      const { Attributes = {} } = await client.send(put);
      before = Attributes;
    });
    return taken ? String(before.noted ?? '') : undefined;
  };

  const take = async (name: string, holder: string, now: string, until: string): Promise<boolean> =>
    (await takeUp(name, holder, now, until)) !== undefined;

  const note = async (name: string, holder: string, until: string, word: string): Promise<void> => {
    const put = new PutCommand({
      TableName: table,
      Item: { ...leaseKey(name), holder, leaseUntil: until, noted: word },
      ConditionExpression: 'holder = :holder',
      ExpressionAttributeValues: { ':holder': holder },
    });
    await whetherWritten(() => client.send(put));
  };

  const release = async (name: string, holder: string): Promise<void> => {
    const remove = new DeleteCommand({
      TableName: table,
      Key: { ...leaseKey(name) },
      ConditionExpression: 'holder = :holder',
      ExpressionAttributeValues: { ':holder': holder },
    });
    await whetherWritten(() => client.send(remove));
  };

  return { take, takeUp, note, release };
}
