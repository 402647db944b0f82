// Ends the leases of killed processes, so that a test need not wait until they expire.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { EmulatorFile } from '#local/data-folder.ts';
import { documentClient } from '#shared/store/clients.ts';
import { leaseKey, requestKey } from '#shared/store/tables/item-keys.ts';
import { connectionTo } from '../support/local-emulator.ts';
import type { EmulatorClient } from './emulator-client.ts';
import { requestsAmong } from './evidence.ts';

/** Ends leases taken before `killedAt` (wall time, epoch milliseconds); their owners must be dead. */
export async function endLeasesBefore(
  killedAt: number,
  { endpoints, environment, outputs }: Pick<EmulatorFile, 'endpoints' | 'environment' | 'outputs'>,
  client: Pick<EmulatorClient, 'readItems'>,
): Promise<void> {
  const table = documentClient(new DynamoDBClient(connectionTo(endpoints.dynamodb, environment)));
  const TableName = outputs.ResultsTable;
  const now = new Date().toISOString();
  const interrupted = requestsAmong(await client.readItems()).filter(
    ({ state, changedAt }) => state === 'in-flight' && Date.parse(changedAt) < killedAt,
  );
  for (const { importId, request } of interrupted) {
    await table.send(
      new UpdateCommand({
        TableName,
        Key: { ...requestKey(importId, request) },
        UpdateExpression: 'SET dueAt = :now',
        ExpressionAttributeValues: { ':now': now },
      }),
    );
  }
  // A new run may have taken the lease by now; the ledger is safe when two runs overlap.
  await table.send(new DeleteCommand({ TableName, Key: { ...leaseKey('sync') } }));
  table.destroy();
}
