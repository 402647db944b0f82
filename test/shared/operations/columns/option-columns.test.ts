// A column for each service or bolt-on of the account, in the words that people use.
import { describe, expect, test } from 'vitest';
import { columnLetters } from '#shared/files/csv/csv-row.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { type OptionColumn, withOptions } from '#shared/operations/columns/option-cells.ts';
import { readHeader } from '#shared/operations/columns/option-columns.ts';
import { createPort } from '#shared/operations/create-port/create-port.ts';
import { sampleCatalogue } from '../../../support/ingest/sample-catalogue.ts';

const service = (name: string, type: 'Service' | 'Bar', options = ['true', 'false'], readOnly = false) => ({
  name,
  type,
  readOnly,
  availableOptions: options,
});

const catalogue = createCatalogue({
  ...sampleCatalogue,
  networkServices: async () => [
    {
      groupName: 'All',
      services: [
        service('Roaming', 'Service'),
        service('Data Roaming', 'Service'),
        service('Content Control', 'Service', ['true', 'false', 'strict']),
        service('EU Roaming', 'Service', ['true', 'false'], true),
        service('Premium Rate Calls', 'Bar'),
        service('World', 'Service'),
      ],
    },
  ],
  boltOns: async (tariff) =>
    tariff >= 3000
      ? []
      : [
          { number: 101, name: 'Data 1 GB' },
          { number: 102, name: 'Data 5 GB' },
          { number: 103, name: 'World' },
        ],
});

const columns = createPort.columns;
const own = columns.filter(({ name }) => name !== 'services' && name !== 'boltOns').map(({ name }) => name);
/** The columns behind the first one that is added to them, as a spreadsheet names them. */
const [second, third] = [own.length + 1, own.length + 2].map((index) => `column ${columnLetters(index)}`);

async function read(header: string, cells: readonly string[], mapping: Record<string, string> = {}) {
  const names = [...own, header];
  const samples = cells.map((cell) => [...own.map(() => ''), cell]);
  const read = await readHeader(names, columns, { samples, mapping }, catalogue);
  const { options = [], extras, issues, watched, choices } = read;
  const entries = (list: 'services' | 'boltOns', cell: string, text = '') =>
    withOptions(
      text,
      options.filter(({ column }) => column === list),
      () => cell,
    );
  return {
    options,
    extras,
    choices: choices?.get(own.length),
    /** Whether a later row with this value asks. */
    asksFor: (value: string) => watched.some(({ index, asks }) => index === own.length && asks(value)),
    question: issues.find(({ severity }) => severity === 'error')?.message,
    issues,
    entries,
  };
}

const entriesOf = async (target: string, cell: string) => {
  const { entries, question } = await read('Extra', [cell], { Extra: target });
  expect(question).toBeUndefined();
  return { services: entries('services', cell).text, boltOns: entries('boltOns', cell).text };
};

test.each([
  ...['Y', 'yes', 'TRUE', '1', 'x', 'X', '✓', '✔', 'on', 'allow', 'Allowed', 'tick', 'enabled'].map((cell) => [
    cell,
    'on',
  ]),
  ...['N', 'no', 'FALSE', '0', 'off', 'block', 'barred', '✗', 'disabled', 'Nein', 'non'].map((cell) => [cell, 'off']),
])('in a column of one service, %s is %s', async (cell, word) => {
  expect(await entriesOf('services:Roaming', cell)).toEqual({ services: `Roaming=${word}`, boltOns: '' });
});

test.each([
  ['services:Roaming', 'Y', 'Roaming=on'],
  ['services:ROAMING', 'Y', 'Roaming=on'],
  ['Services: roaming', 'Y', 'Roaming=on'],
  ['block:Roaming', 'Y', 'Roaming=off'],
  ['allow:Roaming', 'N', 'Roaming=off'],
  ['block:Premium Rate Calls', 'Y', 'Premium Rate Calls=block'],
  ['allow:Premium Rate Calls', 'N', 'Premium Rate Calls=block'],
  ['services:Premium Rate Calls', 'Allowed', 'Premium Rate Calls=allow'],
  ['services:World', 'Y', 'World=on'],
])('the answer %s makes %s the entry %s', async (target, cell, entry) => {
  expect(await entriesOf(target, cell)).toEqual({ services: entry, boltOns: '' });
});

test.each([
  ['boltOns:Data 5 GB', 'Y', 'Data 5 GB'],
  ['boltons:data 5gb', 'x', 'Data 5 GB'],
  ['boltOns:101', 'Y', '101'],
  ['boltOns:World', '1', 'World'],
  ['boltOns:Data 5 GB', 'N', ''],
])('the answer %s makes %s the bolt-on "%s"', async (target, cell, entry) => {
  expect(await entriesOf(target, cell)).toEqual({ services: '', boltOns: entry });
});

test.each([
  ['services:Raoming', 'the account has no service or bar "Raoming": did you mean "Roaming"?'],
  ['services:EU Roaming', 'only the network sets "EU Roaming"'],
  ['boltOns:999', 'the account has no bolt-on "999"'],
])('the answer %s is an error', async (target, why) => {
  const { issues, options } = await read('Extra', ['Y'], { Extra: target });
  expect(issues).toMatchObject([{ code: 'HEADER_UNKNOWN_MAPPING', message: expect.stringContaining(why) }]);
  expect(options).toEqual([]);
});

test('a service takes its other options, and leaves a text that is none to the column', async () => {
  const { entries } = await read('Filter', ['strict', 'Y'], { Filter: 'services:Content Control' });
  expect(entries('services', 'strict').text).toBe('Content Control=strict');
  expect(entries('services', 'maybe').text).toBe('Content Control=maybe');
});

test('an empty cell and a placeholder set nothing', async () => {
  const { entries } = await read('Roaming', ['', 'Y'], { Roaming: 'services:Roaming' });
  expect(entries('services', '', 'World=on')).toEqual({ text: 'World=on', findings: [] });
  expect(entries('services', 'N/A')).toMatchObject({ text: '', findings: [{ code: 'CELL_PLACEHOLDER' }] });
});

describe('several columns of a list', () => {
  const readAll = async (
    headers: readonly string[],
    cells: readonly string[],
    mapping: Record<string, string> = {},
  ) => {
    const names = [...own, ...headers];
    const record = [...own.map(() => ''), ...cells];
    const {
      options = [],
      indexes,
      issues,
    } = await readHeader(names, columns, { samples: [record], mapping }, catalogue);
    const textOf = (list: 'services' | 'boltOns') => {
      const text = record[indexes.get(list) ?? -1] ?? '';
      return withOptions(
        text,
        options.filter(({ column }) => column === list),
        ({ index }) => record[index] ?? '',
      ).text;
    };
    const errors = issues.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    return { errors, services: textOf('services'), boltOns: textOf('boltOns') };
  };

  test.each([
    [['Bolt-on 1', 'Bolt-on 2', 'Add-on 3'], ['101', 'Data 5 GB', ''], {}, '101;Data 5 GB'],
    [['Bolt-ons', 'Bolt-on 2'], ['101', '102;103'], {}, '101;102;103'],
    [['Bolt-ons', 'Data bolt-on'], ['101', '102'], { 'Data bolt-on': 'boltOns' }, '101;102'],
    [['Extra one', 'Extra two'], ['101', '102'], { 'Extra one': 'boltOns', 'Extra two': 'boltOns' }, '101;102'],
    [['Bolt-ons', ''], ['101', '102'], { [`${second}`]: 'boltOns' }, '101;102'],
  ])('%j are one list', async (headers, cells, mapping, boltOns) => {
    expect(await readAll(headers, cells, mapping as Record<string, string>)).toMatchObject({ errors: [], boltOns });
  });

  test('a column without a name on the right of a list asks', async () => {
    const { errors } = await readAll(['Bolt-ons', '', ''], ['101', '', '102']);
    expect(errors).toEqual([
      `"${third}" has values and no name, and is on the right of "Bolt-ons". To send it: --map "${third}=boltOns". ` +
        `To keep it as your own column: --map "${third}="`,
    ]);
    expect((await readAll(['Bolt-ons', ''], ['101', 'x'], { [`${second}`]: '' })).errors).toEqual([]);
    expect((await readAll(['Bolt-ons', 'Notes', ''], ['101', 'x', 'y'])).errors).toEqual([]);
  });

  test('a list of bars takes what is done with them', async () => {
    const cells = ['Premium Rate Calls; premium rate calls'];
    const [question = ''] = (await readAll(['Barring'], cells)).errors;
    expect(question).toContain('--map "Barring=services" or --map "Barring=block" or --map "Barring=allow"');
    const answered = await readAll(['Barring'], cells, { Barring: 'block' });
    expect(answered).toMatchObject({ errors: [], services: 'Premium Rate Calls=block;premium rate calls=block' });
  });
});

describe('asks about', () => {
  test.each([
    ['a service', 'Roaming', ['Y'], ['services:Roaming', 'block:Roaming']],
    ['a service, whatever its cells', 'Roaming (Y/N)', ['0121 496 0000'], ['services:Roaming', 'block:Roaming']],
    ['a service with a word', 'Roaming bar', ['Y'], ['services:Roaming', 'block:Roaming']],
    ['a bar', 'Premium Rate Calls', ['block'], ['block:Premium Rate Calls', 'allow:Premium Rate Calls']],
    ['a bolt-on', 'data-5-gb', ['pooled'], ['boltOns:Data 5 GB']],
    ['the number of a bolt-on', 'Bolt-on 101', ['Y'], ['boltOns:101']],
    ['a service and a bolt-on', 'World', ['Y'], ['services:World', 'block:World', 'boltOns:World']],
    ['a service that only the network sets', 'EU Roaming', ['Y'], []],
    ['a header with more words', 'Customer Roaming', ['Y'], ['services:Roaming', 'block:Roaming']],
    [
      'such a header with other cells, too',
      'Customer Roaming',
      ['-', 'tbc', 'N'],
      ['services:Roaming', 'block:Roaming'],
    ],
    ['a typo', 'Romaing', ['Y'], ['services:Roaming', 'block:Roaming']],
  ])('%s', async (_, header, cells, choices) => {
    const { question, options, extras, ...found } = await read(header, cells);
    for (const choice of choices) expect(question).toContain(`--map "${header}=${choice}"`);
    expect(question).toContain(`To keep it as your own column: --map "${header}="`);
    expect([options, extras.map(({ name }) => name), found.choices]).toEqual([[], [header], choices]);
  });

  test('crosses beside ticks', async () => {
    const answer = { Roaming: 'services:Roaming' };
    const { question } = await read('Roaming', ['x', '✓'], answer);
    expect(question).toContain('has "x", and "✓" is in the file, too');
    for (const [first, later] of [
      ['x', '✓'],
      ['✓', 'x'],
    ] as const) {
      const { question, asksFor } = await read('Roaming', [first], answer);
      expect([question, asksFor(later), asksFor(first)]).toEqual([undefined, true, false]);
    }
  });
});

test.each([
  ['Roaming', [], 'strict', true],
  ['Customer Roaming', [], 'yes', true],
  ['Customer Roaming', ['tbc'], 'yes', true],
  ['Customer Roaming', ['tbc'], 'strict', false],
  ['World', ['tbc'], 'Y', true],
  ['Cost centre', ['Sales'], 'Sales', false],
  ['Data bolt-on', [], '101', true],
  ['Data bolt-on', ['101='], '102', true],
])('%s with %j asks once a later row has %s: %s', async (header, cells, value, asks) => {
  const samples = cells.length === 0 ? [''] : cells;
  const { question, asksFor } = await read(header, samples);
  if (header !== 'World') expect(question).toBeUndefined();
  expect(question !== undefined || asksFor(value)).toBe(asks);
});

test('an answer keeps a column as the own one', async () => {
  expect(await read('Roaming', ['Y'], { Roaming: '' })).toMatchObject({ options: [], question: undefined });
});

test.each(['Cost centre', 'Team', 'VIP', 'Remaining'])('%s stays an own column', async (header) => {
  const { options, question, extras } = await read(header, ['Y']);
  expect([options, question, extras.map(({ name }) => name)]).toEqual([[], undefined, [header]]);
});

test('a bolt-on that one column excludes and another one has contradicts', async () => {
  const { options } = await read('Data 5 GB', ['N'], { 'Data 5 GB': 'boltOns:Data 5 GB' });
  const findings = (text: string) => withOptions(text, options as readonly OptionColumn[], () => 'N').findings;
  expect(findings('102')).toMatchObject([{ column: 'boltOns', code: 'BOLT_ON_CONTRADICTION' }]);
  expect(findings('data 5 gb')).toMatchObject([{ code: 'BOLT_ON_CONTRADICTION' }]);
  expect(findings('Data  5\u00a0GB')).toMatchObject([{ code: 'BOLT_ON_CONTRADICTION' }]);
  expect(findings('101')).toEqual([]);
});

test('a bolt-on cell that is no yes or no is an error', async () => {
  const { entries } = await read('Data 5 GB', ['Y'], { 'Data 5 GB': 'boltOns:102' });
  expect(entries('boltOns', 'maybe').findings).toMatchObject([{ column: 'boltOns', code: 'BOLT_ON_UNKNOWN' }]);
});
