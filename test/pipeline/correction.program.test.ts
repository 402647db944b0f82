// docs/guides/corrections.md, command by command: 20 invalid PACs among 300 rows, until all ports are complete; and the
// events that were published meanwhile.
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as z from 'zod';
import { type EventName, eventDetails, eventNames } from '#shared/api/events.ts';
import { createFiles } from '#shared/store/files.ts';
import { importFileKey } from '#shared/store/object-keys.ts';
import { type CliEmulator, type CommandOutcome, startCliEmulator } from '../support/cli/emulator.ts';
import { createPortFile } from '../support/cli/files.ts';
import { eventJson, type validationJson } from '../support/cli/json-shapes.ts';
import { missingLines, stepsOf } from '../support/cli/page-story.ts';
import { until } from '../support/emulator/start-process.ts';
import { correctionFile } from '../support/files/example-files.ts';
import { readWorkbook } from '../support/files/read-workbook.ts';
import { simAt } from '../support/ingest/valid-rows.ts';

const examples = join(import.meta.dirname, '..', '..', 'examples');
/** A calendar day in four seconds. */
const speed = 21_600;
/** Slow enough that a port is in progress while its file is imported again. */
const slowSpeed = 720;

let emulator: CliEmulator;
/** In the order of the page. */
const steps: { readonly command: string; readonly outcome: CommandOutcome }[] = [];

const read = (name: string) => readFile(join(emulator.folder, name), 'utf8');
const jsonOf = async (...words: string[]) => JSON.parse((await emulator.run(...words, '--json')).stdout);
const reaches = (name: string, states: readonly string[]) =>
  until(`${name} is ${states.join(' or ')}`, async () => {
    const item = await jsonOf('status', name);
    return states.includes(item.state) ? item : undefined;
  });

beforeAll(async () => {
  emulator = await startCliEmulator(speed);
  await emulator.changeSpeed(slowSpeed);
  await mkdir(join(emulator.folder, 'examples'));
  for (const name of ['correction.csv', 'first-import.csv'])
    await cp(join(examples, name), join(emulator.folder, 'examples', name));
  // Declined rows are listed for a week.
  await Promise.all([fixDeclined(), importTwice()]);
  await emulator.changeSpeed(speed);
  // The page shows no action of another file.
  await fixRejected();
  // The calendar passes for all of them together.
  await Promise.all([followPage(), importUnreadable()]);
  // It writes a file of the same name as the page.
  await emulator.skipToMonday();
  await followTutorial();
}, 600_000);
afterAll(() => emulator?.stop());

const foreignSim = '89440023210020003703';
const simRows = 100;
const declined: Partial<Record<'imported' | 'actions' | 'saved' | 'corrected' | 'status' | 'next', CommandOutcome>> =
  {};
let declinedFile: string;

/** Report counts declined rows shortly after an import has finished. */
const actionsOnce = (what: string, isWanted: (count: number) => boolean): Promise<CommandOutcome> =>
  until(what, async () => {
    const outcome = await emulator.run('actions', '--json');
    return isWanted(JSON.parse(outcome.stdout).actionRequired.length) ? outcome : undefined;
  });

/** One of 100 SIMs belongs to another account. */
async function fixDeclined(): Promise<void> {
  const rows = Array.from({ length: simRows }, (_, index) =>
    [index === 40 ? foreignSim : simAt(index), '101', '2001', '5001', `Depot ${index + 1}`].join(';'),
  );
  const header = 'serialNumber;network;tariffNumber;provisioningOrderNumber;Depot';
  await emulator.write('sims.csv', `${[header, ...rows].join('\r\n')}\r\n`);
  declined.imported = await emulator.run('import', 'sims.csv', '--operation', 'provision', '--watch');
  declined.actions = await actionsOnce('the declined row is listed', (count) => count > 0);
  declined.saved = await emulator.run('corrections', 'sims.csv', '--csv', 'declined.csv');
  declinedFile = await read('declined.csv');
  await emulator.write('declined.csv', declinedFile.replace(foreignSim, simAt(simRows)));
  declined.corrected = await emulator.run('import', 'declined.csv', '--operation', 'provision', '--watch');
  declined.status = await emulator.run('status', 'sims.csv', '--json');
  declined.next = await actionsOnce('no action is listed', (count) => count === 0);
}

let pageResults: string;

async function followPage(): Promise<void> {
  for (const words of stepsOf('guides/corrections.md').flatMap(({ commands }) => commands)) {
    if (words[1] === 'correct.csv') await fillHalf();
    if (words[1] === 'correct.csv') await fillIn('correct.csv');
    if (words[0] === 'results' && words.includes('--csv')) await reaches('correction.csv', ['finished']);
    steps.push({ command: words.join(' '), outcome: await emulator.run(...words) });
  }
  pageResults = await read('results.csv');
}

/** What the page shows of the output of its commands, and they do not print. */
const untrue: string[] = [];

async function followTutorial(): Promise<void> {
  for (const { commands, shown } of stepsOf('start/analyst.md')) {
    let output = '';
    for (const words of commands) {
      if (words[1] === 'fix.csv') await rewrite('fix.csv', [/123456ABC/, 'ABC123460'], [/Busines U/, 'Business U']);
      if (words[1] === 'pacs.csv') await rewrite('pacs.csv', [emptyPac, '$1,ABC123461,']);
      const { exitCode, stdout, stderr } = await emulator.run(...words);
      if (exitCode > 1) untrue.push(`${words.join(' ')}: ${stderr}`);
      output += stdout;
    }
    untrue.push(...missingLines(shown, output));
  }
}

async function rewrite(name: string, ...changes: readonly (readonly [RegExp, string])[]): Promise<void> {
  const changed = changes.reduce((text, [before, after]) => text.replace(before, after), await read(name));
  await emulator.write(name, changed);
}

const emptyPac = /^([^,]*,[-0-9a-f]{36}),,/m;
const filled = (line: string): string => line.replace(emptyPac, '$1,ABC123456,');

/** What a person does in step 4. */
async function fillIn(name: string): Promise<void> {
  const lines = (await read(name)).split('\r\n');
  await emulator.write(name, lines.map(filled).join('\r\n'));
}

let half: z.infer<typeof validationJson>;
let otherHalf: z.infer<typeof validationJson>;

/** Only ten of the codes are known: the file is validated, not sent. */
async function fillHalf(): Promise<void> {
  const lines = (await read('correct.csv')).split('\r\n');
  await emulator.write('half.csv', lines.map((line, index) => (index <= 10 ? filled(line) : line)).join('\r\n'));
  half = await jsonOf('validate', 'half.csv', '--operation', 'update-port');
  await emulator.run('rejected', half.importId, '--csv', 'other-half.csv');
  await fillIn('other-half.csv');
  otherHalf = await jsonOf('validate', 'other-half.csv', '--operation', 'update-port');
}

async function fixRejected(): Promise<void> {
  const invalid = [
    { msisdn: '07700900402', tariff: '9999' },
    { msisdn: '07700900403', pac: '123456ABC' },
  ];
  await emulator.write('first.csv', createPortFile([{ msisdn: '07700900401' }, ...invalid]));
  await emulator.run('import', 'first.csv');
  await reaches('first.csv', ['submitting', 'in-progress', 'finished']);
  await emulator.run('rejected', 'first.csv', '--csv', 'fixed.csv');
  const fixed = (await read('fixed.csv')).replace('9999', '2001').replace('123456ABC', 'ABC123456');
  await emulator.write('fixed.csv', fixed);
  await emulator.run('import', 'fixed.csv');
  await actionsOnce('the rows are sent', (count) => count === 0);
}

async function importTwice(): Promise<void> {
  const first = [{ msisdn: '07700900411' }, { msisdn: '07700900412' }];
  await emulator.write('partly.csv', createPortFile(first));
  await emulator.run('import', 'partly.csv');
  await reaches('partly.csv', ['in-progress']);
  await emulator.write('whole.csv', createPortFile([...first, { msisdn: '07700900413' }]));
  await emulator.run('import', 'whole.csv');
  await reaches('whole.csv', ['in-progress']);
}

async function importUnreadable(): Promise<void> {
  await emulator.write('unreadable.csv', 'name,colour\r\nMay,green\r\n');
  await emulator.run('import', 'unreadable.csv');
}

const readEvents = async () => {
  const { stdout } = await emulator.run('events', '--json');
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => eventJson.parse(JSON.parse(line)));
};

const outputOf = (wanted: string): string =>
  steps.find(({ command }) => command === wanted)?.outcome.stdout ?? `${wanted} was not run`;

describe('docs/guides/corrections.md', () => {
  test('is about the file in examples/', async () => {
    expect(await readFile(join(examples, 'correction.csv'), 'utf8')).toBe(correctionFile());
  });

  test('contains only commands that work', () => {
    expect(steps.filter(({ outcome }) => outcome.exitCode > 1)).toEqual([]);
  });

  test('1: the file is imported, and 20 of its rows require an action', () => {
    const stdout = outputOf('import examples/correction.csv --watch');
    expect(stdout).toContain('300 rows: 300 accepted, 0 rejected');
    expect(stdout).toMatch(/^action required +20 rows/m);
  });

  test('2: the port with the most blocked rows is first, with its deadline to cancel and the next command', () => {
    const lines = outputOf('actions').split('\n');
    const blocked = lines.flatMap(
      (line) => /\d{4}-\d\d-\d\d \d\d:\d\d +Pac Check Failed +(\d+) +(\d+)/.exec(line)?.[2] ?? [],
    );
    expect(blocked.map(Number)).toEqual(blocked.map(Number).toSorted((one, other) => other - one));
    // The other four of the 280 valid rows are in a separate port without an invalid row.
    expect(blocked.map(Number).reduce((sum, rows) => sum + rows, 0)).toBe(276);
    expect(lines.at(-2)).toMatch(
      /^To enter new PACs: npm run simporter -- corrections [0-9a-z]{16} --csv correct\.csv$/,
    );
  });

  test('2: each blocked row names the lines that block it', () => {
    expect(outputOf('results correction.csv --first 10')).toMatch(
      /^ *2 +07700900000 +in-progress .*\n +Blocked by line \d+/m,
    );
  });

  test('3: the rows to correct have an empty PAC, the reason and the reference', async () => {
    const lines = (await read('correct.csv')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(21);
    expect(lines[1]).toMatch(/^07700900007,[-0-9a-f]{36},ABC123456,PacInvalid: The PAC is not valid.*,9,Order 8$/);
  });

  test('4: half of the codes can be sent, and the other rows are returned in rejected.csv', async () => {
    expect(half).toMatchObject({ rows: 20, accepted: 10, rejected: 10 });
    expect(otherHalf).toMatchObject({ rows: 10, accepted: 10, rejected: 0 });
  });

  test('5: every row of the filled file is accepted', () => {
    const stdout = outputOf('import correct.csv --operation update-port --watch');
    expect(stdout).toContain('20 rows: 20 accepted, 0 rejected');
    expect(stdout).toMatch(/^state +finished/m);
  });

  test('6: all 300 rows of the first file are complete, and no action is required', async () => {
    const [header = '', ...lines] = pageResults.trimEnd().split('\r\n');
    const outcome = header.split(',').indexOf('outcome');
    expect(lines).toHaveLength(300);
    expect(new Set(lines.map((line) => line.split(',')[outcome]))).toEqual(new Set(['complete']));
    expect(await jsonOf('actions')).toEqual({ actionRequired: [], simulated: true });
    expect((await jsonOf('status', 'correction.csv')).actionRequired).toBe(0);
  });
});

test('docs/start/analyst.md shows what its commands print', () => {
  expect(untrue).toEqual([]);
});

describe('declined rows', () => {
  test('one SIM that the service declines costs no other: 99 of 100 succeed, and its row has the reason', () => {
    expect(declined.imported?.exitCode).toBe(1);
    const stdout = declined.imported?.stdout ?? '';
    expect(stdout).toMatch(/^state +finished: 99 of 100 accepted, 1 declined$/m);
    expect(stdout).toMatch(/^To fix 1 declined row: .* corrections \w{16} --csv correct\.csv$/m);
    const { actionRequired } = JSON.parse(declined.actions?.stdout ?? '');
    expect(actionRequired).toMatchObject([
      { kind: 'import', rows: 1, next: expect.stringMatching(/corrections \w{16} --csv correct\.csv$/) },
    ]);
  });

  test('the file has exactly the declined row: its columns, its separator, its line and the reason', () => {
    expect(declined.saved?.stderr).toContain('import declined.csv --operation provision --watch');
    const [header, row, ...others] = declinedFile.split('\r\n');
    expect(header).toBe('\uFEFFserialNumber;network;tariffNumber;provisioningOrderNumber;Depot;importId;line;errors');
    expect(row).toMatch(new RegExp(`^${foreignSim};101;2001;5001;Depot 41;\\w{16};42;.*no SIM ${foreignSim}`));
    expect(others).toEqual(['']);
  });

  test('fixed and imported, it completes the first import: 100 of 100, and no action is required', () => {
    expect(declined.corrected?.exitCode).toBe(0);
    expect(declined.corrected?.stdout).toContain('sims.csv as a whole: 100 of 100 accepted');
    const status = JSON.parse(declined.status?.stdout ?? '');
    expect(status.root).toMatchObject({ rows: 100, outcomes: { accepted: 100 } });
    expect(declined.status?.exitCode).toBe(0);
    expect(JSON.parse(declined.next?.stdout ?? '')).toEqual({ actionRequired: [], simulated: true });
  });
});

describe('other files to import again', () => {
  test('rejected.csv: fixed and imported with its two extra columns, every row is sent', async () => {
    expect(await read('fixed.csv')).toMatch(/,line,errors\r\n/);
    // The name of a file that came back means the import whose rows it has.
    const first = await reaches('fixed.csv', ['finished']);
    expect(first.importId).toBe((await jsonOf('status', 'first.csv')).importId);
    expect(first.root).toMatchObject({ rows: 3, outcomes: { complete: 3 } });
  });

  test('rejected.csv: once every row is sent, the first file has no row to correct', async () => {
    const { stdout, stderr, exitCode } = await emulator.run('rejected', 'first.csv', '--csv', 'none.csv', '--json');
    expect([exitCode, JSON.parse(stdout)]).toEqual([0, { written: [], simulated: true }]);
    expect(stderr).toContain('No row is rejected');
  });

  test('the downloads of the first file have each row as it was sent, and are what the command line writes', async () => {
    await emulator.run('results', 'first.csv', '--csv', 'merged.csv');
    const wanted = await read('merged.csv');
    expect(wanted.match(/,complete,/g)).toHaveLength(3);
    expect(wanted).not.toMatch(/9999|rejected/);
    const { importId } = await jsonOf('status', 'first.csv');
    const endpoint = emulator.environment.AWS_ENDPOINT_URL_S3 ?? '';
    const files = createFiles(new S3Client({ endpoint, forcePathStyle: true }));
    const download = (name: string) =>
      files.read({ bucket: emulator.outputs.ResultsBucket ?? '', key: importFileKey(importId, name) });
    const textOf = async () => Buffer.concat(await Array.fromAsync(await download('results.csv'))).toString();
    // Report follows within seconds.
    await until('results.csv is written', async () => ((await textOf()) === wanted ? true : undefined));
    const cells = await until('results.xlsx is written', async () => {
      const { rows } = await readWorkbook(await download('results.xlsx'));
      return rows.every((row) => row.includes('complete')) ? rows : undefined;
    });
    expect(cells).toHaveLength(3);
  });

  test('a file that was partly sent: rows in progress are skipped, and name the import that has them', async () => {
    const { importId } = await jsonOf('status', 'partly.csv');
    const { stdout } = await emulator.run('results', 'whole.csv', '--json');
    const results = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(results.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['skipped', expect.stringContaining(`on line 2 of import ${importId}`)],
      ['skipped', expect.stringContaining(`on line 3 of import ${importId}`)],
      [expect.stringMatching(/complete|in-progress/), ''],
    ]);
  });
});

describe('events', () => {
  test('the finished import is published after all its other events', async () => {
    const { importId } = await jsonOf('status', 'correction.csv');
    const ofImport = await until('ImportFinished is published', async () => {
      const events = (await readEvents()).filter(({ detail }) => detail.importId === importId);
      return events.some((event) => event['detail-type'] === 'ImportFinished') ? events : undefined;
    });
    expect(ofImport[0]).toMatchObject({ 'detail-type': 'ImportPlanned', detail: { rows: 300, accepted: 300 } });
    const actionRequired = ofImport.filter((event) => event['detail-type'] === 'ActionRequired');
    expect(actionRequired.filter(({ detail }) => detail.scope !== 'row')).toEqual([]);
    const corrected = (await read('correct.csv')).trimEnd().split('\r\n').slice(1);
    const linesOf = corrected.map((line) => Number(/,(\d+),Order/.exec(line)?.[1]));
    expect(actionRequired.map(({ detail }) => detail.line).sort()).toEqual(linesOf.sort());
    const ended = ofImport.filter(({ detail }) => detail.ended === true).map(({ detail }) => detail.portId);
    const { ports } = await jsonOf('status', 'correction.csv');
    expect(ended).toHaveLength(ports.Complete);
    expect(new Set(ended).size).toBe(ended.length);
  });

  test('all five events are published in their shape, each change once, none with a PAC or a phone number', async () => {
    const events = await readEvents();
    expect(new Set(events.map((event) => event['detail-type']))).toEqual(new Set(eventNames));
    for (const event of events) eventDetails[event['detail-type'] as EventName].strict().parse(event.detail);
    expect(new Set(events.map(({ detail }) => detail.id)).size).toBe(events.length);
    expect(JSON.stringify(events)).not.toMatch(/447700900|ABC123456|INV123456/);
  });

  test('the events command shows a line for each', async () => {
    const { stdout } = await emulator.run('events');
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}PortStatusChanged {2}import \w{16}, request \d+, portId /m);
  });
});
