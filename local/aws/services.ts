// S3, SQS, DynamoDB, Secrets Manager and EventBridge together: embedded, or wherever `AWS_ENDPOINT_URL_*` of the caller point.
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Log } from '../logs.ts';
import type { Clients } from '../provision.ts';
import { startS3 } from '../s3/server.ts';
import { type EmbeddedDynamoDb, startDynamoDb } from './dynamodb.ts';
import { startEventBridge } from './event-bridge.ts';
import { type EmbeddedSecrets, startSecrets } from './secrets.ts';
import { type EmbeddedSqs, startSqs } from './sqs.ts';

export interface Endpoints {
  readonly s3: string;
  readonly sqs: string;
  readonly dynamodb: string;
  readonly secretsManager: string;
  /** Takes events; `GET /events` shows them. */
  readonly eventBridge: string;
}

export interface Services {
  readonly endpoints: Endpoints;
  readonly clients: Clients;
  readonly secrets: EmbeddedSecrets;
  /** Messages by state; undefined where the queues are not ours. */
  readonly depth: EmbeddedSqs['depth'] | undefined;
  /** What AWS clients need to reach all this: endpoints, region, credentials. */
  readonly environment: Readonly<Record<string, string>>;
  readonly tcpPorts: Readonly<Record<string, number>>;
  readonly guards: readonly number[];
  stop(): Promise<void>;
}

export interface ServicesOptions {
  readonly region: string;
  readonly accountId: string;
  /** Where objects are kept, and messages and items too unless `memory` says otherwise. */
  readonly directory: string;
  readonly memory: boolean;
  readonly clock: () => number;
  readonly log: Log;
  /** TCP ports of an earlier run, by service. */
  readonly tcpPorts: Readonly<Record<string, number>>;
  /** The caller's environment: endpoints that replace ours, and the credentials for them. */
  readonly callerEnvironment: Readonly<Record<string, string | undefined>>;
}

const credentialNames = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'AWS_PROFILE'] as const;

const clientEnvironment = (options: ServicesOptions, endpoints: Endpoints): Record<string, string> => {
  const { callerEnvironment: caller, region } = options;
  const outside = [caller.AWS_ENDPOINT_URL_S3, caller.AWS_ENDPOINT_URL_SQS, caller.AWS_ENDPOINT_URL_DYNAMODB];
  const given = credentialNames.flatMap((name) => (caller[name] === undefined ? [] : [[name, caller[name]] as const]));
  // The embedded services ask for no credentials; the caller's own are handed on only where they are needed.
  const credentials =
    outside.some(Boolean) && given.length > 0
      ? Object.fromEntries(given)
      : { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
  return {
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    ...credentials,
    AWS_ENDPOINT_URL_S3: endpoints.s3,
    AWS_ENDPOINT_URL_SQS: endpoints.sqs,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsManager,
    AWS_ENDPOINT_URL_EVENTBRIDGE: endpoints.eventBridge,
    AWS_EC2_METADATA_DISABLED: 'true',
  };
};

/** Starts what the caller's environment does not replace. */
export const startServices = async (options: ServicesOptions): Promise<Services> => {
  const { region, accountId, directory, memory, clock, log, tcpPorts, callerEnvironment: caller } = options;
  const stops: (() => Promise<void>)[] = [];
  const started = async <Service extends { stop(): Promise<void> }>(starting: Promise<Service>): Promise<Service> => {
    const service = await starting;
    stops.unshift(service.stop);
    return service;
  };
  const stop = async (): Promise<void> => {
    for (const one of stops.splice(0)) await one();
  };
  try {
    const kept = (name: string): string | undefined => (memory ? undefined : join(directory, name));
    const [dynamodb, sqs, secrets, eventBridge] = await Promise.all([
      caller.AWS_ENDPOINT_URL_DYNAMODB ??
        started<EmbeddedDynamoDb>(startDynamoDb(kept('dynamodb.sqlite'), tcpPorts.dynamodb)),
      caller.AWS_ENDPOINT_URL_SQS ?? started<EmbeddedSqs>(startSqs(region, kept('sqs'), tcpPorts.sqs)),
      started(startSecrets(clock, tcpPorts.secretsManager)),
      started(startEventBridge({ region, accountId, clock, preferredTcpPort: tcpPorts.eventBridge })),
    ]);
    const url = (service: string | { readonly url: string }): string =>
      typeof service === 'string' ? service : service.url;
    // Our own clients are told where to go, so that nothing in this process's environment needs to change.
    const connection = {
      region,
      ...(credentialNames.some((name) => caller[name])
        ? {}
        : { credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }),
    };
    const sqsClient = new SQSClient({ ...connection, endpoint: url(sqs) });
    const deliver = async (queueArn: string, body: string): Promise<void> => {
      const QueueUrl = `${url(sqs)}/${accountId}/${queueArn.split(':').at(-1)}`;
      await sqsClient.send(new SendMessageCommand({ QueueUrl, MessageBody: body }));
    };
    const s3 =
      caller.AWS_ENDPOINT_URL_S3 ??
      (await started(
        startS3({
          ...{ directory: join(directory, 's3'), region, clock, deliver },
          log: (line) => log('engine', line),
          ...(tcpPorts.s3 === undefined ? {} : { preferredTcpPort: tcpPorts.s3 }),
        }),
      ));
    const endpoints = {
      ...{ s3: url(s3), sqs: url(sqs), dynamodb: url(dynamodb) },
      ...{ secretsManager: secrets.url, eventBridge: eventBridge.url },
    };
    const clients: Clients = {
      sqs: sqsClient,
      s3: new S3Client({ ...connection, endpoint: endpoints.s3 }),
      dynamodb: new DynamoDBClient({ ...connection, endpoint: endpoints.dynamodb }),
    };
    stops.unshift(async () => {
      for (const client of Object.values(clients)) client.destroy();
    });
    const embedded = Object.entries({ s3, sqs, dynamodb, secretsManager: secrets, eventBridge });
    return {
      endpoints,
      clients,
      secrets,
      depth: typeof sqs === 'string' ? undefined : sqs.depth,
      environment: clientEnvironment(options, endpoints),
      tcpPorts: Object.fromEntries(
        embedded.flatMap(([name, one]) => (typeof one === 'string' ? [] : [[name, one.tcpPort]])),
      ),
      guards: typeof dynamodb === 'string' || dynamodb.guardPid === undefined ? [] : [dynamodb.guardPid],
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
};
