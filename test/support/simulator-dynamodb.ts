// An embedded DynamoDB of the test's own, in memory, with the service's table in it.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { CreateTableCommand, DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createTable, type Table, tableDefinition } from '#simulator/store/dynamodb/table.ts';

const binary = new URL('../../node_modules/@dynoxide/linux-x64/dynoxide', import.meta.url).pathname;

const freeTcpPort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

async function untilItAnswers(client: DynamoDBClient): Promise<void> {
  for (;;) {
    try {
      await client.send(new ListTablesCommand({}));
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

export interface TestDynamoDb {
  readonly endpoint: string;
  /** A new, empty table. */
  newTable(): Promise<Table>;
  stop(): void;
}

export async function startDynamoDb(): Promise<TestDynamoDb> {
  const port = await freeTcpPort();
  const process = spawn(binary, ['serve', '--host', '127.0.0.1', '--port', String(port)], { stdio: 'ignore' });
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new DynamoDBClient({
    endpoint,
    region: 'eu-west-2',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  await untilItAnswers(client);
  let tables = 0;
  return {
    endpoint,
    async newTable() {
      tables += 1;
      const name = `porting-service-${tables}`;
      await client.send(new CreateTableCommand(tableDefinition(name)));
      return createTable(name, DynamoDBDocumentClient.from(client));
    },
    stop() {
      client.destroy();
      process.kill();
    },
  };
}
