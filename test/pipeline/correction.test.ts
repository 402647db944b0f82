// docs/correction.md, command by command: 20 bad PACs among 300 lines, from the drop to the last Complete; and what others were
// told of it meanwhile.
import { cp, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventJson } from '#cli/json-shapes.ts';
import { type EventName, eventDetails, eventNames } from '#shared/events/events.ts';
import { correctionFile } from '../../bench/correction-file.ts';
import { type CommandLineEngine, type CommandOutcome, startCommandLineEngine } from '../support/cli-engine.ts';
import { createPortFile } from '../support/cli-files.ts';
import { until } from '../support/pipeline-process.ts';
import { commandsOf } from '../support/pipeline-story.ts';

const example = join(import.meta.dirname, '..', '..', 'examples', 'correction.csv');
/** A calendar day in four seconds. */
const speed = 21_600;

let engine: CommandLineEngine;
/** In the order of the page. */
const told: { readonly command: string; readonly outcome: CommandOutcome }[] = [];

const read = (name: string) => readFile(join(engine.folder, name), 'utf8');
const jsonOf = async (...words: string[]) => JSON.parse((await engine.run(...words, '--json')).stdout);
const reaches = (name: string, states: readonly string[]) =>
  until(`${name} is ${states.join(' or ')}`, async () => {
    const item = await jsonOf('status', name);
    return states.includes(item.state) ? item : undefined;
  });

beforeAll(async () => {
  engine = await startCommandLineEngine(speed);
  // Days pass for all three at once.
  await Promise.all([tellStory(), mendRejected(), dropTwice(), dropUnreadable()]);
}, 180_000);
afterAll(() => engine?.stop());

async function tellStory(): Promise<void> {
  await mkdir(join(engine.folder, 'examples'));
  await cp(example, join(engine.folder, 'examples', 'correction.csv'));
  for (const words of commandsOf('correction.md')) {
    if (words[1] === 'correct.csv') await fillHalf();
    if (words[1] === 'correct.csv') await fillIn('correct.csv');
    if (words[0] === 'results' && words.includes('--csv')) await reaches('correction.csv', ['completed']);
    told.push({ command: words.join(' '), outcome: await engine.run(...words) });
  }
}

const emptyPac = /^([^,]*,[-0-9a-f]{36}),,/;
const filled = (line: string): string => line.replace(emptyPac, '$1,ABC123456,');

/** What a person does in step 4. */
async function fillIn(name: string): Promise<void> {
  const lines = (await read(name)).split('\r\n');
  await engine.write(name, lines.map(filled).join('\r\n'));
}

/** A person who has only ten of the codes; judged, not sent. */
async function fillHalf(): Promise<void> {
  const lines = (await read('correct.csv')).split('\r\n');
  await engine.write('half.csv', lines.map((line, index) => (index <= 10 ? filled(line) : line)).join('\r\n'));
  await engine.run('validate', 'half.csv', '--operation', 'update-port');
  await engine.run('rejected', 'half.csv', '--csv', 'other-half.csv');
  await fillIn('other-half.csv');
  await engine.run('validate', 'other-half.csv', '--operation', 'update-port');
}

async function mendRejected(): Promise<void> {
  const bad = [
    { msisdn: '07700900402', tariff: '9999' },
    { msisdn: '07700900403', pac: '123456ABC' },
  ];
  await engine.write('first.csv', createPortFile([{ msisdn: '07700900401' }, ...bad]));
  await engine.run('import', 'first.csv');
  await reaches('first.csv', ['submitting', 'following', 'completed']);
  await engine.run('rejected', 'first.csv', '--csv', 'mended.csv');
  const mended = (await read('mended.csv')).replace('9999', '2001').replace('123456ABC', 'ABC123456');
  await engine.write('mended.csv', mended);
  await engine.run('import', 'mended.csv', '--watch');
}

async function dropTwice(): Promise<void> {
  const first = [{ msisdn: '07700900411' }, { msisdn: '07700900412' }];
  await engine.write('partly.csv', createPortFile(first));
  await engine.run('import', 'partly.csv');
  await reaches('partly.csv', ['following']);
  await engine.write('whole.csv', createPortFile([...first, { msisdn: '07700900413' }]));
  await engine.run('import', 'whole.csv');
  await reaches('whole.csv', ['following']);
}

async function dropUnreadable(): Promise<void> {
  await engine.write('unreadable.csv', 'name,colour\r\nMay,green\r\n');
  await engine.run('import', 'unreadable.csv');
}

const announced = async () => {
  const { stdout } = await engine.run('events', '--json');
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => eventJson.parse(JSON.parse(line)));
};

const outputOf = (wanted: string): string =>
  told.find(({ command }) => command === wanted)?.outcome.stdout ?? `${wanted} was not run`;

describe('docs/correction.md', () => {
  test('is told of the file in examples/', async () => {
    expect(await readFile(example, 'utf8')).toBe(correctionFile());
  });

  test('shows commands that work', () => {
    expect(told.filter(({ outcome }) => outcome.exitCode > 1)).toEqual([]);
  });

  test('1: the file is sent, and 20 of its rows need somebody', () => {
    const stdout = outputOf('import examples/correction.csv --watch');
    expect(stdout).toContain('300 rows: 300 accepted, 0 rejected');
    expect(stdout).toMatch(/^attention +20 rows need somebody/m);
  });

  test('2: the port that holds the most comes first, with the last moment to cancel it and the next command', () => {
    const lines = outputOf('attention').split('\n');
    const held = lines.flatMap(
      (line) => /Pac Check Failed +(\d+) +(\d+) +\d{4}-\d\d-\d\d 1[56]:00/.exec(line)?.[2] ?? [],
    );
    expect(held.map(Number)).toEqual(held.map(Number).toSorted((one, other) => other - one));
    // The other four of the 280 good lines fill a port of their own, in which nothing holds them.
    expect(held.map(Number).reduce((sum, many) => sum + many, 0)).toBe(276);
    expect(lines.at(-2)).toMatch(
      /^To fill in new PACs: npm run simporter -- corrections [0-9a-z]{16} --csv correct\.csv$/,
    );
  });

  test('2: each good line names the lines that hold it', () => {
    expect(outputOf('results correction.csv --first 10')).toMatch(/^ *2 +07700900000 +in-progress .*held by line \d+/m);
  });

  test('3: the lines to correct have an empty pac, the reason and the reference', async () => {
    const lines = (await read('correct.csv')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(21);
    expect(lines[1]).toMatch(/^07700900007,[-0-9a-f]{36},ABC123456,PacInvalid: The PAC is not valid.*,9,Order 8$/);
  });

  test('4: half of the codes will do, and the other half comes back in a rejected.csv of its own', async () => {
    expect(await jsonOf('status', 'half.csv')).toMatchObject({ rows: 20, accepted: 10, rejected: 10 });
    expect(await jsonOf('status', 'other-half.csv')).toMatchObject({ rows: 10, accepted: 10, rejected: 0 });
  });

  test('5: every line of the filled file is taken', () => {
    const stdout = outputOf('import correct.csv --operation update-port --watch');
    expect(stdout).toContain('20 rows: 20 accepted, 0 rejected');
    expect(stdout).toMatch(/^state +completed/m);
  });

  test('6: all 300 lines of the first file are complete, and nothing is left to do', async () => {
    const [header = '', ...lines] = (await read('results.csv')).trimEnd().split('\r\n');
    const outcome = header.split(',').indexOf('outcome');
    expect(lines).toHaveLength(300);
    expect(new Set(lines.map((line) => line.split(',')[outcome]))).toEqual(new Set(['complete']));
    expect(await jsonOf('attention')).toEqual({ attention: [] });
    expect((await jsonOf('status', 'correction.csv')).attention).toBe(0);
  });
});

describe('what else comes back', () => {
  test('rejected.csv: mended and dropped with its own two columns, every row of it is sent', async () => {
    expect(await read('mended.csv')).toMatch(/,line,errors\r\n/);
    const mended = await reaches('mended.csv', ['completed']);
    expect(mended).toMatchObject({ rows: 2, accepted: 2, rejected: 0, ports: { Complete: 1 } });
  });

  test('a file that was partly sent: rows in live requests are withdrawn, and told which import has them', async () => {
    const { importId } = await jsonOf('status', 'partly.csv');
    const { stdout } = await engine.run('results', 'whole.csv', '--json');
    const results = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(results.map(({ outcome, message }) => [outcome, message])).toEqual([
      ['withdrawn', expect.stringContaining(`on line 2 of import ${importId}`)],
      ['withdrawn', expect.stringContaining(`on line 3 of import ${importId}`)],
      [expect.stringMatching(/complete|in-progress/), ''],
    ]);
  });
});

describe('what others are told', () => {
  test('the completed import is announced, once all else of it was', async () => {
    const { importId } = await jsonOf('status', 'correction.csv');
    const ofImport = await until('ImportCompleted comes', async () => {
      const events = (await announced()).filter(({ detail }) => detail.importId === importId);
      return events.some((event) => event['detail-type'] === 'ImportCompleted') ? events : undefined;
    });
    expect(ofImport[0]).toMatchObject({ 'detail-type': 'ImportPlanned', detail: { rows: 300, accepted: 300 } });
    const attention = ofImport.filter((event) => event['detail-type'] === 'RowNeedsAttention');
    const corrected = (await read('correct.csv')).trimEnd().split('\r\n').slice(1);
    const linesOf = corrected.map((line) => Number(/,(\d+),Order/.exec(line)?.[1]));
    expect(attention.map(({ detail }) => detail.line).sort()).toEqual(linesOf.sort());
    const ended = ofImport.filter(({ detail }) => detail.ended === true).map(({ detail }) => detail.portId);
    const { ports } = await jsonOf('status', 'correction.csv');
    expect(ended).toHaveLength(ports.Complete);
    expect(new Set(ended).size).toBe(ended.length);
  });

  test('all five events come, each in its shape, each change once, and none with a PAC or a phone number', async () => {
    const events = await announced();
    expect(new Set(events.map((event) => event['detail-type']))).toEqual(new Set(eventNames));
    for (const event of events) eventDetails[event['detail-type'] as EventName].strict().parse(event.detail);
    expect(new Set(events.map(({ detail }) => detail.id)).size).toBe(events.length);
    expect(JSON.stringify(events)).not.toMatch(/447700900|ABC123456|INV123456/);
  });

  test('a person sees a line for each', async () => {
    const { stdout } = await engine.run('events');
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d {2}PortStatusChanged {2}import \w{16}, request \d+, portId /m);
  });
});
