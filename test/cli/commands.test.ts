// Every command against one running engine: a file of good, broken and doubtful rows is sent once, then asked about.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import {
  attentionJson,
  correctionJson,
  eventJson,
  importsJson,
  issueJson,
  numberJson,
  outcomeJson,
  portJson,
  resultJson,
  statusJson,
  validationJson,
  writtenJson,
} from '#cli/json-shapes.ts';
import { type CommandLineEngine, type CommandOutcome, runIn, startCommandLineEngine } from '../support/cli-engine.ts';
import { createPortFile } from '../support/cli-files.ts';
import { runMain } from '../support/cli-main.ts';
import { readManual } from '../support/cli-manual.ts';
import { startStackServer } from '../support/cli-stack.ts';

/** A calendar day in four seconds. */
const speed = 21_600;

let engine: CommandLineEngine;
let watched: CommandOutcome;
let sent: z.infer<typeof outcomeJson>;

const json = <Schema extends z.ZodType>(schema: Schema, { stdout }: CommandOutcome): z.output<Schema> =>
  schema.parse(JSON.parse(stdout));
const jsonLines = <Schema extends z.ZodType>(schema: Schema, { stdout }: CommandOutcome): z.output<Schema>[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => schema.parse(JSON.parse(line)));

beforeAll(async () => {
  engine = await startCommandLineEngine(speed);
  await engine.write(
    'july.csv',
    createPortFile([
      { msisdn: '07700900101', reference: 'first' },
      { msisdn: '07700900102' },
      { msisdn: '07700900103', pac: '123456ABC' },
      { msisdn: '07700900104', tariff: '9999' },
      { msisdn: '07700900105', tariff: '2002', pac: 'INV123456' },
      { msisdn: '07700900106', tariff: '2002' },
    ]),
  );
  watched = await engine.run('import', 'july.csv', '--watch', '--json');
  sent = json(outcomeJson, watched);
});
afterAll(() => engine?.stop());

describe('import FILE --watch --json', () => {
  it('ends when every port has ended or waits for a person', () => {
    expect(sent).toMatchObject({
      state: 'following',
      rows: 6,
      accepted: 4,
      rejected: 2,
      requests: { created: 2 },
      ports: { Complete: 1, 'Pac Check Failed': 1 },
    });
  });

  it('tells by its exit code that something needs somebody', () => {
    expect(watched.exitCode).toBe(1);
  });
});

describe('import FILE', () => {
  it('comes back as soon as the pipeline has the file, and says how to follow it', async () => {
    await engine.write('august.csv', createPortFile([{ msisdn: '07700900201' }]));
    const { exitCode, stdout, stderr } = await engine.run('import', 'august.csv');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^file +august\.csv$/m);
    expect(stderr).toMatch(/npm run simporter -- status [0-9a-z]{16}/);
  });

  it('plans without sending with --plan-only', async () => {
    await engine.write('plan.csv', createPortFile([{ msisdn: '07700900301' }]));
    const outcome = json(outcomeJson, await engine.run('import', 'plan.csv', '--plan-only', '--watch', '--json'));
    expect(outcome).toMatchObject({ state: 'planned', rows: 1, accepted: 1, ports: {} });
    expect((await engine.run('number', '07700900301')).exitCode).toBe(3);
  });

  it('sends nothing when more rows are rejected than --tolerate lets pass', async () => {
    await engine.write('strict.csv', createPortFile([{ msisdn: '07700900302' }, { msisdn: 'x' }]));
    const strict = await engine.run('import', 'strict.csv', '--tolerate', '0', '--watch', '--json');
    expect(json(outcomeJson, strict)).toMatchObject({ state: 'refused', accepted: 1, rejected: 1, requests: {} });
    const half = await engine.run('validate', 'strict.csv', '--tolerate', '50', '--json');
    expect(json(validationJson, half).state).toBe('planned');
    expect((await engine.run('import', 'strict.csv', '--tolerate', 'few')).exitCode).toBe(2);
  });

  it('takes values for whole columns from --set', async () => {
    await engine.write('short.csv', 'msisdn,serialNo,pac\r\n07700900401,8944001011001900401,ABC123456\r\n');
    const defaults = {
      portType: 'Port',
      targetNetwork: 'UK Mobile A',
      sourceNetwork: 'Source Mobile One',
      connectionDate: 'auto',
      tariff: 'Business Unlimited',
      'provisioning order': '5001',
    };
    const set = Object.entries(defaults).flatMap(([column, value]) => ['--set', `${column}=${value}`]);
    const outcome = json(validationJson, await engine.run('validate', 'short.csv', ...set, '--json'));
    expect(outcome).toMatchObject({ rows: 1, accepted: 1, rejected: 0 });
  });
});

describe('validate FILE', () => {
  it('gives every finding with its line and column', async () => {
    const outcome = await engine.run('validate', 'july.csv', '--json');
    const { rows, accepted, rejected, requests, issues } = json(validationJson, outcome);
    expect({ rows, accepted, rejected, requests }).toEqual({ rows: 6, accepted: 4, rejected: 2, requests: 2 });
    const errors = issues.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ line, column, code }) => [line, column, code])).toEqual([
      [4, 'pac', 'PAC_IS_STAC'],
      [5, 'tariff', 'TARIFF_UNKNOWN'],
    ]);
    expect(outcome.exitCode).toBe(1);
  });

  it('shows a person the verdict, the findings by code, and what would be sent', async () => {
    const { stdout } = await engine.run('validate', 'july.csv');
    expect(stdout).toContain('july.csv: 6 rows, 4 accepted, 2 rejected; 2 requests would be sent.');
    expect(stdout).toMatch(/^error +PAC_IS_STAC +1 +4 /m);
    expect(stdout).toMatch(/Would be sent:\ngroup +requests +rows/);
  });

  it('answers a file without a fault with exit code 0', async () => {
    await engine.write('good.csv', createPortFile([{ msisdn: '07700900501' }]));
    expect((await engine.run('validate', 'good.csv')).exitCode).toBe(0);
  });
});

describe('approve IMPORT', () => {
  const plan = async (name: string, msisdn: string) => {
    await engine.write(name, createPortFile([{ msisdn }, { msisdn: `${msisdn.slice(0, -1)}9`, tariff: '2002' }]));
    return json(outcomeJson, await engine.run('import', name, '--plan-only', '--watch', '--json')).importId;
  };

  it('sends what was planned, once', async () => {
    const importId = await plan('later.csv', '07700900601');
    const outcome = json(
      outcomeJson,
      await engine.run('approve', importId, '--watch', '--json', '--because', 'agreed'),
    );
    expect(outcome).toMatchObject({ importId, state: 'completed', ports: { Complete: 2 } });
    const again = await engine.run('approve', importId);
    expect(again.exitCode).toBe(0);
    expect(again.stderr).toContain('has been released already');
  });

  it('can be decided upon: status shows each request, its rows, and why its day was chosen', async () => {
    const importId = await plan('undecided.csv', '07700900611');
    const { plan: groups } = json(statusJson, await engine.run('status', importId, '--json'));
    expect(groups).toMatchObject([
      { rows: 1, requestRows: [1], why: expect.stringMatching(/first day with \d+ days? of notice/) },
      { rows: 1, requestRows: [1] },
    ]);
    const { stdout } = await engine.run('status', importId);
    expect(stdout).toMatch(new RegExp(`^to send it +npm run simporter -- approve ${importId}$`, 'm'));
    expect(stdout).toMatch(/^Port to UK Mobile A, .* +1 +1 +1$/m);
    expect(stdout).toMatch(/^Chosen day: \d{4}-\d\d-\d\d is a \w+day, the first day with/m);
  });

  it('refuses what was refused', async () => {
    await engine.write('empty.csv', 'msisdn\r\n');
    const { importId } = json(outcomeJson, await engine.run('import', 'empty.csv', '--plan-only', '--watch', '--json'));
    const { exitCode, stderr } = await engine.run('approve', importId);
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`rejected ${importId}`);
  });
});

describe('imports', () => {
  it('lists the newest first', async () => {
    const { imports } = json(importsJson, await engine.run('imports', '--json'));
    expect(imports.at(-1)).toMatchObject({ importId: sent.importId, file: 'july.csv' });
  });

  it('shows a person a table', async () => {
    const { stdout } = await engine.run('imports');
    expect(stdout).toMatch(new RegExp(`^${sent.importId} +july.csv `, 'm'));
  });
});

describe('status IMPORT', () => {
  it.each([
    ['its id', () => sent.importId],
    ['the beginning of its id', () => sent.importId.slice(0, 8)],
    ['the key in the inbox', () => 'create-port/good.csv'],
  ])('finds an import by %s', async (_how, given) => {
    const outcome = await engine.run('status', given(), '--json');
    expect(json(statusJson, outcome).operation).toBe('create-port');
  });

  it('shows the counts, and the rows that need somebody', async () => {
    const { stdout, exitCode } = await engine.run('status', sent.importId);
    expect(stdout).toContain('6 rows: 4 accepted, 2 rejected');
    expect(stdout).toMatch(/^attention +1 row/m);
    expect(exitCode).toBe(1);
  });

  it('calls an import that is not there a wrong command line, and knows what was meant', async () => {
    const { exitCode, stderr } = await engine.run('status', 'jully.csv');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Did you mean july.csv');
  });
});

describe('results IMPORT', () => {
  it('gives every line with its own columns and what became of it', async () => {
    const results = jsonLines(resultJson, await engine.run('results', sent.importId, '--json'));
    expect(results.map(({ line, outcome }) => [line, outcome])).toEqual([
      [2, 'complete'],
      [3, 'complete'],
      [4, 'rejected'],
      [5, 'rejected'],
      [6, 'attention'],
      [7, 'in-progress'],
    ]);
    expect(results[0]?.columns).toMatchObject({ msisdn: '07700900101', reference: 'first' });
  });

  it('shows no whole PAC', async () => {
    const { stdout } = await engine.run('results', sent.importId, '--json');
    expect(stdout).not.toContain('ABC123456');
    expect(stdout).not.toContain('INV123456');
  });

  it('writes all of it with --csv', async () => {
    const outcome = await engine.run('results', sent.importId, '--csv', 'out/results.csv', '--json');
    expect(json(writtenJson, outcome)).toEqual({ written: ['out/results.csv'] });
    const written = await readFile(join(engine.folder, 'out/results.csv'), 'utf8');
    expect(written.trim().split('\r\n')).toHaveLength(7);
  });

  it('shows a person the totals and the first lines', async () => {
    const { stdout, stderr } = await engine.run('results', sent.importId, '--first', '2');
    expect(stdout).toMatch(/^complete +Complete +2$/m);
    expect(stderr).toContain('The first 2 of 6 lines');
  });
});

describe('rejected IMPORT', () => {
  it('gives each error with its line', async () => {
    const errors = jsonLines(issueJson, await engine.run('rejected', sent.importId, '--json'));
    expect(errors.map(({ line }) => line)).toEqual([4, 5]);
  });

  it('writes a file that can be mended and sent again', async () => {
    await engine.run('rejected', sent.importId, '--csv', 'mend.csv');
    const rejected = await readFile(join(engine.folder, 'mend.csv'), 'utf8');
    await engine.write('mended.csv', rejected.replace('123456ABC', 'ABC123456').replace('9999', '2001'));
    const outcome = json(validationJson, await engine.run('validate', 'mended.csv', '--json'));
    expect(outcome).toMatchObject({ rows: 2, accepted: 2, rejected: 0 });
  });
});

describe('number MSISDN', () => {
  it.each(['07700900101', '+44 7700 900101', '447700900101'])('understands %s', async (spelling) => {
    const told = json(numberJson, await engine.run('number', spelling, '--json'));
    expect(told).toMatchObject({ number: '447700900101', line: 2, file: 'july.csv', portStatus: 'Complete' });
  });

  it('says what to do about a number that needs somebody', async () => {
    const { exitCode, stdout } = await engine.run('number', '07700900105');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^status +PacInvalid$/m);
    expect(stdout).toMatch(/^what to do +get a new PAC/m);
  });

  it('calls what is no number a wrong command line', async () => {
    const { exitCode, stderr } = await engine.run('number', '4.477E+11');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Excel');
  });
});

describe('attention and port ID', () => {
  const waiting = async () => json(attentionJson, await engine.run('attention', '--json')).attention;

  it('lists what needs somebody, with what to do', async () => {
    const [entry] = await waiting();
    expect(entry).toMatchObject({ kind: 'port', status: 'Pac Check Failed', held: 1, importId: sent.importId });
    expect(entry?.numbers).toMatchObject([{ msisdn: '447700900105', line: 6, status: 'PacInvalid' }]);
    expect(entry).toMatchObject({
      summary: '1 good line held by 1 bad one',
      cancelBy: expect.stringMatching(/T1[56]:00:00\.000Z$/),
      next: `npm run simporter -- corrections ${sent.importId} --csv correct.csv`,
    });
    expect((await engine.run('attention')).exitCode).toBe(1);
  });

  it('shows each line of the port, who holds it, and its history', async () => {
    const [entry] = await waiting();
    const port = json(portJson, await engine.run('port', entry?.id ?? '', '--json'));
    expect(port.rows.map(({ msisdn, heldBy }) => [msisdn, heldBy])).toEqual([
      ['447700900105', []],
      ['447700900106', ['447700900105']],
    ]);
    expect(port.events.at(-1)?.status).toBe('Pac Check Failed');
  });

  it('never shows a PAC', async () => {
    const [entry] = await waiting();
    const { stdout } = await engine.run('port', entry?.id ?? '');
    expect(stdout).toContain('1 good line held by 1 bad one');
    expect(stdout).not.toMatch(/[A-Z]{3}\d{6}/);
  });

  it('knows no port that simporter did not make', async () => {
    expect((await engine.run('port', '00000000-0000-4000-8000-000000000000')).exitCode).toBe(2);
  });
});

describe('corrections IMPORT', () => {
  it('gives each line that a new PAC would mend, with the columns to send', async () => {
    const [line, ...others] = jsonLines(correctionJson, await engine.run('corrections', sent.importId, '--json'));
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      operation: 'update-port',
      line: 6,
      reason: expect.stringContaining('PacInvalid'),
      columns: { msisdn: '07700900105', pac: '' },
    });
  });

  it('writes the file to fill, and says how to send it', async () => {
    const { stderr, exitCode } = await engine.run('corrections', sent.importId, '--csv', 'correct.csv');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('import correct.csv --operation update-port');
    const written = await readFile(join(engine.folder, 'correct.csv'), 'utf8');
    expect(written).toMatch(/^msisdn,portId,pac,reason,line,reference\r\n07700900105,[-0-9a-f]{36},,PacInvalid: /);
  });

  it('writes nothing where nothing waits', async () => {
    const outcome = await engine.run('corrections', 'august.csv', '--csv', 'nothing.csv', '--json');
    expect(json(writtenJson, outcome)).toEqual({ written: [] });
    expect(outcome.exitCode).toBe(0);
  });

  it('shows a person each line, why, and the next step', async () => {
    const { stdout, stderr } = await engine.run('corrections', sent.importId);
    expect(stdout).toMatch(/^ *6 +07700900105 +update-port +PacInvalid: The PAC is not valid/m);
    expect(stderr).toContain(`corrections ${sent.importId} --csv correct.csv`);
  });
});

describe('events', () => {
  it('stays with --follow, and ends with Ctrl-C', async () => {
    const interruption = new AbortController();
    const following = runIn(engine.folder, ['events', '--follow', '--json'], interruption.signal);
    await engine.run('import', 'july.csv', '--plan-only', '--set', 'groupName=followed');
    await expect
      .poll(async () => (await engine.run('events')).stdout, { timeout: 30_000 })
      .toContain('waitsForApproval true');
    interruption.abort();
    const { exitCode, stdout } = await following;
    expect(exitCode).toBe(0);
    const names = jsonLines(eventJson, { exitCode, stdout, stderr: '' }).map((event) => event['detail-type']);
    expect(names).toContain('ImportPlanned');
  });

  it('says where those of a deployed stack are', async () => {
    const { exitCode, stderr } = await engine.run('events', '--stack', 'simporter-prod');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('aws logs tail /aws/events/simporter-prod --follow');
  });
});

describe('docs/cli.md', () => {
  const commandLines = readManual().flatMap(({ commandLines: lines }) => lines);

  it.each(commandLines.map((words) => [words.join(' '), words]))(
    'shows a command that works: %s',
    async (_text, words) => {
      const { attention } = json(attentionJson, await engine.run('attention', '--json'));
      const { exitCode, stderr } = await engine.run(
        ...words.map((word) => (word === 'PORT' ? (attention[0]?.id ?? '') : word)),
      );
      expect(stderr).not.toContain('error:');
      expect([0, 1]).toContain(exitCode);
    },
  );
});

describe('--stack NAME', () => {
  const withStack = async (name: string, ...words: string[]) => {
    const { environment, outputs, folder } = engine;
    const stack = await startStackServer('pipeline', { ...outputs, ServiceAccountId: '1001' });
    const env = { ...environment, AWS_ENDPOINT_URL_CLOUDFORMATION: stack.url };
    try {
      return await runMain(folder, ['--stack', name, ...words], env);
    } finally {
      await stack.close();
    }
  };

  it('works with a deployed stack, found by its outputs', async () => {
    const { imports } = json(importsJson, await withStack('pipeline', 'imports', '--json'));
    expect(imports.map(({ importId }) => importId)).toContain(sent.importId);
  });

  it('runs sync there', async () => {
    expect((await withStack('pipeline', 'sync')).exitCode).toBe(0);
  });

  it('releases a plan there, by the queue that its outputs name', async () => {
    await engine.write('stack.csv', createPortFile([{ msisdn: '07700900651' }]));
    const planned = await engine.run('import', 'stack.csv', '--plan-only', '--watch', '--json');
    const { importId } = json(outcomeJson, planned);
    expect(json(outcomeJson, await withStack('pipeline', 'approve', importId, '--json')).state).not.toBe('planned');
  });

  it('says that there is no such stack', async () => {
    const { exitCode, stderr } = await withStack('pipelin', 'imports');
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/There is no stack "pipelin" here/);
  });
});
