// How large each function's bundle is, and how long a fresh process takes to load it, beside bare AWS clients.
//
//     node bench/startup.ts [--runs 15]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { buildApp, stackName } from '#infra/app.ts';
import { bundleFunctions, bundleOptions, pipelineFunctions } from '#infra/bundle.ts';
import { bareClients, repository } from './bundle-size.ts';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '15' } } });
const runs = Number(values.runs);
const folder = mkdtempSync(join(tmpdir(), 'simporter-startup-'));

const context = {
  'aws:cdk:bundling-stacks': [],
  serviceBaseUrl: 'https://porting.example.net',
  serviceAuthUrl: 'https://auth.example.net',
  serviceAccountId: '1',
};

/** What a deployed function finds; what the stack will only know then is anything that parses. */
function deployedEnvironment(): Record<string, string> {
  const app = buildApp({ stage: 'dev', outdir: join(folder, 'assembly'), context });
  const { Resources } = app.synth().getStackByName(stackName({ stage: 'dev' })).template;
  const { Variables } = Resources.SubmitFunction.Properties.Environment;
  return Object.fromEntries(
    Object.entries<unknown>(Variables).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : 'https://deployed.example.net/it',
    ]),
  );
}

/** Milliseconds from the first line of a process to the end of the import; the shortest run, as others are disturbed. */
function importMilliseconds(file: string, env: Record<string, string>): number {
  const script = `const begun = performance.now(); await import(${JSON.stringify(file)}); console.log(performance.now() - begun);`;
  const times = Array.from({ length: runs }, () => {
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      env: { AWS_REGION: 'eu-west-2', ...env, NODE_OPTIONS: '' },
      encoding: 'utf8',
    });
    if (stdout === '') throw new Error(stderr);
    return Number(stdout);
  });
  return Math.min(...times);
}

try {
  bundleFunctions(repository, folder, pipelineFunctions);
  buildSync({
    ...bundleOptions,
    stdin: { contents: bareClients, resolveDir: repository, loader: 'ts' },
    outfile: join(folder, 'bare', 'index.mjs'),
  });
  const env = deployedEnvironment();
  console.log('bundle        bytes   gzipped   import ms');
  for (const name of ['bare', ...pipelineFunctions]) {
    const file = join(folder, name, 'index.mjs');
    const text = readFileSync(file);
    const [bytes, gzipped] = [text.length, gzipSync(text).length];
    const time = importMilliseconds(file, env).toFixed(0);
    console.log(`${name.padEnd(10)} ${String(bytes).padStart(8)} ${String(gzipped).padStart(9)} ${time.padStart(11)}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
