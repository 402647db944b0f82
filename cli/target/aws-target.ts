// Opens a target: the AWS clients of a deployed stack, or those of the local emulator, and everything built on them.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { openStores } from '#shared/store/account.ts';
import { type AwsClients, createAwsClients, documentClient } from '#shared/store/clients.ts';
import { createDeadLetters } from '#shared/store/dead-letters.ts';
import { createQueues } from '#shared/store/queues.ts';
import type { CliContext } from '../context/cli-context.ts';
import { readResources, readStackOutputs } from './stack-outputs.ts';
import type { Target } from './target.ts';

export interface EmulatorAddress {
  readonly endpoints: Readonly<Record<'s3' | 'sqs' | 'dynamodb' | 'lambda', string>>;
  readonly outputs: Readonly<Record<string, string>>;
  /** With the access key. */
  readonly environment: Readonly<Record<string, string>>;
}

export async function stackTarget(name: string, env: CliContext['env']): Promise<Target> {
  return assemble('stack', await readStackOutputs(name), createAwsClients(env), {});
}

const connectionOf = ({ environment }: EmulatorAddress) => {
  const { AWS_ACCESS_KEY_ID: accessKeyId = 'local', AWS_SECRET_ACCESS_KEY: secretAccessKey = 'local' } = environment;
  return { region: 'eu-west-2', credentials: { accessKeyId, secretAccessKey } };
};

export const emulatorClients = (emulator: EmulatorAddress): AwsClients => {
  const { endpoints } = emulator;
  const connection = connectionOf(emulator);
  return {
    s3: new S3Client({ ...connection, endpoint: endpoints.s3, forcePathStyle: true }),
    sqs: new SQSClient({ ...connection, endpoint: endpoints.sqs }),
    table: documentClient(new DynamoDBClient({ ...connection, endpoint: endpoints.dynamodb })),
  };
};

export function emulatorTarget(kind: 'emulator' | 'temporary', emulator: EmulatorAddress): Target {
  const { endpoints, outputs } = emulator;
  return assemble(kind, outputs, emulatorClients(emulator), { ...connectionOf(emulator), endpoint: endpoints.lambda });
}

/** How the client of Lambda is configured; it is loaded only by the commands that call sync. */
type LambdaOptions = Parameters<typeof import('./sync-function.ts')['runSync']>[0];

function assemble(
  kind: Target['kind'],
  outputs: Readonly<Record<string, string>>,
  clients: AwsClients,
  lambdaOptions: LambdaOptions,
): Target {
  const resources = readResources(outputs, kind === 'stack' ? 'The stack' : 'The emulator');
  const { s3, sqs, table } = clients;
  const { commandQueueUrl, syncFunction } = resources;
  return {
    kind,
    resources,
    s3,
    table,
    simulated: resources.simulated,
    ...openStores(clients, resources),
    deadLetters: createDeadLetters(sqs),
    command: (message) => createQueues(sqs).send(commandQueueUrl, [message]),
    sync: async () => (await import('./sync-function.ts')).runSync(lambdaOptions, syncFunction),
    examine: async () => (await import('./sync-function.ts')).examineService(lambdaOptions, syncFunction),
    listPorts: async () => (await import('./sync-function.ts')).listPorts(lambdaOptions, syncFunction),
    resolve: async (resolution) =>
      (await import('./sync-function.ts')).resolveRequest(lambdaOptions, syncFunction, resolution),
    close: () => {
      for (const client of Object.values(clients)) client.destroy();
    },
  };
}
