// The bundles that those of the functions are compared with: they only create the same AWS clients.
import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { bundleOptions } from '#infra/write-bundles.ts';

export const repository = join(import.meta.dirname, '..', '..', '..');

/** The clients of a pipeline function, created as in shared/store, without any command. */
const bareClients = `
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
const clients = [new S3Client({}), new SQSClient({}), new SecretsManagerClient({}), DynamoDBDocumentClient.from(new DynamoDBClient({}))];
export const handler = async () => clients.length;
`;

const bareInput: BuildOptions = {
  stdin: { contents: bareClients, resolveDir: repository, loader: 'ts' },
  splitting: false,
};

/** The yardstick: bare clients as esbuild bundles them, minified and without what it sees that nobody uses. */
export const bareOptions: BuildOptions = { ...bundleOptions, ...bareInput, plugins: [], external: [] };

/** The strict yardstick: without the ways to credentials, either, that Lambda never takes. */
export const trimmedOptions: BuildOptions = { ...bundleOptions, ...bareInput, plugins: [] };
