// The contents of the functions' bundles, compared with a bundle that only creates the same AWS clients.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { bundleOptions } from '#infra/bundle-options.ts';
import { entryOf, type FunctionName } from '#infra/function-names.ts';

export const repository = dirname(dirname(fileURLToPath(import.meta.url)));

/** The clients of a pipeline function, created as in shared/store, without any command. */
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

const bareInput: BuildOptions = { stdin: { contents: bareClients, resolveDir: repository, loader: 'ts' } };

/** The yardstick: bare clients as esbuild bundles them, minified and without what it sees that nobody uses. */
export const bareOptions: BuildOptions = { ...bundleOptions, ...bareInput, plugins: [], external: [] };

/** The strict yardstick: without the ways to credentials, either, that Lambda never takes. */
export const trimmedOptions: BuildOptions = { ...bundleOptions, ...bareInput, plugins: [] };

export const sizeOfBareClients = (): Promise<BundleSize> => sizeOf(bareOptions);
export const sizeOfTrimmedClients = (): Promise<BundleSize> => sizeOf(trimmedOptions);

export const sizeOfFunction = (name: FunctionName): Promise<BundleSize> =>
  sizeOf({ ...bundleOptions, entryPoints: [entryOf(name)] });

async function sizeOf(options: BuildOptions): Promise<BundleSize> {
  const { metafile } = await build({
    ...options,
    absWorkingDir: repository,
    outdir: 'out',
    write: false,
    metafile: true,
  });
  // The other output holds the legal comments.
  const output = Object.values(metafile?.outputs ?? {}).find(({ entryPoint }) => entryPoint !== undefined);
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
