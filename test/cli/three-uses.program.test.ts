// The three uses as people try them: `npm start` prints what the AWS CLI needs, and the commands of README.md, of the
// guide for engineers and of the page about the results table work as they are written. A shell runs them, with the AWS
// CLI where it is installed, and otherwise with a program that makes the same calls (test/support/cli/aws.ts).
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { runCommandLine } from '#cli/program.ts';
import { wallClock } from '#shared/runtime/clock.ts';
import { blocksOf, isForAws, missingLines, scriptsOf } from '../support/cli/page-story.ts';
import { memoryStream } from '../support/cli/terminal.ts';
import { notOn } from '../support/not-on.ts';
import { patienceMs } from '../support/patience.ts';

const repository = join(import.meta.dirname, '..', '..');
const standIn = join(repository, 'test', 'support', 'cli', 'aws.ts');
const hasBash = notOn(['Windows'], 'the commands are for a Unix shell');
/** A calendar day takes six seconds. */
const speed = '14400';

const isInstalled = (): boolean => {
  try {
    return /^aws-cli\/(1\.(29|[3-9]\d)|2\.(1[3-9]|[2-9]\d))\./.test(
      execFileSync('aws', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
    );
  } catch {
    return false;
  }
};

const stopping = new AbortController();
const [printed, errors] = [memoryStream(), memoryStream()];
let folder = '';
let running: Promise<unknown> | undefined;

beforeAll(async () => {
  if (process.platform === 'win32') return;
  folder = await mkdtemp(join(tmpdir(), 'simporter-uses-'));
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'aws'), `#!/bin/sh\nexec ${process.execPath} ${standIn} "$@"\n`);
  chmodSync(join(folder, 'bin', 'aws'), 0o755);
  running = runCommandLine(['start', '--no-open', '--speed', speed, '--directory', join(folder, '.local')], {
    stdout: printed.stream,
    stderr: errors.stream,
    env: {},
    folder: repository,
    clock: wallClock,
    signal: stopping.signal,
  });
  await vi.waitUntil(() => printed.text().includes('Ctrl-C'), { timeout: 120_000, interval: 100 });
});
afterAll(async () => {
  stopping.abort();
  await running;
  await rm(folder, { recursive: true, force: true });
});

const commandLine = isInstalled() ? 'the AWS CLI' : 'its stand-in';

/** What a person pasted into the second terminal before. */
const pasted = (): string =>
  printed
    .text()
    .split('\n')
    .filter((line) => line.startsWith('  export '))
    .join('\n');

/** Runs a script in a shell that knows nothing but the pasted lines. @returns its standard output */
async function runScript(script: string, aws = commandLine): Promise<string> {
  const path = aws === 'the AWS CLI' ? process.env.PATH : `${join(folder, 'bin')}${delimiter}${process.env.PATH}`;
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', `${pasted()}\n${script}`], {
    cwd: repository,
    env: { PATH: path, HOME: folder, AWS_PAGER: '' },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

/** Until the terminal of `npm start`, or the answers of the commands, have these lines. */
async function waitFor(lines: readonly string[], answers = ''): Promise<void> {
  const missing = () => missingLines(lines, `${printed.text()}\n${answers}`);
  await vi.waitFor(() => expect(missing()).toEqual([]), { timeout: 180_000, interval: 500 });
}

hasBash('npm start prints lines for a terminal of 80 columns', () => {
  const shown = printed
    .text()
    .replaceAll(` --directory ${join(folder, '.local')}`, '')
    .replaceAll(join(folder, '.local'), '.local');
  expect(shown.split('\n').filter((line) => line.length > 80)).toEqual([]);
  expect(pasted().split('\n')).toHaveLength(6);
});

describe(`the commands of README.md, with ${commandLine}`, () => {
  const scripts = scriptsOf('README.md').filter(({ script }) => isForAws(script));

  hasBash('are those that npm start prints', () => {
    expect(scripts).toHaveLength(2);
    const withoutMargins = (text: string) => text.replaceAll(/^ +/gm, '');
    for (const { script } of scripts) expect(withoutMargins(printed.text())).toContain(withoutMargins(script));
  });

  hasBash('import a file, and answer what happened to a number', async () => {
    let answer = '';
    for (const { script, shown } of scripts) {
      answer = await runScript(script);
      await waitFor(shown, answer);
    }
    const { Items } = JSON.parse(answer);
    expect(Items[0]).toMatchObject({ latest: { M: { status: { S: 'Complete' }, ended: { BOOL: true } } } });
  });
});

describe(`docs/start/engineer.md, with ${commandLine}`, () => {
  const scripts = scriptsOf('docs/start/engineer.md').filter(({ script }) => isForAws(script));

  hasBash('has the commands of README.md, and what they lead to', async () => {
    const commands = scriptsOf('README.md').filter(({ script }) => isForAws(script));
    expect(scripts.map(({ script }) => script)).toEqual(commands.map(({ script }) => script));
    await waitFor(scripts[0]?.shown ?? []);
    expect(missingLines(scripts[1]?.shown ?? [], await runScript(scripts[1]?.script ?? ''))).toEqual([]);
  });

  hasBash('has a program that works, and README.md has its last line', async () => {
    const [program = ''] = blocksOf('docs/start/engineer.md', 'js');
    const answer = await runScript(`node --input-type=module -e '${program.replaceAll("'", `'\\''`)}'`);
    expect(answer).toContain("status: 'Complete'");
    const [line = ''] = blocksOf('README.md', 'js');
    expect(program).toContain(line.replace(/^await (.*);$/, '$1'));
  });
});

describe(`docs/guides/table.md, with ${commandLine}`, () => {
  const page = 'docs/guides/table.md';
  const scripts = scriptsOf(page).map(({ script }) => script);
  const queries = scripts.filter((script) => script.startsWith('aws dynamodb'));
  const statements = blocksOf(page, 'sql');
  let ids: Readonly<Record<string, string>> = {};

  const keysOf = (answer: string): string[] =>
    JSON.parse(answer)
      .Items.map(({ pk, sk }: Record<'pk' | 'sk', { S: string }>) => `${pk.S} ${sk.S}`)
      .sort();
  /** With ids of this run, and dates around it: the example has the dates of another day. */
  const here = (text: string): string => {
    const dates = ['2000-01-01', '2999-12-31'];
    return text
      .replaceAll(/\b(IMPORT|PORT)\b/g, (name) => ids[name] ?? name)
      .replaceAll('Locked', 'Complete')
      .replaceAll(/\d{4}-\d\d-\d\d/g, () => dates.shift() ?? '');
  };

  beforeAll(async () => {
    if (process.platform === 'win32') return;
    await runScript('aws s3 cp examples/create-port.csv "s3://$INBOX/create-port/"');
    await waitFor(['create-port.csv action required: 1 row']);
    const number = JSON.parse(await runScript(queries[0] ?? ''));
    const [{ importId, latest }] = number.Items;
    ids = { IMPORT: importId.S, PORT: latest.M.portId.S };
  });

  hasBash('each question has a command and a statement, which find the same items', async () => {
    expect(queries).toHaveLength(7);
    expect(statements).toHaveLength(7);
    for (const [index, query] of queries.entries()) {
      const [asked, statement] = [here(query), here(statements[index] ?? '').replaceAll('"', '\\"')];
      const stated = `aws dynamodb execute-statement --statement "${statement}"`;
      // Ports go on meanwhile: answers from before and after a change differ, and are asked for again.
      await vi.waitFor(
        async () => {
          const found = keysOf(await runScript(asked));
          expect([query, found.length]).not.toEqual([query, 0]);
          expect([query, keysOf(await runScript(stated, 'its stand-in'))]).toEqual([query, found]);
          expect([query, keysOf(await runScript(asked, 'its stand-in'))]).toEqual([query, found]);
        },
        { timeout: patienceMs, interval: 100 },
      );
    }
  });

  hasBash('the results of a file are read with the same client', async () => {
    const [results = ''] = scripts.filter((script) => script.startsWith('aws s3'));
    expect(scripts).toHaveLength(queries.length + 1);
    // Report writes them a moment after the last row is complete.
    await vi.waitFor(
      async () => expect(await runScript(here(results))).toMatch(/^.*outcome.*\r?\n(.*,complete,.*\r?\n){6}$/),
      { timeout: patienceMs, interval: 500 },
    );
  });

  hasBash('the program works', async () => {
    const [program = ''] = blocksOf(page, 'js');
    const answer = await runScript(`node --input-type=module -e '${program.replaceAll("'", `'\\''`)}'`);
    expect(answer).toContain("status: 'Complete'");
  });
});
