// Exit codes, streams and help, without an emulator. One of each kind is the real command in a shell, the others run in
// this process.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandGroups } from '#cli/command-list.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { runInFolder } from '../support/cli/emulator.ts';
import { templateJson } from '../support/cli/json-shapes.ts';
import { mainFile, runMain } from '../support/cli/main-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simporter-main-'));
  await writeFile(join(folder, 'here.csv'), 'msisdn\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const inShell = (...words: string[]) => runMain(folder, words);
const simporter = (...words: string[]) => runInFolder(folder, words);

describe('the command line', () => {
  it('shows its version', async () => {
    expect((await inShell('--version')).stdout).toBe(`${packageJson.version}\n`);
  });

  it('lists its commands by task within 80 columns', async () => {
    const { stdout } = await simporter('--help');
    const groups = stdout.match(/^\w.*:$/gm);
    expect(groups).toEqual(['Options:', ...Object.keys(commandGroups)]);
    expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
  });

  it('shows the help of a command with help COMMAND', async () => {
    const { exitCode, stdout } = await inShell('help', 'import');
    expect([exitCode, stdout]).toEqual([0, (await simporter('import', '--help')).stdout]);
  });

  it('shows its help', async () => {
    const { exitCode, stdout } = await simporter('--help');
    expect(exitCode).toBe(0);
    for (const command of [
      'demo',
      'start',
      'validate',
      'import',
      'imports',
      'status',
      'results',
      'rejected',
      'number',
    ]) {
      expect(stdout).toMatch(new RegExp(`^  ${command}\\b`, 'm'));
    }
    expect(stdout).toContain('Exit codes: 0 fine');
  });

  it.each([
    [['import', 'missing.csv'], { code: 'not-found', message: 'There is no file "missing.csv".' }],
    [['reference-data', 'tarifs'], { code: 'not-found', advice: 'Did you mean tariffs?' }],
    [['imports', '--limt', '3'], { code: 'usage', message: expect.stringContaining('--limt') }],
    [['improt'], { code: 'usage' }],
    [
      ['import', 'here.csv', '--max-rows-per-port', '5000'],
      { code: 'usage', message: '--max-rows-per-port "5000": use a number from 1 to 1000.' },
    ],
  ])('with --json, an error is one line of JSON on standard error: %j', async (words, error) => {
    const { exitCode, stdout, stderr } = await simporter(...words, '--json');
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toMatchObject({ error });
  });

  it('ends in a shell as it does here', async () => {
    for (const words of [
      ['improt', 'x.csv'],
      ['import', 'missing.csv', '--json'],
      ['template', '--json'],
    ])
      expect(await inShell(...words)).toEqual(await simporter(...words));
  });

  it.each([
    [['improt', 'x.csv'], /Did you mean import/],
    [['import'], /missing required argument 'file'/],
    [['import', 'x.csv', '--operation', 'create-prot'], /Allowed choices are create-port/],
    [['import', 'missing.csv'], /There is no file "missing.csv"/],
    [['import', '.'], /"\." is not a file/],
    [['template', 'create-port', '--xlsx', '.'], /"\." is a folder/],
    [['imports', '--limit', 'many'], /--limit "many" is not a whole number/],
    [['start', '--speed', '-1'], /--speed "-1" is not a number above 0/],
    [['import', 'package.json', '--speed', '9'], /There is no file "package.json"/],
  ])('exits 2 for %j with the reason', async (words, message) => {
    const { exitCode, stdout, stderr } = await simporter(...words);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('works as usual where nobody reads standard error', async () => {
    const words = [mainFile, 'template', 'create-port'];
    const child = spawn(process.execPath, words, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    child.stderr.destroy();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('names the command that starts an emulator when none is running', async () => {
    const { exitCode, stderr } = await inShell('status', 'x');
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/No emulator is running in \.local.\n→ Start one in another terminal: npm start/);
  });
});

describe('template OPERATION', () => {
  it('prints a CSV with every column and two rows', async () => {
    const { stdout } = await simporter('template', 'create-port');
    const [header, ...rows] = stdout.trimEnd().split('\r\n');
    expect(header).toMatch(/^\uFEFFmsisdn,serialNo,pac,/);
    expect(rows).toHaveLength(2);
  });

  it('explains the columns', async () => {
    const { stdout } = await simporter('template', 'create-port', '--columns');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Other names: pac code, pac no, pac number,');
    expect(stdout).toMatch(/^msisdn +yes +07700 900123\n +The number to port/m);
  });

  it('answers both in JSON', async () => {
    const { stdout } = await simporter('template', '--json');
    const { columns, csv } = templateJson.parse(JSON.parse(stdout));
    expect(csv.split('\r\n')[0]).toBe(columns.map(({ name }) => name).join(','));
  });
});
