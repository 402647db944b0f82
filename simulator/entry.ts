// Connects the simulator to its table and its clients on AWS. Only this file acts when it is imported.
import { randomUUID } from 'node:crypto';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { wallClock } from '#shared/runtime/clock.ts';
import { parseClients } from './auth.ts';
import { createCatalogue } from './catalogue/catalogue.ts';
import catalogueData from './catalogue/default.json' with { type: 'json' };
import { createLambdaHandler } from './lambda-handler.ts';
import { createSimulator } from './simulator.ts';
import { createTable, documentClient } from './store/dynamodb/table.ts';
import { createDynamoDbStore } from './store/dynamodb-store.ts';

const environment = z
  .object({
    PORTING_SERVICE_TABLE: z.string().min(1),
    /** A secret whose text is `{"clientId", "clientSecret", "accountId"}`, or a list of them. */
    PORTING_SERVICE_CLIENTS_ARN: z.string().min(1),
    PORTING_SERVICE_SANDBOX: z.enum(['true', 'false']).default('false'),
  })
  .parse(process.env);

const { PORTING_SERVICE_CLIENTS_ARN: secretId } = environment;
const secret = await new SecretsManagerClient({}).send(new GetSecretValueCommand({ SecretId: secretId }));

export const handler = createLambdaHandler(
  createSimulator({
    store: createDynamoDbStore(createTable(environment.PORTING_SERVICE_TABLE, documentClient()), wallClock),
    catalogue: createCatalogue(catalogueData),
    clients: parseClients(secret.SecretString ?? '', `The secret ${secretId}`),
    clock: wallClock,
    wall: wallClock,
    random: { uuid: () => randomUUID() },
    sandbox: environment.PORTING_SERVICE_SANDBOX === 'true',
    onError: (error, method, path) =>
      console.error(JSON.stringify({ level: 'ERROR', method, path, error: String(error) })),
  }),
);
