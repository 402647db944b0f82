// simporter start --service: the pipeline on this machine calls a porting service that is not the simulator.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runInFolder } from '../support/cli/emulator.ts';
import { createPortFile } from '../support/cli/files.ts';
import { startedJson } from '../support/cli/json-shapes.ts';
import { mainFile, runMain } from '../support/cli/main-process.ts';
import { until } from '../support/emulator/start-process.ts';
import { notOn } from '../support/not-on.ts';
import { startTestSimulator, type TestSimulator } from '../support/service/simulator.ts';

let folder: string;
let service: TestSimulator;
let program: ChildProcess;
let started: ReturnType<typeof startedJson.parse>;
let credentials: Readonly<Record<string, string>>;
let words: string[];
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simporter-service-'));
  await writeFile(join(folder, 'one.csv'), createPortFile([{ msisdn: '07700900601' }]));
  service = await startTestSimulator({ start: Date.now() }, (end) => ends.push(end));
  const { clientId = '', clientSecret = '', accountId } = service.clients[0] ?? {};
  credentials = { SIMPORTER_CLIENT_ID: clientId, SIMPORTER_CLIENT_SECRET: clientSecret };
  words = ['--service', service.baseUrl, '--service-auth', service.authUrl, '--service-account', String(accountId)];
  program = spawn(process.execPath, [mainFile, 'start', '--json', ...words], {
    cwd: folder,
    env: { ...process.env, ...credentials },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (program.stdout === null) throw new Error('no pipe');
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  started = startedJson.parse(JSON.parse(String((await lines.next()).value)));
});
afterAll(async () => {
  program?.kill('SIGKILL');
  await Promise.all(ends.map((end) => end()));
  await rm(folder, { recursive: true, force: true });
});

it('shows which service it calls, in real time, and that nothing is simulated', () => {
  expect(started).toMatchObject({ simulated: false, speed: 1, endpoints: { service: service.baseUrl } });
});

it('answers only requests that are signed with the key that it prints, and that the folder of its user has', async () => {
  const { endpoints, environment } = started;
  const key = JSON.parse(await readFile(join(folder, '.local', 'emulator.json'), 'utf8')).environment;
  expect(key.AWS_SECRET_ACCESS_KEY).toMatch(/^[\w-]{40}$/);
  expect(environment).toEqual(key);

  const unsigned = [
    fetch(endpoints.s3 ?? ''),
    ...['secretsmanager.GetSecretValue', 'AmazonSQS.ReceiveMessage', 'DynamoDB_20120810.Scan'].map((target) =>
      fetch(endpoints.s3 ?? '', { method: 'POST', body: '{}', headers: { 'x-amz-target': target } }),
    ),
  ];
  expect((await Promise.all(unsigned)).map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect((await runInFolder(folder, ['events', '--json'])).exitCode).toBe(0);
});

it('ports the numbers of a file at that service', async () => {
  const { stdout } = await runInFolder(folder, ['import', 'one.csv', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ simulated: false });
  const isCreated = async () => {
    const { requests } = JSON.parse((await runInFolder(folder, ['status', 'one.csv', '--json'])).stdout);
    return requests.created === 1 || undefined;
  };
  await until('the port is created', isCreated);
  const { body } = await service.call('GET', `/api/porting/${service.clients[0]?.accountId}`);
  expect(body).toMatchObject({ total: 1 });
});

notOn(['Windows'], 'kill ends a program without its handler of SIGINT')(
  'keeps the folder for that service, also after its end, and the credentials in no file',
  async () => {
    program.kill('SIGINT');
    expect(await once(program, 'exit')).toEqual([0, null]);
    const { exitCode, stderr } = await runMain(folder, ['start', '--json']);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/has imports of account \d+ at http.*--directory/);
    // While it runs, it removes files that are to be read here.
    for (const name of await readdir(join(folder, '.local'), { recursive: true, withFileTypes: true })) {
      if (!name.isFile()) continue;
      const content = await readFile(join(name.parentPath, name.name), 'latin1');
      expect(content.includes(credentials.SIMPORTER_CLIENT_SECRET ?? ''), name.name).toBe(false);
    }
  },
);
