// Nothing is sent, hidden or confused by default: approval, names of files, simulators, declined and rejected rows.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { displayWidth } from '#cli/output/text.ts';
import { type CliEmulator, type CommandOutcome, runOnTerminal, startCliEmulator } from '../support/cli/emulator.ts';
import { createPortFile } from '../support/cli/files.ts';
import {
  actionsJson,
  importsJson,
  outcomeJson,
  referenceDataJson,
  statusJson,
  validationJson,
} from '../support/cli/json-shapes.ts';

let emulator: CliEmulator;
let july: string;
/** Whether the service has them already is found out in ten seconds, in which the first tests run. */
let declined: Promise<string>;
beforeAll(async () => {
  emulator = await startCliEmulator(86_400);
  const rows = [
    { msisdn: '07700900701' },
    { msisdn: '07700900702', tariff: '9999' },
    { msisdn: '07700900703', pac: 'x' },
  ];
  await emulator.write('july.csv', createPortFile(rows));
  july = await importFile('july.csv');
  await emulator.write('declined.csv', createPortFile([{ msisdn: '07700900990' }, { msisdn: '07700900991' }]));
  declined = importFile('declined.csv');
});
afterAll(async () => {
  await Promise.allSettled([declined]);
  await emulator?.stop();
});

const parse = ({ stdout }: CommandOutcome) => JSON.parse(stdout);
const importFile = async (name: string, ...options: string[]): Promise<string> =>
  outcomeJson.parse(parse(await emulator.run('import', name, '--watch', '--json', ...options))).importId;
const plan = async (name: string, ...msisdns: string[]): Promise<string> => {
  await emulator.write(name, createPortFile(msisdns.map((msisdn) => ({ msisdn }))));
  return importFile(name, '--plan-only');
};
const stateOf = async (importId: string) =>
  statusJson.parse(parse(await emulator.run('status', importId, '--json'))).state;

describe('approve on a terminal', () => {
  it('shows what it would send, and sends nothing without a yes', async () => {
    const importId = await plan('asked.csv', '07700900711', '07700900712');
    const { exitCode, stdout, stderr } = await runOnTerminal(emulator.folder, ['approve', 'asked.csv'], 'n');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^asked\.csv: 2 numbers in 1 port, 2 warnings$/m);
    expect(stdout).toMatch(/^Port to UK Mobile A, .* +1 +2 +2$/m);
    expect(stdout).toMatch(/^Date chosen: \d{4}-\d\d-\d\d is a \w+day, the first day with/m);
    expect(stderr).toContain('Send 2 numbers in 1 port (y/N)? ');
    expect(stderr).toContain('Nothing was sent.');
    expect(await stateOf(importId)).toBe('planned');
  });

  it('sends after a yes', async () => {
    const importId = await plan('agreed.csv', '07700900713');
    expect((await runOnTerminal(emulator.folder, ['approve', importId], 'y')).exitCode).toBe(0);
    expect(await stateOf(importId)).not.toBe('planned');
  });

  it('does not ask with --yes', async () => {
    const importId = await plan('scripted.csv', '07700900714');
    const { stderr } = await runOnTerminal(emulator.folder, ['approve', importId, '--yes']);
    expect(stderr).not.toContain('(y/N)');
    expect(await stateOf(importId)).not.toBe('planned');
  });

  it('shows rejected rows and warnings', async () => {
    const header = 'msisdn,serialNo,pac,portType,targetNetwork,sourceNetwork,connectionDate,tariff,provisioningOrder';
    const row = (msisdn: string, serial: string) =>
      `${msisdn},${serial},ABC123456,Port,UK Mobile A,Source Mobile One,auto,2001,5001`;
    const wrongCheckDigit = row('07700900715', '8944001011001900810');
    await emulator.write('warned.csv', [header, wrongCheckDigit, row('x', '8944001011001900812'), ''].join('\r\n'));
    const importId = await importFile('warned.csv', '--plan-only');
    const { stdout } = await runOnTerminal(emulator.folder, ['approve', importId], 'n');
    expect(stdout).toMatch(/^warned\.csv: 1 number in 1 port, 1 rejected, 2 warnings$/m);
    expect(stdout).toMatch(/^warning +ICCID_CHECK_DIGIT/m);
  });
});

it('an import whose requests were all declined is finished with none ported', async () => {
  const importId = await declined;
  const { stdout, exitCode } = await emulator.run('status', importId);
  expect(stdout).toMatch(/^state +finished: 0 of 2 ported, 2 declined$/m);
  expect(exitCode).toBe(1);
  const { outcomes } = statusJson.parse(parse(await emulator.run('status', importId, '--json')));
  expect(outcomes).toEqual({ declined: 2 });
});

describe('validations and plans', () => {
  it('never change what the name of a file means', async () => {
    await emulator.run('validate', 'july.csv', '--json');
    await plan('august.csv', '07700900721');
    expect(statusJson.parse(parse(await emulator.run('status', 'july.csv', '--json'))).importId).toBe(july);
    const { exitCode, stderr } = await emulator.run('results', 'august.csv');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('"august.csv" was not sent: its plan waits for approval.');
  });

  it('never change the list of actions', async () => {
    const before = await emulator.run('actions', '--json');
    const { rejected } = validationJson.parse(parse(await emulator.run('validate', 'july.csv', '--json')));
    // The number that was sent is declined now, too.
    expect(rejected).toBe(3);
    expect((await emulator.run('actions', '--json')).stdout).toBe(before.stdout);
  });
});

it('a file with findings that a person must approve is not sent, exits 1, and says why', async () => {
  const rounded = createPortFile([{ msisdn: '07700900741' }]).replace(/\b89\d{17,18}\b/, '8944110000120030000');
  await emulator.write('held.csv', rounded);
  const { exitCode, stdout } = await emulator.run('import', 'held.csv', '--json');
  expect(exitCode).toBe(1);
  const held = outcomeJson.parse(JSON.parse(stdout));
  expect(held).toMatchObject({ state: 'planned', planOnly: true, requests: {} });
  expect(held.issues.map(({ code }) => code)).toContain('ICCID_ROUNDED');
  expect((await emulator.run('import', 'held.csv', '--plan-only')).exitCode).toBe(0);
});

it('a list of imports that is not complete says so', async () => {
  const { stdout } = await emulator.run('imports', '--limit', '2', '--json');
  const { imports, isComplete } = importsJson.parse(JSON.parse(stdout));
  expect([imports.length, isComplete]).toEqual([2, false]);
  const { stderr } = await emulator.run('imports', '--limit', '2');
  expect(stderr).toContain('The newest 2 imports. To see more: npm run simporter -- imports --limit 20');
  expect((await emulator.run('imports', '--limit', '100')).stderr).not.toContain('The newest');
});

it('a file that was sent twice is chosen on a terminal, and otherwise an error that names both', async () => {
  await emulator.write('twice.csv', createPortFile([{ msisdn: '07700900731' }]));
  const first = await importFile('twice.csv');
  const second = await importFile('twice.csv', '--set', 'groupName=again');
  const chosen = await runOnTerminal(emulator.folder, ['status', 'twice.csv'], '2');
  expect(chosen.stdout).toMatch(new RegExp(`^import +${first}$`, 'm'));
  const { exitCode, stderr } = await emulator.run('status', 'twice.csv');
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(new RegExp(`"twice\\.csv" is the name of 2 imports\\.\\n→ .*${second} .*${first}`));
});

it('rejected rows are an action until their numbers are sent', async () => {
  const rejectedRows = async () => {
    const { actionRequired } = actionsJson.parse(parse(await emulator.run('actions', '--json')));
    return actionRequired.find(({ kind, importId }) => kind === 'rejected' && importId === july);
  };
  expect(await rejectedRows()).toMatchObject({
    rows: 2,
    next: `npm run simporter -- rejected ${july} --csv rejected.csv`,
  });
  expect((await emulator.run('actions')).stdout).toContain(
    `To fix the rejected rows: npm run simporter -- rejected ${july} --csv rejected.csv`,
  );
  await emulator.write('fixed.csv', createPortFile([{ msisdn: '07700900702' }]));
  await importFile('fixed.csv');
  expect(await rejectedRows()).toMatchObject({ rows: 1 });
});

describe('a simulator', () => {
  it('is named on every screen and in every JSON answer', async () => {
    for (const words of [['imports'], ['status', july], ['actions'], ['results', july], ['sync'], ['events']]) {
      expect((await emulator.run(...words)).stderr, words.join(' ')).toMatch(/^SIMULATOR: /);
      const answers = (await emulator.run(...words, '--json')).stdout;
      expect(answers, words.join(' ')).toMatch(/"simulated": ?true/);
    }
  });

  it('replaces a running emulator with --simulate', async () => {
    const { stdout, stderr } = await emulator.run('validate', 'july.csv', '--simulate');
    expect(stderr).toContain('SIMULATOR');
    expect(stdout).toContain('npm run simporter -- import july.csv --simulate');
  });
});

describe('reference-data', () => {
  const listsOf = async (...words: string[]) =>
    referenceDataJson.parse(parse(await emulator.run('reference-data', ...words, '--json'))).lists;

  it('lists names to copy, by network and by search', async () => {
    const { tariffs = [] } = await listsOf('tariffs', '--network', 'uk mobile a', '--search', 'unlimited');
    expect(tariffs.map(({ tariff, network }) => [tariff, network])).toEqual([['Business Unlimited', 'UK Mobile A']]);
    const { 'provisioning-templates': templates = [] } = await listsOf('provisioning-templates', '--network', '218');
    expect(templates.map(({ network }) => network)).toContain('eSIM');
    const { stdout } = await emulator.run('reference-data', 'orders', '--network', 'UK Mobile A');
    expect(stdout).toMatch(/^Head Office +5001 +UK Mobile A/m);
  });

  it('shows what lists there are', async () => {
    const { stdout } = await emulator.run('reference-data');
    for (const list of ['networks', 'tariffs', 'bolt-ons', 'services', 'orders']) {
      expect(stdout).toMatch(new RegExp(`^${list} +\\d+$`, 'm'));
    }
  });

  it('exits 2 for an unknown network, and suggests a similar one', async () => {
    const { exitCode, stderr } = await emulator.run('reference-data', 'tariffs', '--network', 'UK Mobil A');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/There is no network "UK Mobil A"\.\n→ Did you mean UK Mobile A/);
  });
});

it('tables fit 80 columns, and no word of a message is lost', async () => {
  const screens = [
    ['imports'],
    ['status', july],
    ['results', july],
    ['rejected', july],
    ['actions'],
    ['validate', 'july.csv'],
    ...['networks', 'tariffs', 'bolt-ons', 'services', 'orders'].map((list) => ['reference-data', list]),
    ['template', '--columns'],
  ];
  for (const words of screens) {
    const { stdout } = await emulator.run(...words);
    const tables = stdout.split('\n').filter((line) => !line.includes('npm run simporter'));
    const tooWide = tables.filter((line) => displayWidth(line) > 80);
    expect(tooWide, words.join(' ')).toEqual([]);
    expect(stdout, words.join(' ')).not.toMatch(/…$/m);
  }
});
