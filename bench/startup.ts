// The size of each function's bundle and the time that a new process needs to import it, compared with bundles that
// contain only AWS clients. Prints one line of JSON: `npx node bench/startup.ts [--runs 15]`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { buildApp } from '#infra/app.ts';
import { bundleFunctions } from '#infra/bundle.ts';
import { stackName } from '#infra/derived-settings.ts';
import { pipelineFunctions } from '#infra/function-names.ts';
import { bareOptions, repository, trimmedOptions } from '../test/support/infra/bare-clients.ts';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '15' } } });
const runs = Number(values.runs);
const folder = mkdtempSync(join(tmpdir(), 'simporter-startup-'));

const service = { baseUrl: 'https://porting.example.net', authUrl: 'https://auth.example.net', accountId: 1 };
const context = { 'aws:cdk:bundling-stacks': [], environments: { dev: { service } } };

/** The environment of a deployed function; values that only a deployment knows are replaced by an address. */
function deployedEnvironment(): Record<string, string> {
  const app = buildApp({ stage: 'dev', outdir: join(folder, 'assembly'), context });
  const { Resources } = app.synth().getStackByName(stackName('dev')).template;
  const { Variables } = Resources.SubmitFunction.Properties.Environment;
  return Object.fromEntries(
    Object.entries<unknown>(Variables).map(([name, value]) => [
      /** Of the function; `bare` and `trimmed` contain only AWS clients. */
      name,
      typeof value === 'string' ? value : 'https://deployed.example.net/it',
    ]),
  );
}

/** Milliseconds from the first line of the process to the end of the import. */
function importMilliseconds(file: string, env: Record<string, string>): number {
  const script = `const begun = performance.now(); await import(${JSON.stringify(file)}); console.log(performance.now() - begun);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    env: { AWS_REGION: 'eu-west-2', ...env, NODE_OPTIONS: '' },
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return Number(stdout);
}

/** The text of a bundle and of the files that it imports at its start, without those of `import()`. */
function textAtStart(bundle: string): Buffer {
  const files = new Set([bundle]);
  for (const file of files)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import)"\.\/([\w-]+\.mjs)"/g))
      files.add(join(dirname(bundle), name));
  return Buffer.concat([...files].map((file) => readFileSync(file)));
}

/** The shortest run counts, because other load only adds time. The bundles alternate. */
async function measure() {
  bundleFunctions(repository, folder, pipelineFunctions);
  await build({ ...bareOptions, outfile: join(folder, 'bare', 'index.mjs') });
  await build({ ...trimmedOptions, outfile: join(folder, 'trimmed', 'index.mjs') });
  const env = deployedEnvironment();
  const bundles = ['bare', 'trimmed', ...pipelineFunctions].map((name) => ({
    name,
    file: join(folder, name, 'index.mjs'),
  }));
  const rounds = Array.from({ length: runs }, () => bundles.map(({ file }) => importMilliseconds(file, env)));
  const figures = bundles.map(({ name, file }, place) => {
    const text = textAtStart(file);
    const importMs = Math.min(...rounds.map((times) => times[place] ?? Number.NaN));
    return { name, bytes: text.length, gzippedBytes: gzipSync(text).length, importMs: Math.round(importMs) };
  });
  const [bare, trimmed] = figures;
  return figures.map((one) => ({
    ...one,
    /** Relative to `bare`. */
    ratioOfBytes: ratio(one.bytes, bare?.bytes),
    ratioOfImport: ratio(one.importMs, bare?.importMs),
    ratioOfBytesToTrimmed: ratio(one.bytes, trimmed?.bytes),
  }));
}

const ratio = (one: number, other = 1): number => Math.round((one / other) * 100) / 100;

try {
  console.log(JSON.stringify(await measure()));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
