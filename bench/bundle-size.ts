// What the functions' bundles hold, beside a bundle that does nothing but make the same AWS clients.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync, type Metafile } from 'esbuild';
import { bundleOptions, entryOf, type FunctionName } from '#infra/bundle.ts';

export const repository = dirname(dirname(fileURLToPath(import.meta.url)));

/** The clients of a stage of the pipeline, made as shared/aws makes them, and no command. */
export const bareClients = `
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
const clients = [new S3Client({}), new SQSClient({}), new SecretsManagerClient({}), DynamoDBDocumentClient.from(new DynamoDBClient({}))];
export const handler = async () => clients.length;
`;

export interface BundleSize {
  readonly bytes: number;
  /** Of the AWS SDK, of other libraries by their names, and of the repository's own folders. */
  readonly parts: Readonly<Record<string, number>>;
  readonly inputs: readonly string[];
}

export const sizeOfBareClients = (): BundleSize =>
  sizeOf({ stdin: { contents: bareClients, resolveDir: repository, loader: 'ts' } });

export const sizeOfFunction = (name: FunctionName): BundleSize => sizeOf({ entryPoints: [entryOf(name)] });

function sizeOf(what: { entryPoints?: string[]; stdin?: { contents: string; resolveDir: string; loader: 'ts' } }) {
  const { metafile } = buildSync({
    ...bundleOptions,
    ...what,
    absWorkingDir: repository,
    outdir: 'out',
    write: false,
    metafile: true,
  });
  const [output] = Object.values((metafile as Metafile).outputs);
  if (output === undefined) throw new Error('esbuild made no bundle');
  const parts: Record<string, number> = {};
  for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
    const part = partOf(input);
    parts[part] = (parts[part] ?? 0) + bytesInOutput;
  }
  return { bytes: output.bytes, parts, inputs: Object.keys(output.inputs) };
}

function partOf(input: string): string {
  const library = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1];
  if (library === undefined) return 'simporter';
  return /^@(aws-sdk|smithy|aws-crypto|aws)\//.test(library) ? 'AWS SDK' : library.replace(/^(@[^/]+)\/.*$/, '$1');
}
