// The contents of the functions' bundles, and of the bundles that they are compared with.
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { entryOf, type FunctionName } from '#infra/function-names.ts';
import { bundleOptions } from '#infra/write-bundles.ts';
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
  sizeOf({ ...bundleOptions, entryPoints: { index: entryOf(name) } });

async function sizeOf(options: BuildOptions): Promise<BundleSize> {
  const { metafile } = await build({
    ...options,
    absWorkingDir: repository,
    outdir: 'out',
    write: false,
    metafile: true,
  });
  const outputs = filesAtStart(metafile?.outputs ?? {});
  const inputs = outputs.flatMap((output) => Object.entries(output.inputs));
  const parts: Record<string, number> = {};
  for (const [input, { bytesInOutput }] of inputs) {
    const part = partOf(input);
    parts[part] = (parts[part] ?? 0) + bytesInOutput;
  }
  return {
    bytes: outputs.reduce((sum, { bytes }) => sum + bytes, 0),
    parts,
    inputs: inputs.map(([input]) => input),
  };
}

/** The bundle, and the files that it imports at its start. The others are loaded when they are needed. */
function filesAtStart(outputs: Metafile['outputs']): Metafile['outputs'][string][] {
  const found = new Set(Object.keys(outputs).filter((path) => /\/(index|stdin)\.js$/.test(path)));
  // A set is iterated in the order of insertion, with what is added meanwhile.
  for (const path of found)
    for (const { kind, path: imported } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && imported in outputs) found.add(imported);
    }
  return [...found].flatMap((path) => outputs[path] ?? []);
}

function partOf(input: string): string {
  const library = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1];
  if (library === undefined) return 'simporter';
  return /^@(aws-sdk|smithy|aws-crypto|aws)\//.test(library) ? 'AWS SDK' : library.replace(/^(@[^/]+)\/.*$/, '$1');
}
