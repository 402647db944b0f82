// S3, SQS, DynamoDB, Secrets Manager and EventBridge: embedded behind one address. DynamoDB may be another one.

import { mkdirSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { keepRunning } from '../child-process.ts';
import type { CleanupStack } from '../cleanup-stack.ts';
import type { Endpoints } from '../data-folder.ts';
import type { AwsRouter } from '../http/aws-router.ts';
import { operationOf, readBody } from '../http/loopback.ts';
import { type AccessKey, openKey } from '../http/signature.ts';
import type { Log } from '../logs.ts';
import type { Clients } from '../provision.ts';
import { openS3 } from '../s3/server.ts';
import { type EmbeddedSqs, openSqs } from '../sqs/server.ts';
import { type FindAddress, startDynamoDb } from './dynamodb.ts';
import { createEventBridge } from './event-bridge.ts';

interface ServicesOptions {
  readonly router: AwsRouter;
  readonly region: string;
  readonly accountId: string;
  /** Where objects are kept; messages and items too, unless `memory` is true. */
  readonly directory: string;
  readonly memory: boolean;
  readonly clock: () => number;
  readonly log: Log;
  /** Receives messages for the user. */
  readonly report: (line: string) => void;
  /** Called when DynamoDB was started again. What it held in memory is lost. */
  readonly databaseRestarted: () => Promise<void>;
  /** `AWS_ENDPOINT_URL_DYNAMODB` in it names the DynamoDB to use instead. */
  readonly callerEnvironment: Readonly<Record<string, string | undefined>>;
  /** The only key that the services accept. @default - any, and none */
  readonly accessKey: AccessKey | undefined;
}

const startDatabase = async (options: ServicesOptions, cleanup: CleanupStack): Promise<string> => {
  const { directory, memory, report } = options;
  const outside = options.callerEnvironment.AWS_ENDPOINT_URL_DYNAMODB;
  if (outside) return outside;
  // Functions know the address, so it stays the same when the program is started again.
  let findAddress: FindAddress | undefined;
  const file = memory ? undefined : join(directory, 'dynamodb.sqlite');
  const database = await keepRunning({
    name: memory ? 'DynamoDB (its data was in memory and is lost)' : 'DynamoDB',
    start: async () => {
      const started = await startDynamoDb(file, findAddress);
      findAddress = async () => started.address;
      return started;
    },
    restarted: options.databaseRestarted,
    report,
  });
  cleanup.add(database.stop);
  return database.current.url;
};

const startQueues = (options: ServicesOptions, cleanup: CleanupStack): EmbeddedSqs => {
  const { router, region, accountId, directory, memory } = options;
  const sqs = openSqs({ region, accountId, endpoint: router.url, directory: memory ? undefined : directory });
  cleanup.add(async () => sqs.stop());
  router.route({ sqs: sqs.handle });
  return sqs;
};

const startObjects = (options: ServicesOptions, { call }: EmbeddedSqs, cleanup: CleanupStack): void => {
  const { accessKey, router, directory, region, clock, log, report } = options;
  const deliver = async (queueArn: string, MessageBody: string): Promise<void> => {
    await call('SendMessage', { QueueUrl: queueArn, MessageBody }, { isS3: true });
  };
  const folder = join(directory, 's3');
  const s3 = openS3({ directory: folder, region, clock, deliver, accessKey, log: (line) => log('emulator', line) });
  cleanup.add(async () => s3.stop());
  router.route({ s3: s3.handle });
  if (s3.missing.length > 0) report(`Files are missing in ${folder} for ${s3.missing.join(', ')}`);
};

export const startServices = async (options: ServicesOptions, cleanup: CleanupStack) => {
  const { router, region, accountId, directory, clock } = options;
  const credentials = options.accessKey ?? openKey;
  mkdirSync(directory, { recursive: true });
  const secrets = createSecrets(clock);
  const eventBridge = createEventBridge({ region, accountId, clock });
  const queues = startQueues(options, cleanup);
  startObjects(options, queues, cleanup);
  router.route({ secretsManager: secrets.handle, eventBridge: eventBridge.handle, events: eventBridge.show });
  const dynamodbUrl = await startDatabase(options, cleanup);
  const endpoints: Endpoints = {
    s3: router.url,
    sqs: router.url,
    dynamodb: router.url,
    secretsManager: router.url,
    eventBridge: router.url,
    lambda: router.url,
    emulator: `${router.url}/_emulator`,
  };
  const connection = { region, credentials };
  const clients: Clients = {
    sqs: new SQSClient({ ...connection, endpoint: router.url }),
    s3: new S3Client({ ...connection, endpoint: router.url }),
    dynamodb: new DynamoDBClient({ ...connection, endpoint: dynamodbUrl }),
  };
  cleanup.add(async () => {
    for (const client of Object.values(clients)) client.destroy();
  });
  return {
    endpoints,
    /** Where the emulator itself and the other service reach DynamoDB, without the proxy. */
    dynamodbUrl,
    clients,
    /** Stores the text of a secret. */
    putSecret: secrets.put,
    queues,
    /** What AWS clients need to reach the services: endpoints, region, credentials. */
    environment: {
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_ACCESS_KEY_ID: credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      AWS_ENDPOINT_URL_S3: endpoints.s3,
      AWS_ENDPOINT_URL_SQS: endpoints.sqs,
      AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsManager,
      AWS_ENDPOINT_URL_EVENTBRIDGE: endpoints.eventBridge,
      AWS_ENDPOINT_URL_LAMBDA: endpoints.lambda,
    },
  };
};

export type Services = Awaited<ReturnType<typeof startServices>>;

const getSecretValue = z.object({ SecretId: z.string() });
const largestRequestBytes = 65_536;

/** An ARN ends in `secret:NAME`; anything else is a name already. */
const nameOf = (secretId: string): string => secretId.replace(/^arn:[^:]*:secretsmanager:[^:]*:[^:]*:secret:/, '');

const declined = (__type: string, message: string) => ({ status: 400, content: { __type, message } });

const createSecrets = (clock: () => number) => {
  const secrets = new Map<string, { readonly arn: string; readonly text: string; readonly createdAt: number }>();

  const answer = (operation: string, body: string): { status: number; content: unknown } => {
    if (operation !== 'GetSecretValue')
      return declined('InvalidRequestException', `${operation} is not available here`);
    const request = getSecretValue.safeParse(JSON.parse(body));
    if (!request.success) return declined('InvalidParameterException', z.prettifyError(request.error));
    const name = nameOf(request.data.SecretId);
    const secret = secrets.get(name);
    if (secret === undefined) {
      return declined('ResourceNotFoundException', `Secrets Manager can't find the specified secret: ${name}`);
    }
    const content = {
      ARN: secret.arn,
      Name: name,
      SecretString: secret.text,
      VersionId: '00000000-0000-0000-0000-000000000001',
      VersionStages: ['AWSCURRENT'],
      CreatedDate: secret.createdAt / 1_000,
    };
    return { status: 200, content };
  };

  return {
    handle: async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await readBody(request, largestRequestBytes);
      const { status, content } = answer(operationOf(request), body.toString());
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(content));
    },
    put: (arn: string, text: string): void => {
      secrets.set(nameOf(arn), { arn, text, createdAt: clock() });
    },
  };
};
