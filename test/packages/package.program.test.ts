// What a user gets who installs the packed package: the command line, the constructs, the client and the simulator.
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { demoJson } from '../support/cli/json-shapes.ts';
import { notOn } from '../support/not-on.ts';
import { type InstalledPackage, installPackage, repository } from './installed-package.ts';

const test = notOn(
  ['macOS', 'Windows'],
  'the package is linked to programs of Linux; .ci/try-package tries it on each system',
);

let installed: InstalledPackage;
beforeAll(async () => {
  installed = await installPackage();
}, 600_000);
afterAll(() => installed?.remove());

const inPackage = (...names: readonly string[]): string =>
  join(installed.folder, 'node_modules', 'simporter', ...names);

type Properties = Readonly<Record<string, unknown> & { readonly Description?: string }>;

/** The properties of some resources of a template that an app has written. */
async function resourcesOf(stack: string, where: (type: string, properties: Properties) => boolean) {
  const template = await readFile(join(installed.folder, 'cdk.out', `${stack}.template.json`), 'utf8');
  const resources: { Type: string; Properties: Properties }[] = Object.values(JSON.parse(template).Resources);
  return resources.filter(({ Type, Properties }) => where(Type, Properties)).map(({ Properties }) => Properties);
}

test('installs nothing but itself and, where it can, the embedded DynamoDB', async () => {
  const manifest = JSON.parse(await readFile(inPackage('package.json'), 'utf8'));
  expect(manifest.dependencies).toBeUndefined();
  const optional = Object.keys(manifest.optionalDependencies);
  expect(optional.filter((name) => !name.startsWith('@dynoxide/'))).toEqual([]);
  expect(JSON.stringify(manifest)).not.toMatch(/(?<!\.d)\.ts"/);
});

test('contains every file that its package.json names', async () => {
  const manifest = await readFile(inPackage('package.json'), 'utf8');
  const named = [...manifest.matchAll(/"(?:\.\/)?(dist\/[^"*]+)"/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(9);
  for (const path of named) expect([path, existsSync(inPackage(path))]).toEqual([path, true]);
});

test('passes on the licence of every library in it', async () => {
  const notices = await readFile(inPackage('THIRD-PARTY-NOTICES.txt'), 'utf8');
  for (const name of ['zod', 'hono', 'commander', '@aws-sdk/client-s3']) expect(notices).toMatch(`\n${name} `);
});

test('the example of a client test passes', async () => {
  expect(await installed.run(process.execPath, '--test', 'client.test.mjs')).toMatch(/pass 1\n/);
});

test('the examples of docs/guides/package.md run', async () => {
  const page = await readFile(join(repository, 'docs', 'guides', 'package.md'), 'utf8');
  const [, examples = ''] = page.split('## Client and simulator');
  const blocks = [...examples.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code);
  expect(blocks).toHaveLength(4);
  await writeFile(join(installed.folder, 'page.mjs'), blocks.join('\n'));
  await installed.run(process.execPath, 'page.mjs');
});

test('an app in CommonJS can require every entry, and gets the classes that others import', async () => {
  const code = `
    const { Pipeline } = require('simporter/cdk');
    const { createPortingClient } = require('simporter/client');
    const { startSimulator } = require('simporter/simulator');
    (async () => {
      const service = await startSimulator();
      const viewer = await fetch(service.baseUrl + '/docs');
      const [first] = await createPortingClient(service).networks();
      await service.stop();
      console.log(first.portTypeName, viewer.status, Pipeline === (await import('simporter/cdk')).Pipeline);
    })();`;
  await writeFile(join(installed.folder, 'user.cjs'), code);
  expect(await installed.run(process.execPath, 'user.cjs')).toBe('Port 200 true\n');
});

test('the example app synthesises the pipeline with the code of its functions', async () => {
  await installed.run(process.execPath, 'cdk-app.mjs');
  const template = JSON.parse(await readFile(join(installed.folder, 'cdk.out', 'Ports.template.json'), 'utf8'));
  const types = Object.values(template.Resources as Record<string, { Type: string }>).map(({ Type }) => Type);
  expect(types.filter((type) => type === 'AWS::Lambda::Function')).toHaveLength(5);
  expect(Object.keys(template.Outputs)).toContain('InboxBucket');
  const assets = JSON.parse(await readFile(join(installed.folder, 'cdk.out', 'Ports.assets.json'), 'utf8'));
  expect(Object.keys(assets.files).length).toBeGreaterThanOrEqual(6);
});

test('the example app synthesises the console of the pipeline, whose files are in the package', async () => {
  const template = JSON.parse(await readFile(join(installed.folder, 'cdk.out', 'PortsConsole.template.json'), 'utf8'));
  const { Resources: resources, Outputs: outputs } = template;
  const types = Object.values(resources as Record<string, { Type: string }>).map(({ Type }) => Type);
  expect(types.filter((type) => type === 'AWS::Lambda::Function')).toHaveLength(2);
  expect(types).toContain('AWS::Cognito::UserPoolClient');
  const inbox = JSON.parse(await readFile(join(installed.folder, 'cdk.out', 'Ports.template.json'), 'utf8')).Resources
    .Inbox.Properties;
  expect(inbox.CorsConfiguration.CorsRules[0].AllowedOrigins).toEqual(['https://porting.example.com']);
  const [, folder = ''] = /aws s3 sync (\S+)\/assets s3:/.exec(JSON.stringify(outputs.UploadConsole.Value)) ?? [];
  const page = await readFile(join(installed.folder, folder, 'index.html'), 'utf8');
  const [, script = ''] = /src="([^"]+\.js)"/.exec(page) ?? [];
  expect(await readFile(join(installed.folder, folder, script), 'utf8')).toContain('the id "root"');
});

test('constructs with wrong properties, and two of them in one stack, are errors that name the solution', async () => {
  const app = `
    import { App, Stack } from 'aws-cdk-lib';
    import { Console, Pipeline, Simulator } from 'simporter/cdk';
    const app = new App();
    const service = { baseUrl: 'https://porting.example.net', accountId: 1 };
    const settings = { service, alarms: { email: 'on-call@example.net' }, approval: 'two' };
    const pipeline = new Pipeline(new Stack(app, 'One'), 'Pipeline', settings);
    const console_ = (props) => new Console(new Stack(app, 'Two' + messages.length), 'Console', props);
    const both = new Stack(app, 'Both');
    new Simulator(both, 'Simulator');
    const messages = [];
    for (const wrong of [
      () => console_({ pipeline, domain: 'porting.example.com' }),
      () => console_({ pipeline, colour: 'red' }),
      () => console_({ pipeline: {} }),
      () => new Pipeline(both, 'Pipeline', { service }),
    ]) {
      try {
        wrong();
        messages.push('no error');
      } catch (error) {
        messages.push(error.message);
      }
    }
    process.stdout.write(JSON.stringify(messages));`;
  await writeFile(join(installed.folder, 'wrong.mjs'), app);
  expect(JSON.parse(await installed.run(process.execPath, 'wrong.mjs'))).toEqual([
    expect.stringMatching(/an own domain needs its certificate/),
    expect.stringMatching(/must be a colour.*console\.colour/s),
    expect.stringMatching(/"pipeline" is not a Pipeline of this copy/),
    expect.stringMatching(/already contains Both\/Simulator.*own stack/s),
  ]);
});

test('the app of docs/guides/package.md is synthesised as it is printed', async () => {
  const page = await readFile(join(repository, 'docs', 'guides', 'package.md'), 'utf8');
  const [, section = ''] = /## CDK constructs(.*?)\n## /s.exec(page) ?? [];
  const blocks = [...section.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code);
  expect(blocks).toHaveLength(2);
  await writeFile(join(installed.folder, 'page-app.mjs'), blocks.join('\n'));
  await installed.run(process.execPath, 'page-app.mjs');
  const [submit] = await resourcesOf('TestPorts', (type, { Description = '' }) =>
    /Function simporter .* submit/.test(`${type} ${Description}`),
  );
  const [alarm] = await resourcesOf('TestPorts', (type) => type === 'AWS::CloudWatch::Alarm');
  const imported = JSON.stringify([submit, alarm]);
  expect(imported).toMatch(/"Fn::ImportValue":"PortingSimulator:\w+ApiEndpoint\w+"},"\/simporter-simulator/);
  for (const name of ['RefVpcPrivateSubnet', 'FnGetAttGroup', 'RefOnCall'])
    expect(imported).toContain(`"Fn::ImportValue":"Shared:ExportsOutput${name}`);
});

test('docs/guides/package.md shows the example app', async () => {
  const example = await readFile(join(repository, 'examples', 'packages', 'cdk-app.mjs'), 'utf8');
  const page = await readFile(join(repository, 'docs', 'guides', 'package.md'), 'utf8');
  expect(page).toContain(example.slice(example.indexOf('import')));
});

test('npx simporter demo imports its example and reports a result for every row', async () => {
  const demo = demoJson.parse(JSON.parse(await installed.run('node_modules/.bin/simporter', 'demo', '--json')));
  expect(demo).toMatchObject({ simulated: true, import: { rows: 320, accepted: 308, rejected: 12 } });
  expect(demo.import.ports).toMatchObject({ Complete: expect.any(Number), 'Pac Check Failed': expect.any(Number) });
  expect(demo.outcomes.reduce((sum, { rows }) => sum + rows, 0)).toBe(320);
  expect(demo.rejected.length).toBeGreaterThan(0);
  expect(demo.actionRequired.length).toBeGreaterThan(0);
  const results = await readFile(join(installed.folder, demo.reports[0] ?? ''), 'utf8');
  expect(results.trimEnd().split('\r\n')).toHaveLength(321);
});

test('npx simporter start serves the console of the package', async () => {
  const words = ['--json', '--no-open', '--directory', join(installed.folder, 'data')];
  const { line, stop } = await installed.start('node_modules/.bin/simporter', 'start', ...words);
  try {
    const { endpoints } = JSON.parse(line);
    const page = await fetch(endpoints.console);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>simporter</title>')]);
  } finally {
    await stop();
  }
});

test('compiled code is kept in a folder of the user, and never in the temporary folder, where others could put it', async () => {
  const [temporary, caches] = [join(installed.folder, 'temporary'), join(installed.folder, 'caches')];
  await mkdir(temporary);
  const variables = [`TMPDIR=${temporary}`, `TEMP=${temporary}`, `XDG_CACHE_HOME=${caches}`];
  const start = () =>
    installed.run('env', '--unset=NODE_COMPILE_CACHE', ...variables, 'node_modules/.bin/simporter', '--version');
  await start();
  expect(await readdir(temporary)).toEqual([]);
  expect(await readdir(join(caches, 'simporter'))).toEqual(['code']);
  await rm(join(caches, 'simporter', 'code'), { recursive: true });
  await chmod(join(caches, 'simporter'), 0o777);
  await start();
  expect([await readdir(temporary), await readdir(join(caches, 'simporter'))]).toEqual([[], []]);
});

test('messages name the command as a user of the package types it', async () => {
  await expect(installed.run('node_modules/.bin/simporter', 'imports')).rejects.toThrow('npx simporter start');
});

test('the client is small and contains nothing of AWS', async () => {
  const { outputFiles } = await build({
    entryPoints: [inPackage('dist', 'client.js')],
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  expect(outputFiles[0]?.text).not.toMatch(/amazonaws|@aws-sdk|@smithy/);
  expect(outputFiles[0]?.contents.length).toBeLessThan(64 * 1024);
});

describe('the public types', () => {
  test('need no other package and compile in strict mode', async () => {
    await writeFile(
      join(installed.folder, 'user.mts'),
      `import { createPortingClient, type PortDetail } from 'simporter/client';
       import { startSimulator } from 'simporter/simulator';
       const service = await startSimulator({ choices: { strict: 'on' } });
       const client = createPortingClient(service);
       const port: PortDetail = await client.port('x');
       export const status: string = port.statusName;
       // @ts-expect-error a port has no such field of this type
       export const wrong: number = port.statusName;
       // @ts-expect-error nor one of this name
       port.statusNmae;
       const { portIds } = await service.control('PUT', 'state', { ports: [{ rows: [{ msisdn: '07700900123' }] }] });
       await service.control('PUT', \`ports/\${portIds[0]}/status\`, { status: 'Locked' });
       // @ts-expect-error there is no such status
       await service.control('PUT', 'ports/x/status', { status: 'Lockd' });
       // @ts-expect-error nor such a control
       await service.control('GET', 'clocks');`,
    );
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', 'false'];
    await installed.run(join(repository, 'node_modules', '.bin', 'tsc'), ...options, '--types', '', 'user.mts');
  });
});
