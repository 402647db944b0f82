// `npm run service`: the porting simulator as a program.
import { parseArgs } from 'node:util';
import { CreateTableCommand, ResourceInUseException, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { calendarFromFile } from '#shared/runtime/calendar-file.ts';
import { acceleratedClock, wallClock } from '#shared/runtime/clock.ts';
import { parseClients } from './auth.ts';
import { readCatalogue } from './catalogue/catalogue.ts';
import { choiceNames, choicesMarkdown, choiceTable, isFlag, readChoices } from './choices.ts';
import { latestTime } from './controls/controls.ts';
import { lifecycleMarkdown } from './ports/lifecycle.ts';
import { startSimulator } from './start-simulator.ts';
import { createTable, documentClient, tableDefinition } from './store/dynamodb/table.ts';
import { createDynamoDbStore } from './store/dynamodb-store.ts';
import { createMemoryStore } from './store/memory-store.ts';
import type { Store } from './store/store.ts';

const choiceUsage = choiceNames
  .map((name) => `  --${name}${isFlag(name) ? '' : ` ${choiceTable[name].values.join('|')}`}`)
  .join('\n');

const usage = `Usage: npm run -s service -- [options]

  --port N          TCP port; 0 takes a free one (default 8080)
  --host HOST       address to listen on (default 127.0.0.1)
  --speed N         the ports' clock runs N times as fast as the wall clock (default 1)
  --origin MS       epoch milliseconds at which the faster clock started (default: now)
  --calendar FILE   the ports' clock, in place of both: simporter writes this file
  --catalogue FILE  accounts, networks and tariffs from this file
  --store KIND      memory, or dynamodb (default memory)
  --table NAME      the DynamoDB table, created if it is missing (default porting-service)
  --sandbox         enable the test controls under /_sandbox
  --token-seconds N lifetime of a token (default 3600)
  --requests-per-second N  answer 429 above this rate for each account (default: no limit)
  --proxy URL       forward each call to the real service, and report where its answers differ from the document
  --proxy-auth URL  the address of its token call (default: that of --proxy)
  --record FILE     with --proxy: write each call and answer to a new file, without codes, tokens and secrets
  --replay FILE     answer from such a file
  --json            print the addresses and the clients as one line of JSON, and the differences, too
  --openapi         print the OpenAPI document and end
  --moves           print the table of moves as Markdown and end
  --choices         print the table of choices as Markdown and end
  --help            show this

Choices where the specification is open (docs/reference/simulator.md); the first value is the default:
${choiceUsage}

PORTING_SERVICE_CLIENTS='[{"clientId": "...", "clientSecret": "...", "accountId": 1001}]' names the clients;
without it each account gets one, with a new secret at each start.`;

const choiceArguments = Object.fromEntries(
  choiceNames.map((name) => [name, { type: isFlag(name) ? 'boolean' : 'string' } as const]),
);

const argumentsOf = {
  ...choiceArguments,
  port: { type: 'string', default: '8080' },
  host: { type: 'string', default: '127.0.0.1' },
  speed: { type: 'string', default: '1' },
  origin: { type: 'string', default: String(wallClock()) },
  calendar: { type: 'string' },
  catalogue: { type: 'string' },
  store: { type: 'string', default: 'memory' },
  table: { type: 'string', default: 'porting-service' },
  sandbox: { type: 'boolean', default: false },
  'token-seconds': { type: 'string', default: '3600' },
  'requests-per-second': { type: 'string' },
  proxy: { type: 'string' },
  'proxy-auth': { type: 'string' },
  record: { type: 'string' },
  replay: { type: 'string' },
  json: { type: 'boolean', default: false },
  openapi: { type: 'boolean', default: false },
  moves: { type: 'boolean', default: false },
  choices: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

const settingsSchema = z.object({
  port: z.coerce.number().int().min(0).max(65_535),
  host: z.string(),
  speed: z.coerce.number().positive().max(1_000_000),
  origin: z.coerce.number().int().min(0).max(latestTime),
  calendar: z.string().optional(),
  catalogue: z.string().optional(),
  store: z.enum(['memory', 'dynamodb']),
  table: z.string(),
  sandbox: z.boolean(),
  'token-seconds': z.coerce.number().int().min(1).max(1_000_000),
  'requests-per-second': z.coerce.number().positive().optional(),
  proxy: z.string().optional(),
  'proxy-auth': z.string().optional(),
  record: z.string().optional(),
  replay: z.string().optional(),
  json: z.boolean(),
});
type Settings = z.infer<typeof settingsSchema>;
type Values = Readonly<Record<string, string | boolean | undefined>>;

function choicesOf(values: Values) {
  const given = choiceNames.map((name) => [name, values[name] === true ? 'on' : values[name]] as const);
  return readChoices(
    Object.fromEntries(given.filter(([, value]) => typeof value === 'string')) as Record<string, string>,
  );
}

const tableSeconds = 120;

async function openStore({ store, table }: Settings): Promise<Store> {
  if (store === 'memory') return createMemoryStore();
  const client = documentClient();
  try {
    await client.send(new CreateTableCommand(tableDefinition(table)));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
  }
  // Calls to a table that is being created fail.
  const patience = { client, maxWaitTime: tableSeconds, minDelay: 1, maxDelay: 2 };
  await waitUntilTableExists(patience, { TableName: table });
  return createDynamoDbStore(createTable(table, client), wallClock);
}

async function serve(settings: Settings, values: Values): Promise<void> {
  const { port, host, speed, origin, sandbox, json, 'requests-per-second': requestsPerSecond } = settings;
  const clients = process.env.PORTING_SERVICE_CLIENTS;
  const service = await startSimulator({
    port,
    host,
    sandbox,
    choices: choicesOf(values),
    tokenSeconds: settings['token-seconds'],
    ...(requestsPerSecond !== undefined && { requestsPerSecond }),
    clock: settings.calendar === undefined ? acceleratedClock(origin, speed) : calendarFromFile(settings.calendar),
    catalogue: readCatalogue(settings.catalogue),
    store: await openStore(settings),
    ...(clients && { clients: parseClients(clients, 'PORTING_SERVICE_CLIENTS') }),
    onError: (error, method, path) => console.error(`${method} ${path}:`, error),
  });
  announce({ baseUrl: service.baseUrl, authUrl: service.authUrl, clients: service.clients }, json);
  if (!json) console.log(`\nDocumentation: ${service.baseUrl}/docs`);
  atEnd(service.stop);
}

const announce = (what: object, isJson: boolean): void => console.log(JSON.stringify(what, null, isJson ? 0 : 2));

function atEnd(stop: () => Promise<void>): void {
  // The last is the end of the program that started this one with a channel.
  for (const end of ['SIGINT', 'SIGTERM', 'disconnect']) {
    process.once(end, () => void stop().then(() => process.exit()));
  }
}

async function serveRealAnswers(settings: Settings, values: Values): Promise<void> {
  // Only this needs the validator of JSON schemas.
  const { startRealAnswers } = await import('./proxy/start-real-answers.ts');
  const { baseUrl, stop } = await startRealAnswers(settings, () => documentText(values));
  announce({ baseUrl, authUrl: baseUrl }, settings.json);
  atEnd(stop);
}

async function documentText(values: Values): Promise<string> {
  const service = await startSimulator({ choices: choicesOf(values) });
  const response = await service.simulator.fetch(new Request(`${service.baseUrl}/openapi.json`));
  await service.stop();
  return response.text();
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: argumentsOf });
  if (values.help) return console.log(usage);
  if (values.moves) return console.log(lifecycleMarkdown());
  if (values.choices) return console.log(choicesMarkdown());
  if (values.openapi) return console.log(await documentText(values));
  const settings = settingsSchema.safeParse(values);
  if (!settings.success) throw new Error(z.prettifyError(settings.error));
  const { proxy, replay, record } = settings.data;
  const isReal = [proxy, replay, record, settings.data['proxy-auth']].some((value) => value !== undefined);
  return isReal ? serveRealAnswers(settings.data, values) : serve(settings.data, values);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error('See: npm run -s service -- --help');
  process.exit(2);
}
