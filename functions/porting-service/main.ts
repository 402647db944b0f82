// `npm run service`: the porting service by itself.
import { parseArgs } from 'node:util';
import { CreateTableCommand, ResourceInUseException } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { acceleratedClock, wallClock } from '#shared/runtime/clock.ts';
import { readCatalogue } from './catalogue.ts';
import { parseClients } from './clients.ts';
import { createTable, documentClient, tableDefinition } from './dynamodb/table.ts';
import { lifecycleMarkdown } from './lifecycle-drawing.ts';
import { startServer } from './server.ts';
import type { Store } from './store.ts';
import { createDynamoDbStore } from './store-dynamodb.ts';
import { createMemoryStore } from './store-memory.ts';

const usage = `Usage: npm run -s service -- [options]

  --port N          TCP port; 0 takes a free one (default 8080)
  --host HOST       address to listen on (default 127.0.0.1)
  --speed N         the ports' calendar runs N times as fast as the wall clock (default 1)
  --origin MS       epoch milliseconds at which the faster calendar started (default: now)
  --catalogue FILE  accounts, networks and tariffs from this file instead of the one that comes along
  --store KIND      memory, or dynamodb (default memory)
  --table NAME      the DynamoDB table, made where it is missing (default porting-service)
  --sandbox         switch the controls under /_sandbox on
  --single-lookups  answer Type-A tariffs and bolt-ons as one object instead of an array
  --json            print the addresses and the clients as one line of JSON
  --openapi         print the OpenAPI document and end
  --moves           print the table of moves as Markdown and end
  --help            show this

PORTING_SERVICE_CLIENTS='[{"clientId": "...", "clientSecret": "...", "accountId": 1001}]' names the clients;
without it each account gets one, with a new secret at each start.`;

const argumentsOf = {
  port: { type: 'string', default: '8080' },
  host: { type: 'string', default: '127.0.0.1' },
  speed: { type: 'string', default: '1' },
  origin: { type: 'string', default: String(wallClock()) },
  catalogue: { type: 'string' },
  store: { type: 'string', default: 'memory' },
  table: { type: 'string', default: 'porting-service' },
  sandbox: { type: 'boolean', default: false },
  'single-lookups': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  openapi: { type: 'boolean', default: false },
  moves: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const settingsSchema = z.object({
  port: z.coerce.number().int().min(0).max(65_535),
  host: z.string(),
  speed: z.coerce.number().positive(),
  origin: z.coerce.number(),
  catalogue: z.string().optional(),
  store: z.enum(['memory', 'dynamodb']),
  table: z.string(),
  sandbox: z.boolean(),
  'single-lookups': z.boolean(),
  json: z.boolean(),
});
type Settings = z.infer<typeof settingsSchema>;

async function openStore({ store, table }: Settings): Promise<Store> {
  if (store === 'memory') return createMemoryStore();
  const client = documentClient();
  try {
    await client.send(new CreateTableCommand(tableDefinition(table)));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  return createDynamoDbStore(createTable(table, client), wallClock);
}

async function serve(settings: Settings): Promise<void> {
  const { port, host, speed, origin, sandbox, json } = settings;
  const clients = process.env.PORTING_SERVICE_CLIENTS;
  const server = await startServer({
    port,
    host,
    sandbox,
    singleLookups: settings['single-lookups'],
    clock: acceleratedClock(origin, speed),
    catalogue: readCatalogue(settings.catalogue),
    store: await openStore(settings),
    ...(clients && { clients: parseClients(clients, 'PORTING_SERVICE_CLIENTS') }),
    onError: (error, method, path) => console.error(`${method} ${path}:`, error),
  });
  const announcement = { baseUrl: server.baseUrl, authUrl: server.authUrl, clients: server.clients };
  console.log(JSON.stringify(announcement, null, json ? 0 : 2));
  if (!json) console.log(`\nDocumentation: ${server.baseUrl}/docs`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void server.close().then(() => process.exit()));
  }
}

async function printDocument(): Promise<void> {
  const server = await startServer();
  const response = await server.service.fetch(new Request(`${server.baseUrl}/openapi.json`));
  console.log(await response.text());
  await server.close();
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: argumentsOf });
  if (values.help) return console.log(usage);
  if (values.moves) return console.log(lifecycleMarkdown());
  if (values.openapi) return printDocument();
  const settings = settingsSchema.safeParse(values);
  if (!settings.success) throw new Error(z.prettifyError(settings.error));
  return serve(settings.data);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error('See: npm run -s service -- --help');
  process.exit(2);
}
