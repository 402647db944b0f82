// The clients of the AWS SDK, and how they are configured.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientTimeouts } from './client-timeouts.ts';

export interface AwsClients {
  readonly s3: S3Client;
  readonly sqs: SQSClient;
  readonly table: DynamoDBDocumentClient;
}

/** The SDK copies each input and output for its logger, also where there is none. */
function withoutLogger<Client extends S3Client | SQSClient | DynamoDBClient>(client: Client): Client {
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}

/** Attributes that are undefined are left out of an item, never written as null. */
export const documentClient = (client: DynamoDBClient): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });

/**
 * The SDK reads `AWS_ENDPOINT_URL_S3`, `_SQS` and `_DYNAMODB` itself. An S3 that is not AWS has no host name per
 * bucket.
 */
export function createAwsClients(env: Readonly<Record<string, string | undefined>>): AwsClients {
  return {
    s3: withoutLogger(
      new S3Client({
        ...clientTimeouts,
        forcePathStyle: Boolean(env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL),
      }),
    ),
    sqs: withoutLogger(new SQSClient(clientTimeouts)),
    table: documentClient(withoutLogger(new DynamoDBClient(clientTimeouts))),
  };
}
