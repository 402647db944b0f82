// An embedded DynamoDB of the test's own, in memory, with the service's table in it.
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { startDynamoDb as startEmbedded } from '#local/aws/dynamodb.ts';
import { createTable, type Table, tableDefinition } from '#simulator/store/dynamodb/table.ts';

export interface TestDynamoDb {
  readonly endpoint: string;
  /** A new, empty table. */
  newTable(): Promise<Table>;
  stop(): Promise<void>;
}

export async function startDynamoDb(): Promise<TestDynamoDb> {
  const { url: endpoint, stop } = await startEmbedded();
  const client = new DynamoDBClient({
    endpoint,
    region: 'eu-west-2',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  let tables = 0;
  return {
    endpoint,
    async newTable() {
      tables += 1;
      const name = `porting-service-${tables}`;
      await client.send(new CreateTableCommand(tableDefinition(name)));
      return createTable(name, DynamoDBDocumentClient.from(client));
    },
    async stop() {
      client.destroy();
      await stop();
    },
  };
}
