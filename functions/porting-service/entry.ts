// Wires the service to its table and its clients on AWS. Only this file acts when it is imported.
import { randomUUID } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { acceleratedClock, wallClock } from '#shared/runtime/clock.ts';
import { createService } from './app.ts';
import catalogueData from './catalogue/default.json' with { type: 'json' };
import { createCatalogue } from './catalogue.ts';
import { parseClients } from './clients.ts';
import { createTable, documentClient } from './dynamodb/table.ts';
import { createHandler } from './handler.ts';
import { createDynamoDbStore } from './store-dynamodb.ts';

const environment = z
  .object({
    PORTING_SERVICE_TABLE: z.string().min(1),
    /** A secret whose text is `{"clientId", "clientSecret", "accountId"}`, or a list of them. */
    PORTING_SERVICE_CLIENTS_ARN: z.string().min(1),
    PORTING_SERVICE_SANDBOX: z.enum(['true', 'false']).default('false'),
    CALENDAR_ORIGIN: z.coerce.number().optional(),
    CALENDAR_SPEED: z.coerce.number().positive().default(1),
  })
  .parse(process.env);

const { PORTING_SERVICE_CLIENTS_ARN: secretId, CALENDAR_ORIGIN: origin, CALENDAR_SPEED: speed } = environment;
const secret = await new SecretsManagerClient({}).send(new GetSecretValueCommand({ SecretId: secretId }));

export const handler = createHandler(
  createService({
    store: createDynamoDbStore(createTable(environment.PORTING_SERVICE_TABLE, documentClient()), wallClock),
    catalogue: createCatalogue(catalogueData),
    clients: parseClients(secret.SecretString ?? '', `The secret ${secretId}`),
    clock: origin === undefined ? wallClock : acceleratedClock(origin, speed),
    wall: wallClock,
    random: { uuid: () => randomUUID() },
    sandbox: environment.PORTING_SERVICE_SANDBOX === 'true',
    onError: (error, method, path) =>
      console.error(JSON.stringify({ level: 'ERROR', method, path, error: String(error) })),
  }),
);
