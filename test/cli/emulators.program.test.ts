// The commands that start an emulator: start and import --simulate in a shell, and validate without a running emulator.
// The demo runs in test/packages.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findRunningEmulator } from '#local/data-folder.ts';
import { runInFolder } from '../support/cli/emulator.ts';
import { createPortFile } from '../support/cli/files.ts';
import { importJson, importsJson, outcomeJson, startedJson, validationJson } from '../support/cli/json-shapes.ts';
import { mainFile, runMain } from '../support/cli/main-process.ts';
import { notOn } from '../support/not-on.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simporter-emulators-'));
  await writeFile(join(folder, 'one.csv'), createPortFile([{ msisdn: '07700900601' }]));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const simporter = (...words: string[]) => runInFolder(folder, words);

it('validate without a running emulator uses the reference data of a simulator, after a note about it', async () => {
  const { stdout, stderr } = await simporter('validate', 'one.csv', '--json');
  expect(validationJson.parse(JSON.parse(stdout))).toMatchObject({
    rows: 1,
    accepted: 1,
    requests: 1,
    simulated: true,
  });
  expect(stderr).toMatch(
    /^No emulator is running, and no stack was named\.\nThe file is validated against .* SIMULATOR/,
  );
});

it('import without a running emulator sends nothing, and names the choices', async () => {
  const { exitCode, stdout, stderr } = await simporter('import', 'one.csv');
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('Nothing was sent: no emulator is running in .local, and no stack was named.');
  expect(stderr).toMatch(/"npm start".*--stack NAME \(or SIMPORTER_STACK\).*--simulate/);
});

it('import --simulate imports on a simulator that ends with the command', async () => {
  const { stdout } = await runMain(folder, ['import', 'one.csv', '--simulate', '--speed', '43200', '--json']);
  expect(outcomeJson.parse(JSON.parse(stdout))).toMatchObject({
    state: 'finished',
    outcomes: { complete: 1 },
    simulated: true,
  });
});

it('the stack of SIMPORTER_STACK is used, and --simulate cannot be combined with --stack', async () => {
  const { stderr } = await runMain(folder, ['import', 'one.csv'], {
    SIMPORTER_STACK: 'pipeline',
    AWS_ENDPOINT_URL_CLOUDFORMATION: 'http://127.0.0.1:1',
  });
  expect(stderr).toContain('ECONNREFUSED');
  const both = await simporter('import', 'one.csv', '--simulate', '--stack', 'pipeline');
  expect(both.exitCode).toBe(2);
  expect(both.stderr).toContain('--simulate and --stack exclude each other');
});

/** As Node 20 would run simporter: the program runs in another process, on a newer Node. */
const olderNode = `data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })",
)}`;

describe('start', () => {
  let engine: ChildProcess;
  let lines: AsyncIterator<string>;
  const nextLine = async () => JSON.parse(String((await lines.next()).value));
  beforeAll(() => {
    // In a group, so that a failure leaves no process.
    engine = spawn(process.execPath, ['--import', olderNode, mainFile, 'start', '--json'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    if (engine.stdout === null) throw new Error('no pipe');
    lines = createInterface({ input: engine.stdout })[Symbol.asyncIterator]();
  });
  afterAll(() => {
    if (engine.exitCode === null && engine.pid !== undefined) process.kill(-engine.pid, 'SIGKILL');
  });

  notOn(['Windows'], 'kill ends a program without its handler of SIGINT')(
    'prints its endpoints and every change of an import, and ends when the process that an older Node runs is interrupted',
    async () => {
      const started = startedJson.parse(await nextLine());
      expect(started.speed).toBe(1440);
      expect(started.endpoints).toMatchObject({ s3: expect.stringContaining('http://127.0.0.1:') });
      const running = await findRunningEmulator(join(folder, '.local'));
      expect(started.environment).toEqual(running?.environment);
      expect(started.environment).toMatchObject({ AWS_REGION: 'eu-west-2', AWS_ACCESS_KEY_ID: expect.any(String) });
      const { stdout } = await simporter('import', 'one.csv', '--json');
      const { importId } = JSON.parse(stdout);
      expect(importJson.parse(await nextLine())).toMatchObject({ importId, file: 'one.csv' });
      const { imports } = importsJson.parse(JSON.parse((await simporter('imports', '--json')).stdout));
      expect(imports.map((item) => item.importId)).toEqual([importId]);
      engine.kill('SIGINT');
      expect(await once(engine, 'exit')).toEqual([0, null]);
    },
  );
});
