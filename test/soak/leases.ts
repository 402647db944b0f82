// Leases of processes that a test has killed: nobody wants to wait there until they have run out.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { EngineFile } from '#local/directory.ts';
import { documentClient } from '#shared/aws/clients.ts';
import { leaseKey, requestKey } from '#shared/aws/keys.ts';
import { connectionTo } from '../support/local-engine.ts';
import { requestsAmong } from './evidence.ts';
import type { View } from './view.ts';

/** Ends what was taken before `killedAt` (wall time, epoch ms), when everything that had taken it was dead. */
export async function endLeasesBefore(
  killedAt: number,
  { endpoints, outputs }: Pick<EngineFile, 'endpoints' | 'outputs'>,
  view: Pick<View, 'items'>,
): Promise<void> {
  const table = documentClient(new DynamoDBClient(connectionTo(endpoints.dynamodb)));
  const TableName = outputs.ResultsTable;
  const now = new Date().toISOString();
  const left = requestsAmong(await view.items()).filter(
    ({ state, changedAt }) => state === 'in-flight' && Date.parse(changedAt) < killedAt,
  );
  for (const { importId, request } of left) {
    await table.send(
      new UpdateCommand({
        TableName,
        Key: { ...requestKey(importId, request) },
        UpdateExpression: 'SET leaseUntil = :now, dueAt = :now',
        ExpressionAttributeValues: { ':now': now },
      }),
    );
  }
  // Were it that of a new run by now, two runs would overlap: the ledger is fenced against that.
  await table.send(new DeleteCommand({ TableName, Key: { ...leaseKey('sync') } }));
  table.destroy();
}
