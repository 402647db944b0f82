// The size of each function's bundle and the time that a new process needs to import it, compared with bundles that
// contain only AWS clients; and the time from the start of a process to the first request that its first invocation
// sends. Prints one line of JSON: `npx node bench/startup.ts [--runs 15]`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

/** As a queue delivers it. Neither the import nor the file has to exist: the first request is to read it. */
const queueEvent = (message: object) => ({
  Records: [
    {
      messageId: '1',
      receiptHandle: '1',
      body: JSON.stringify(message),
      attributes: { ApproximateReceiveCount: '1', SentTimestamp: '0', SenderId: 'AROAX:anna' },
      eventSourceARN: 'arn:aws:sqs:eu-west-2:1:queue',
    },
  ],
});

const upload = { bucket: { name: 'inbox' }, object: { key: 'create-port/numbers.csv', eTag: '1', versionId: '1' } };
const firstEvents: Readonly<Record<string, object>> = {
  ingest: queueEvent({ Records: [{ eventName: 'ObjectCreated:Put', s3: upload }] }),
  submit: queueEvent({ importId: '1', request: 1, plan: { key: '1', start: 0, end: 1, digest: '1' } }),
};

/** Milliseconds from the start of a process, without a cache of its code, to the first request of its invocation. */
async function firstRequestMilliseconds(file: string, event: object, env: Record<string, string>): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const script = `
    const { handler } = await import(${JSON.stringify(file)});
    await handler(${JSON.stringify(event)}, { awsRequestId: '1', getRemainingTimeInMillis: () => 60_000 });`;
  const begun = performance.now();
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: {
      AWS_REGION: 'eu-west-2',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      ...env,
      NODE_OPTIONS: '',
      AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  const isSent = await Promise.race([once(server, 'request').then(() => true), exited.then(() => false)]);
  const took = performance.now() - begun;
  child.kill('SIGKILL');
  await exited;
  server.close();
  server.closeAllConnections();
  if (!isSent) throw new Error(`${file} ended without a request`);
  return took;
}

/** The text of a bundle and of the files that it imports at its start, without those of `import()`. */
function textAtStart(bundle: string): Buffer {
  const files = new Set([bundle]);
  for (const file of files)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import)"\.\/([\w-]+\.mjs)"/g))
      files.add(join(dirname(bundle), name));
  return Buffer.concat([...files].map((file) => readFileSync(file)));
}

interface Times {
  readonly importMs: number;
  readonly firstRequestMs: number | undefined;
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
  const rounds: Times[][] = [];
  for (let run = 0; run < runs; run += 1) {
    const times: Times[] = [];
    for (const { name, file } of bundles) {
      const event = firstEvents[name];
      const firstRequestMs = event && (await firstRequestMilliseconds(file, event, env));
      times.push({ importMs: importMilliseconds(file, env), firstRequestMs });
    }
    rounds.push(times);
  }
  const figures = bundles.map(({ name, file }, place) => {
    const text = textAtStart(file);
    const shortest = (figure: keyof Times): number | undefined => {
      const times = rounds.flatMap((round) => round[place]?.[figure] ?? []);
      return times.length === 0 ? undefined : Math.round(Math.min(...times));
    };
    return {
      name,
      bytes: text.length,
      gzippedBytes: gzipSync(text).length,
      importMs: shortest('importMs') ?? 0,
      firstRequestMs: shortest('firstRequestMs'),
    };
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
