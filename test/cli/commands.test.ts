// Every command against one running emulator: a file with valid and invalid rows is imported once and then examined.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type * as z from 'zod';
import {
  actionsJson,
  auditJson,
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
import { openArchive } from '#shared/workbook/open-archive.ts';
import { writeWorkbook } from '#shared/workbook/write-workbook.ts';
import { type CliEmulator, type CommandOutcome, runInFolder, startCliEmulator } from '../support/cli-emulator.ts';
import { createPortFile } from '../support/cli-files.ts';
import { runMain } from '../support/cli-main.ts';
import { readManual } from '../support/cli-manual.ts';
import { startStackServer } from '../support/cli-stack.ts';
import { readWorkbookFile } from '../support/read-workbook.ts';

/** A calendar day in four seconds. */
const speed = 21_600;

let emulator: CliEmulator;
let watched: CommandOutcome;
let imported: z.infer<typeof outcomeJson>;

const json = <Schema extends z.ZodType>(schema: Schema, { stdout }: CommandOutcome): z.output<Schema> =>
  schema.parse(JSON.parse(stdout));
const jsonLines = <Schema extends z.ZodType>(schema: Schema, { stdout }: CommandOutcome): z.output<Schema>[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => schema.parse(JSON.parse(line)));

/** Two invalid rows, and a PAC that the network declares invalid. */
const sixRows = (prefix: string): string =>
  createPortFile([
    { msisdn: `${prefix}01`, reference: 'first' },
    { msisdn: `${prefix}02` },
    { msisdn: `${prefix}03`, pac: '123456ABC' },
    { msisdn: `${prefix}04`, tariff: '9999' },
    { msisdn: `${prefix}05`, tariff: '2002', pac: 'INV123456' },
    { msisdn: `${prefix}06`, tariff: '2002' },
  ]);
async function textOfPart(path: string, part: string): Promise<string> {
  const archive = await openArchive(await readFile(path));
  return Buffer.concat(await Array.fromAsync(archive.read(part, 1e6))).toString('utf8');
}
const errorsOf = (issues: z.output<typeof validationJson>['issues']) =>
  issues.filter(({ severity }) => severity === 'error').map(({ line, column, code }) => [line, column, code]);

beforeAll(async () => {
  emulator = await startCliEmulator(speed);
  await emulator.write('july.csv', sixRows('077009001'));
  watched = await emulator.run('import', 'july.csv', '--watch', '--json');
  imported = json(outcomeJson, watched);
});
afterAll(() => emulator?.stop());

describe('import FILE --watch --json', () => {
  it('ends when every port has ended or requires an action', () => {
    expect(imported).toMatchObject({
      state: 'in-progress',
      rows: 6,
      accepted: 4,
      rejected: 2,
      requests: { created: 2 },
      ports: { Complete: 1, 'Pac Check Failed': 1 },
    });
  });

  it('exits 1 when an action is required', () => {
    expect(watched.exitCode).toBe(1);
  });
});

describe('import FILE', () => {
  it('ends as soon as the pipeline has the file, and names the command to follow it', async () => {
    await emulator.write('august.csv', createPortFile([{ msisdn: '07700900201' }]));
    const { exitCode, stdout, stderr } = await emulator.run('import', 'august.csv');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^file +august\.csv$/m);
    expect(stderr).toMatch(/npm run simporter -- status [0-9a-z]{16}/);
  });

  it('plans without sending with --plan-only', async () => {
    await emulator.write('plan.csv', createPortFile([{ msisdn: '07700900301' }]));
    const outcome = json(outcomeJson, await emulator.run('import', 'plan.csv', '--plan-only', '--watch', '--json'));
    expect(outcome).toMatchObject({ state: 'planned', rows: 1, accepted: 1, ports: {} });
    expect((await emulator.run('number', '07700900301')).exitCode).toBe(3);
  });

  it('writes the results and the rejected rows with --reports, and as workbooks with --workbooks', async () => {
    await emulator.write('reports.csv', createPortFile([{ msisdn: '07700900303' }, { msisdn: 'x' }]));
    const args = ['import', 'reports.csv', '--plan-only', '--watch', '--workbooks'];
    expect((await emulator.run(...args)).exitCode).toBe(2);
    await emulator.run(...args, '--reports', 'july');
    for (const name of ['results', 'rejected']) {
      const csv = (await readFile(join(emulator.folder, 'july', `${name}.csv`), 'utf8')).slice(1).split('\r\n');
      const { header, rows } = await readWorkbookFile(join(emulator.folder, 'july', `${name}.xlsx`));
      expect([header.join(','), rows.length]).toEqual([csv[0], csv.length - 2]);
    }
  });

  it('sends nothing when more rows are rejected than --tolerate allows', async () => {
    await emulator.write('strict.csv', createPortFile([{ msisdn: '07700900302' }, { msisdn: 'x' }]));
    const strict = await emulator.run('import', 'strict.csv', '--tolerate', '0', '--watch', '--json');
    expect(json(outcomeJson, strict)).toMatchObject({ state: 'rejected', accepted: 1, rejected: 1, requests: {} });
    const half = await emulator.run('validate', 'strict.csv', '--tolerate', '50', '--json');
    expect(json(validationJson, half).state).toBe('planned');
    expect((await emulator.run('import', 'strict.csv', '--tolerate', 'few')).exitCode).toBe(2);
  });

  it('takes values for whole columns from --set', async () => {
    await emulator.write('short.csv', 'msisdn,serialNo,pac\r\n07700900401,8944001011001900401,ABC123456\r\n');
    const defaults = {
      portType: 'Port',
      targetNetwork: 'UK Mobile A',
      sourceNetwork: 'Source Mobile One',
      connectionDate: 'auto',
      tariff: 'Business Unlimited',
      'provisioning order': '5001',
    };
    const set = Object.entries(defaults).flatMap(([column, value]) => ['--set', `${column}=${value}`]);
    const outcome = json(validationJson, await emulator.run('validate', 'short.csv', ...set, '--json'));
    expect(outcome).toMatchObject({ rows: 1, accepted: 1, rejected: 0 });
  });
});

describe('validate FILE', () => {
  /** The rows of july.csv with numbers that were never sent. */
  beforeAll(() => emulator.write('june.csv', sixRows('077009007')));

  it('answers every issue with its line and column', async () => {
    const outcome = await emulator.run('validate', 'june.csv', '--json');
    const { rows, accepted, rejected, requests, issues } = json(validationJson, outcome);
    expect({ rows, accepted, rejected, requests }).toEqual({ rows: 6, accepted: 4, rejected: 2, requests: 2 });
    expect(errorsOf(issues)).toEqual([
      [4, 'pac', 'PAC_IS_STAC'],
      [5, 'tariff', 'TARIFF_UNKNOWN'],
    ]);
    expect(outcome.exitCode).toBe(1);
  });

  it('shows the counts, the issues by code, and what would be sent', async () => {
    const { stdout } = await emulator.run('validate', 'june.csv');
    expect(stdout).toContain('june.csv: 6 rows, 4 accepted, 2 rejected; 2 requests would be sent.');
    expect(stdout).toMatch(/^error +PAC_IS_STAC +1 +4 /m);
    expect(stdout).toMatch(/Would be sent:\ngroup +requests +rows/);
  });

  it('names the import that ported a number of the file before', async () => {
    const outcome = await emulator.run('validate', 'july.csv', '--json');
    const { rows, accepted, rejected, requests, issues } = json(validationJson, outcome);
    expect({ rows, accepted, rejected, requests }).toEqual({ rows: 6, accepted: 2, rejected: 4, requests: 1 });
    expect(errorsOf(issues)).toEqual([
      [2, 'msisdn', 'MSISDN_ALREADY_PORTED'],
      [3, 'msisdn', 'MSISDN_ALREADY_PORTED'],
      [4, 'pac', 'PAC_IS_STAC'],
      [5, 'tariff', 'TARIFF_UNKNOWN'],
    ]);
    const ported = issues.find(({ code }) => code === 'MSISDN_ALREADY_PORTED');
    expect(ported?.message).toContain(`by import ${imported.importId} (line 2)`);
    expect(outcome.exitCode).toBe(1);
  });

  it('answers a file without a fault with exit code 0', async () => {
    await emulator.write('good.csv', createPortFile([{ msisdn: '07700900501' }]));
    expect((await emulator.run('validate', 'good.csv')).exitCode).toBe(0);
  });
});

describe('approve IMPORT', () => {
  const plan = async (name: string, msisdn: string) => {
    await emulator.write(name, createPortFile([{ msisdn }, { msisdn: `${msisdn.slice(0, -1)}9`, tariff: '2002' }]));
    return json(outcomeJson, await emulator.run('import', name, '--plan-only', '--watch', '--json')).importId;
  };

  it('sends what was planned, once', async () => {
    const importId = await plan('later.csv', '07700900601');
    const outcome = json(
      outcomeJson,
      await emulator.run('approve', importId, '--watch', '--json', '--because', 'agreed'),
    );
    expect(outcome).toMatchObject({ importId, state: 'finished', ports: { Complete: 2 } });
    const again = await emulator.run('approve', importId);
    expect(again.exitCode).toBe(0);
    expect(again.stderr).toContain('was approved before');
  });

  it('is shown by status: each request, its rows, and why its date was chosen', async () => {
    const importId = await plan('planned.csv', '07700900611');
    const { plan: groups } = json(statusJson, await emulator.run('status', importId, '--json'));
    expect(groups).toMatchObject([
      { rows: 1, requestRows: [1], dateReason: expect.stringMatching(/first day with \d+ days? of notice/) },
      { rows: 1, requestRows: [1] },
    ]);
    const { stdout } = await emulator.run('status', importId);
    expect(stdout).toMatch(new RegExp(`^To send it: npm run simporter -- approve ${importId}$`, 'm'));
    expect(stdout).toMatch(/^Port to UK Mobile A, .* +1 +1 +1$/m);
    expect(stdout).toMatch(/^Date chosen: \d{4}-\d\d-\d\d is a \w+day, the first day with/m);
  });

  it('is not possible for a rejected import', async () => {
    await emulator.write('empty.csv', 'msisdn\r\n');
    const { importId } = json(
      outcomeJson,
      await emulator.run('import', 'empty.csv', '--plan-only', '--watch', '--json'),
    );
    const { exitCode, stderr } = await emulator.run('approve', importId);
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`rejected ${importId}`);
  });
});

describe('imports', () => {
  it('lists the newest first', async () => {
    const { imports } = json(importsJson, await emulator.run('imports', '--json'));
    expect(imports.at(-1)).toMatchObject({ importId: imported.importId, file: 'july.csv' });
  });

  it('shows a table', async () => {
    const { stdout } = await emulator.run('imports');
    expect(stdout).toMatch(new RegExp(`^${imported.importId} +july.csv `, 'm'));
  });
});

describe('status IMPORT', () => {
  it.each([
    ['its id', () => imported.importId],
    ['the beginning of its id', () => imported.importId.slice(0, 8)],
    ['the key in the inbox', () => 'create-port/august.csv'],
  ])('finds an import by %s', async (_how, given) => {
    const outcome = await emulator.run('status', given(), '--json');
    expect(json(statusJson, outcome).operation).toBe('create-port');
  });

  it('shows the counts, and the rows that require an action', async () => {
    const { stdout, exitCode } = await emulator.run('status', imported.importId);
    expect(stdout).toContain('6 rows: 4 accepted, 2 rejected');
    expect(stdout).toMatch(/^action required +1 row/m);
    expect(exitCode).toBe(1);
  });

  it('exits 2 for an unknown import, and suggests a similar name', async () => {
    const { exitCode, stderr } = await emulator.run('status', 'jully.csv');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Did you mean july.csv');
  });
});

describe('results IMPORT', () => {
  it('answers every row with its own columns and its result', async () => {
    const results = jsonLines(resultJson, await emulator.run('results', imported.importId, '--json'));
    expect(results.map(({ line, outcome }) => [line, outcome])).toEqual([
      [2, 'complete'],
      [3, 'complete'],
      [4, 'rejected'],
      [5, 'rejected'],
      [6, 'action-required'],
      [7, 'in-progress'],
    ]);
    expect(results[0]?.columns).toMatchObject({ msisdn: '07700900101', reference: 'first' });
  });

  it('masks every PAC', async () => {
    const { stdout } = await emulator.run('results', imported.importId, '--json');
    expect(stdout).not.toContain('ABC123456');
    expect(stdout).not.toContain('INV123456');
  });

  it('writes all rows with --csv', async () => {
    const outcome = await emulator.run('results', imported.importId, '--csv', 'out/results.csv', '--json');
    expect(json(writtenJson, outcome)).toEqual({ written: ['out/results.csv'], simulated: true });
    const written = await readFile(join(emulator.folder, 'out/results.csv'), 'utf8');
    expect(written.trim().split('\r\n')).toHaveLength(7);
  });

  it('writes the same rows as a workbook of texts with --xlsx', async () => {
    const outcome = await emulator.run('results', imported.importId, '--xlsx', 'out/results.xlsx', '--json');
    expect(json(writtenJson, outcome)).toEqual({ written: ['out/results.xlsx'], simulated: true });
    const { header, rows } = await readWorkbookFile(join(emulator.folder, 'out/results.xlsx'));
    const csv = (await readFile(join(emulator.folder, 'out/results.csv'), 'utf8')).slice(1).split('\r\n');
    expect(header.join(',')).toBe(csv[0]);
    expect(rows).toHaveLength(6);
    expect(rows[0]?.slice(0, 2)).toEqual(csv[1]?.split(',').slice(0, 2));
  });

  it('names the dates of a complete row', async () => {
    const [first] = jsonLines(resultJson, await emulator.run('results', imported.importId, '--json'));
    expect(first).toMatchObject({ outcome: 'complete', bookedDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
    const { submittedAt = '', completedAt = '' } = first ?? {};
    expect(Date.parse(completedAt)).toBeGreaterThan(Date.parse(submittedAt));
  });

  it('shows the totals and the first rows', async () => {
    const { stdout, stderr } = await emulator.run('results', imported.importId, '--first', '2');
    expect(stdout).toMatch(/^complete +Complete +2$/m);
    expect(stderr).toContain('Showing 2 of 6 rows');
  });
});

describe('rejected IMPORT', () => {
  it('answers each error with its line', async () => {
    const errors = jsonLines(issueJson, await emulator.run('rejected', imported.importId, '--json'));
    expect(errors.map(({ line }) => line)).toEqual([4, 5]);
  });

  it('writes a file that can be fixed and imported again', async () => {
    await emulator.run('rejected', imported.importId, '--csv', 'rejected.csv');
    const rejected = await readFile(join(emulator.folder, 'rejected.csv'), 'utf8');
    await emulator.write('fixed.csv', rejected.replace('123456ABC', 'ABC123456').replace('9999', '2001'));
    const outcome = json(validationJson, await emulator.run('validate', 'fixed.csv', '--json'));
    expect(outcome).toMatchObject({ rows: 2, accepted: 2, rejected: 0 });
  });

  it('writes a workbook with dropdown lists that can be fixed and imported again', async () => {
    await emulator.run('rejected', imported.importId, '--xlsx', 'rejected.xlsx');
    const path = join(emulator.folder, 'rejected.xlsx');
    const { header, rows } = await readWorkbookFile(path);
    expect(header.slice(-3)).toEqual(['importId', 'line', 'errors']);
    const choices = await textOfPart(path, 'xl/worksheets/sheet2.xml');
    for (const value of ['MigrateIn', 'UK Mobile A', 'Source Mobile One']) expect(choices).toContain(`<t>${value}</t>`);
    const fixes: Record<string, string> = { '123456ABC': 'ABC123456', '9999': '2001' };
    const fixed = rows.map((cells) => cells.map((cell) => fixes[cell] ?? cell));
    await writeFile(join(emulator.folder, 'fixed.xlsx'), writeWorkbook({ header, rows: Readable.from([fixed]) }));
    const outcome = json(validationJson, await emulator.run('validate', 'fixed.xlsx', '--json'));
    expect(outcome).toMatchObject({ rows: 2, accepted: 2, rejected: 0 });
  });

  it('is one file: a CSV or a workbook', async () => {
    const { exitCode, stderr } = await emulator.run(
      'rejected',
      imported.importId,
      '--xlsx',
      'a.xlsx',
      '--csv',
      'a.csv',
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain("'--xlsx <file>' cannot be used with option '--csv <file>'");
  });
});

describe('audit IMPORT', () => {
  it('finds the import that was sent by the name of its file, whatever was validated since', async () => {
    const { importId, entries } = json(auditJson, await emulator.run('audit', 'july.csv', '--json'));
    expect(importId).toBe(imported.importId);
    expect(entries[0]).toMatchObject({ action: 'uploaded', details: { file: 'create-port/july.csv' } });
  });
});

describe('number MSISDN', () => {
  it.each(['07700900101', '+44 7700 900101', '447700900101'])('reads the notation %s', async (notation) => {
    const number = json(numberJson, await emulator.run('number', notation, '--json'));
    expect(number).toMatchObject({ number: '447700900101', line: 2, file: 'july.csv', portStatus: 'Complete' });
  });

  it('shows what to do about a number that requires an action', async () => {
    const { exitCode, stdout } = await emulator.run('number', '07700900105');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^status +PacInvalid$/m);
    expect(stdout).toMatch(/^what to do +Get a new PAC/m);
  });

  it('exits 2 for text that is not a number', async () => {
    const { exitCode, stderr } = await emulator.run('number', '4.477E+11');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Excel');
  });
});

describe('actions and port ID', () => {
  const readEntries = async () => json(actionsJson, await emulator.run('actions', '--json')).actionRequired;

  it('lists every required action, with what to do', async () => {
    const [entry] = await readEntries();
    expect(entry).toMatchObject({
      kind: 'port',
      status: 'Pac Check Failed',
      blockedRows: 1,
      importId: imported.importId,
    });
    expect(entry?.numbers).toMatchObject([{ msisdn: '447700900105', line: 6, status: 'PacInvalid' }]);
    expect(entry).toMatchObject({
      summary: '1 row blocks 1 ready row',
      cancelBy: expect.stringMatching(/T1[56]:00:00\.000Z$/),
      next: `npm run simporter -- corrections ${imported.importId} --csv correct.csv`,
    });
    expect((await emulator.run('actions')).exitCode).toBe(1);
  });

  it('shows each row of the port, what blocks it, and its history', async () => {
    const [entry] = await readEntries();
    const port = json(portJson, await emulator.run('port', entry?.id ?? '', '--json'));
    expect(port.rows.map(({ msisdn, blockedBy }) => [msisdn, blockedBy])).toEqual([
      ['447700900105', []],
      ['447700900106', ['447700900105']],
    ]);
    expect(port.events.at(-1)?.status).toBe('Pac Check Failed');
  });

  it('never shows a PAC', async () => {
    const [entry] = await readEntries();
    const { stdout } = await emulator.run('port', entry?.id ?? '');
    expect(stdout).toContain('1 row blocks 1 ready row');
    expect(stdout).not.toMatch(/[A-Z]{3}\d{6}/);
  });

  it('exits 2 for a port that simporter did not create', async () => {
    expect((await emulator.run('port', '00000000-0000-4000-8000-000000000000')).exitCode).toBe(2);
  });
});

describe('corrections IMPORT', () => {
  it('answers each row that needs a new PAC, with the columns to import', async () => {
    const [line, ...others] = jsonLines(correctionJson, await emulator.run('corrections', imported.importId, '--json'));
    expect(others).toEqual([]);
    expect(line).toMatchObject({
      operation: 'update-port',
      line: 6,
      reason: expect.stringContaining('PacInvalid'),
      columns: { msisdn: '07700900105', pac: '' },
    });
  });

  it('writes the file to fill in, and names the command to import it', async () => {
    const { stderr, exitCode } = await emulator.run('corrections', imported.importId, '--csv', 'correct.csv');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('import correct.csv --operation update-port');
    const written = await readFile(join(emulator.folder, 'correct.csv'), 'utf8');
    expect(written).toMatch(
      /^\uFEFFmsisdn,portId,pac,reason,importId,line,reference\r\n07700900105,[-0-9a-f]{36},,PacInvalid: /,
    );
  });

  it('writes no file when no row needs a new PAC', async () => {
    const outcome = await emulator.run('corrections', 'august.csv', '--csv', 'nothing.csv', '--json');
    expect(json(writtenJson, outcome)).toEqual({ written: [], simulated: true });
    expect(outcome.exitCode).toBe(0);
  });

  it('shows each row, the reason, and the next command', async () => {
    const { stdout, stderr } = await emulator.run('corrections', imported.importId);
    expect(stdout).toMatch(/^ *6 +07700900105 +update-port +PacInvalid: The PAC is not valid/m);
    expect(stderr).toContain(`corrections ${imported.importId} --csv correct.csv`);
  });
});

describe('events', () => {
  it('waits with --follow, and ends at Ctrl-C', async () => {
    const interruption = new AbortController();
    const following = runInFolder(emulator.folder, ['events', '--follow', '--json'], interruption.signal);
    await emulator.run('import', 'july.csv', '--plan-only', '--set', 'groupName=followed');
    await expect
      .poll(async () => (await emulator.run('events')).stdout, { timeout: 30_000 })
      .toContain('waitsForApproval true');
    interruption.abort();
    const { exitCode, stdout } = await following;
    expect(exitCode).toBe(0);
    const names = jsonLines(eventJson, { exitCode, stdout, stderr: '' }).map((event) => event['detail-type']);
    expect(names).toContain('ImportPlanned');
  });

  it('names the log that has the events of a deployed stack', async () => {
    const { exitCode, stderr } = await emulator.run('events', '--stack', 'simporter-prod');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('aws logs tail /aws/events/simporter-prod --follow');
  });
});

describe('docs/cli.md', () => {
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

describe('--stack NAME', () => {
  const withStack = async (name: string, ...words: string[]) => {
    const { environment, outputs, folder } = emulator;
    const stack = await startStackServer('pipeline', { ...outputs, ServiceAccountId: '1001' });
    const env = { ...environment, AWS_ENDPOINT_URL_CLOUDFORMATION: stack.url };
    try {
      return await runMain(folder, ['--stack', name, ...words], env);
    } finally {
      await stack.close();
    }
  };

  it('uses a deployed stack, found by its outputs', async () => {
    const { imports } = json(importsJson, await withStack('pipeline', 'imports', '--limit', '100', '--json'));
    expect(imports.map(({ importId }) => importId)).toContain(imported.importId);
  });

  it('runs sync there', async () => {
    expect((await withStack('pipeline', 'sync')).exitCode).toBe(0);
  });

  it('approves a plan there, through the queue that its outputs name', async () => {
    await emulator.write('stack.csv', createPortFile([{ msisdn: '07700900651' }]));
    const planned = await emulator.run('import', 'stack.csv', '--plan-only', '--watch', '--json');
    const { importId } = json(outcomeJson, planned);
    expect(json(outcomeJson, await withStack('pipeline', 'approve', importId, '--json')).state).not.toBe('planned');
  });

  it('reports an unknown stack', async () => {
    const { exitCode, stderr } = await withStack('pipelin', 'imports');
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/There is no stack "pipelin" here/);
  });
});
