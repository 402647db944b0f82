// Every command against one running emulator: a file with valid and invalid rows is imported once and then examined.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { runCommandLine } from '#cli/program.ts';
import { wallClock } from '#shared/runtime/clock.ts';
import { type CommandOutcome, runInFolder } from '../support/cli/emulator.ts';
import { emulator, imported, json, jsonLines, useExaminedImport } from '../support/cli/examined-import.ts';
import { createPortFile } from '../support/cli/files.ts';
import { actionsJson, eventJson, importsJson, outcomeJson } from '../support/cli/json-shapes.ts';
import { runMain } from '../support/cli/main-process.ts';
import { readManual } from '../support/cli/manual.ts';
import { missingLines, stepsOf } from '../support/cli/page-story.ts';
import { startStackServer } from '../support/cli/stack.ts';
import { memoryStream } from '../support/cli/terminal.ts';
import { testImportCommands } from './commands/import-commands.ts';
import { testListCommands } from './commands/list-commands.ts';
import { testResultCommands } from './commands/result-commands.ts';

useExaminedImport();

testImportCommands();
testListCommands();
testResultCommands();

describe('events', () => {
  it('waits with --follow, and ends at Ctrl-C', async () => {
    const interruption = new AbortController();
    const out = memoryStream();
    const following = runCommandLine(['events', '--follow', '--json'], {
      stdout: out.stream,
      stderr: memoryStream().stream,
      env: {},
      folder: emulator.folder,
      clock: wallClock,
      signal: interruption.signal,
    });
    // It follows from now on: it has shown the events that were published before.
    await expect.poll(out.text).toContain(imported.importId);
    const planned = ['--plan-only', '--watch', '--json', '--set', 'groupName=followed'];
    const { importId } = json(outcomeJson, await emulator.run('import', 'july.csv', ...planned));
    await expect.poll(out.text).toContain(importId);
    interruption.abort();
    expect(await following).toBe(0);
    const events = jsonLines(eventJson, { exitCode: 0, stdout: out.text(), stderr: '' });
    const ofImport = events.filter(({ detail }) => detail.importId === importId);
    expect(ofImport.map((event) => event['detail-type'])).toContain('ImportPlanned');
  });

  it('names the log that has the events of a deployed stack', async () => {
    const { exitCode, stderr } = await emulator.run('events', '--stack', 'simporter-prod');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('aws logs tail /aws/events/simporter-prod --follow');
  });
});

describe('docs/reference/cli.md', () => {
  const commandLines = readManual().flatMap(({ commandLines: lines }) => lines);

  it.each(commandLines.map((words) => [words.join(' '), words]))(
    'contains only commands that work: %s',
    async (_text, words) => {
      const { actionRequired } = json(actionsJson, await emulator.run('actions', '--json'));
      const { imports } = json(importsJson, await emulator.run('imports', '--json'));
      const ids: Readonly<Record<string, string | undefined>> = {
        PORT: actionRequired[0]?.id,
        IMPORT: imports.find(({ state, file }) => state === 'planned' && file !== 'july.csv')?.importId,
      };
      const { exitCode, stderr } = await emulator.run(...words.map((word) => ids[word] ?? word));
      expect(stderr).not.toContain('error:');
      expect([0, 1]).toContain(exitCode);
    },
  );
});

it('docs/start/engineer.md shows what its commands print', async () => {
  const example = await readFile(join(import.meta.dirname, '..', '..', 'examples', 'create-port.csv'), 'utf8');
  await mkdir(join(emulator.folder, 'examples'));
  await emulator.write('examples/create-port.csv', example);
  for (const { commands, shown } of stepsOf('start/engineer.md')) {
    const outcomes: CommandOutcome[] = [];
    for (const words of commands) {
      const follows = words.includes('--watch');
      outcomes.push(await (follows ? emulator.runToTheEnd('create-port.csv', ...words) : emulator.run(...words)));
    }
    expect(outcomes.filter(({ exitCode }) => exitCode > 1)).toEqual([]);
    expect(missingLines(shown, outcomes.map(({ stdout }) => stdout).join('\n'))).toEqual([]);
  }
});

describe('--stack NAME', () => {
  /** Runs a command where the environment is that of a person with a stack. */
  const withStack = async (
    run: (environment: Readonly<Record<string, string>>) => Promise<CommandOutcome>,
    changes: Readonly<Record<string, string>> = {},
  ) => {
    const { environment, outputs } = emulator;
    const stack = await startStackServer('pipeline', { ...outputs, ...changes });
    try {
      return await run({ ...environment, AWS_ENDPOINT_URL_CLOUDFORMATION: stack.url });
    } finally {
      await stack.close();
    }
  };
  const inShell = (...words: string[]) => withStack((environment) => runMain(emulator.folder, words, environment));
  const hereWith = (changes: Readonly<Record<string, string>>, ...words: string[]) =>
    withStack(async (environment) => {
      for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
      return runInFolder(emulator.folder, words).finally(() => vi.unstubAllEnvs());
    }, changes);
  const here = (...words: string[]) => hereWith({}, ...words);

  it('uses a deployed stack, found by its outputs', async () => {
    const { imports } = json(importsJson, await inShell('--stack', 'pipeline', 'imports', '--limit', '100', '--json'));
    expect(imports.map(({ importId }) => importId)).toContain(imported.importId);
  });

  it('runs sync there', async () => {
    // It exits 1 where the emulator runs sync on its schedule at that moment.
    const run = () => here('--stack', 'pipeline', 'sync');
    await expect.poll(run).toMatchObject({ exitCode: 0, stderr: expect.stringMatching(/^SIMULATOR: /m) });
  });

  it('approves a plan there, through the queue that its outputs name', async () => {
    await emulator.write('stack.csv', createPortFile([{ msisdn: '07700900651' }]));
    const planned = await emulator.run('import', 'stack.csv', '--plan-only', '--watch', '--json');
    const { importId } = json(outcomeJson, planned);
    const other = { PortingAccount: '1002@simulator' };
    const held = await hereWith(other, '--stack', 'pipeline', 'approve', importId);
    expect(held).toMatchObject({ exitCode: 3 });
    expect(held.stderr).toMatch(/This import is of account 1001 at simulator, and simporter works for account 1002/);
    const watched = await hereWith(other, '--stack', 'pipeline', 'status', importId, '--watch');
    expect(watched.stdout.replace(/\s+/g, ' ')).toContain('It is held until simporter works for that account again');
    expect(json(outcomeJson, await here('--stack', 'pipeline', 'approve', importId, '--json')).state).not.toBe(
      'planned',
    );
  });

  it('reports an unknown stack', async () => {
    const { exitCode, stderr } = await here('--stack', 'pipelin', 'imports');
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/There is no stack "pipelin" here/);
  });
});
