// The contents of the functions' bundles, and of the bundles that they are compared with.
import { type BuildOptions, build } from 'esbuild';
import { bundleOptions } from '#infra/bundle-options.ts';
import { entryOf, type FunctionName } from '#infra/function-names.ts';
import { bareOptions, repository, trimmedOptions } from './bare-clients.ts';

export interface BundleSize {
  readonly bytes: number;
  /** Of the AWS SDK, of other libraries by their names, and of the repository's own folders. */
  readonly parts: Readonly<Record<string, number>>;
  readonly inputs: readonly string[];
}

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
