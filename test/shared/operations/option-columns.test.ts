// A column for each service or bolt-on of the account, in the words that people use.
import { describe, expect, test } from 'vitest';
import { createPort } from '#shared/operations/create-port/create-port.ts';
import { createCatalogue } from '#shared/operations/kit/catalogue.ts';
import { type OptionColumn, withOptions } from '#shared/operations/kit/option-cells.ts';
import { readHeader } from '#shared/operations/kit/option-columns.ts';
import { sampleCatalogue } from '../../support/sample-catalogue.ts';

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

async function read(header: string, cells: readonly string[], mapping: Record<string, string> = {}) {
  const names = [...own, header];
  const samples = cells.map((cell) => [...own.map(() => ''), cell]);
  const read = await readHeader(names, columns, { samples, mapping }, catalogue);
  const { options = [], extras, issues, needValues } = read;
  const entries = (list: 'services' | 'boltOns', cell: string, text = '') =>
    withOptions(
      text,
      options.filter(({ column }) => column === list),
      () => cell,
    );
  return {
    options,
    extras,
    needValues,
    question: issues.find(({ severity }) => severity === 'error')?.message,
    issues,
    entries,
  };
}

const entriesOf = async (header: string, cell: string, mapping?: Record<string, string>) => {
  const { entries, question } = await read(header, [cell], mapping);
  expect(question).toBeUndefined();
  return { services: entries('services', cell).text, boltOns: entries('boltOns', cell).text };
};

test.each([
  ...['Y', 'yes', 'TRUE', '1', 'x', 'X', '✓', '✔', 'on', 'allow', 'Allowed', 'tick', 'enabled'].map((cell) => [
    cell,
    'on',
  ]),
  ...['N', 'no', 'FALSE', '0', 'off', 'block', 'barred', '✗', 'disabled'].map((cell) => [cell, 'off']),
])('a service is %s: %s', async (cell, word) => {
  expect(await entriesOf('Roaming', cell)).toEqual({ services: `Roaming=${word}`, boltOns: '' });
});

test.each(['Roaming', 'ROAMING', 'roaming?', 'Roaming (Y/N)', 'Roaming service'])(
  '%s names the service',
  async (name) => {
    expect(await entriesOf(name, 'Y')).toEqual({ services: 'Roaming=on', boltOns: '' });
  },
);

test.each([
  ['Data 5GB', 'Y', 'Data 5 GB'],
  ['data-5-gb (Y/N)', 'x', 'Data 5 GB'],
  ['Bolt-on Data 5 GB', '1', 'Data 5 GB'],
  ['Data 5 GB bolt-on', 'yes', 'Data 5 GB'],
  ['101', 'Y', '101'],
  ['Bolt-on 101', 'Y', '101'],
  ['Data 5GB', 'N', ''],
])('the bolt-on column "%s" with %s adds "%s"', async (name, cell, entry) => {
  expect(await entriesOf(name, cell)).toEqual({ services: '', boltOns: entry });
});

test.each([
  ['Premium Rate Calls', 'block', {}, 'block'],
  ['Premium Rate Calls', 'Allowed', {}, 'allow'],
  ['Premium Rate Calls bar', 'Y', {}, 'block'],
  ['Premium Rate Calls barred', 'N', {}, 'allow'],
  ['Premium Rate Calls allowed', 'Y', {}, 'allow'],
  ['Premium Rate Calls', 'Y', { 'Premium Rate Calls': 'block' }, 'block'],
  ['Premium Rate Calls', 'N', { 'premium rate calls': 'allow' }, 'block'],
] as const)('the bar column "%s" with %s and %j is %s', async (name, cell, mapping, word) => {
  expect((await entriesOf(name, cell, mapping)).services).toBe(`Premium Rate Calls=${word}`);
});

test('a service takes its other options, and leaves a text that is none to the column', async () => {
  const { entries } = await read('Content Control', ['strict', 'Y']);
  expect(entries('services', 'strict').text).toBe('Content Control=strict');
  expect(entries('services', 'maybe').text).toBe('Content Control=maybe');
});

test.each([
  ['Roaming', 'ja', 'Roaming=on'],
  ['Roaming', 'Nein', 'Roaming=off'],
  ['Roaming', 'oui', 'Roaming=on'],
  ['Roaming', 'non', 'Roaming=off'],
])('%s: %s is %s', async (header, cell, entry) => {
  expect(await entriesOf(header, cell)).toEqual({ services: entry, boltOns: '' });
});

test('an empty cell and a placeholder set nothing', async () => {
  const { entries } = await read('Roaming', ['', 'Y']);
  expect(entries('services', '', 'World=on')).toEqual({ text: 'World=on', findings: [] });
  expect(entries('services', 'N/A')).toMatchObject({ text: '', findings: [{ code: 'CELL_PLACEHOLDER' }] });
});

test('a column without values in the first rows is read, and decided again once a row has one', async () => {
  const { options, needValues } = await read('Roaming', []);
  expect([options, needValues]).toMatchObject([[{ header: 'Roaming' }], [own.length]]);
  expect((await read('Customer Roaming', ['', ''])).needValues).toEqual([own.length]);
  expect((await read('Data bolt-on', [''])).needValues).toEqual([own.length]);
  expect((await read('Cost centre', [''])).needValues).toEqual([]);
  expect((await read('Customer Roaming', ['Y'])).needValues).toEqual([]);
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
    [['Bolt-ons', ''], ['101', '102'], { 'column P': 'boltOns' }, '101;102'],
  ])('%j are one list', async (headers, cells, mapping, boltOns) => {
    expect(await readAll(headers, cells, mapping as Record<string, string>)).toMatchObject({ errors: [], boltOns });
  });

  test('a column without a name on the right of a list asks', async () => {
    const { errors } = await readAll(['Bolt-ons', '', ''], ['101', '', '102']);
    expect(errors).toEqual([
      '"column Q" has values and no name, and is on the right of "Bolt-ons". To send it: --map "column Q=boltOns". ' +
        'To keep it as your own column: --map "column Q="',
    ]);
    expect((await readAll(['Bolt-ons', ''], ['101', 'x'], { 'column P': '' })).errors).toEqual([]);
    expect((await readAll(['Bolt-ons', 'Notes', ''], ['101', 'x', 'y'])).errors).toEqual([]);
  });

  test('names of bars ask whether they are blocked', async () => {
    const cells = ['Premium Rate Calls; premium rate calls'];
    const [question = ''] = (await readAll(['Barring'], cells)).errors;
    expect(question).toContain('--map "Barring=block" or --map "Barring=allow"');
    const answered = await readAll(['Barring'], cells, { Barring: 'block' });
    expect(answered).toMatchObject({ errors: [], services: 'Premium Rate Calls=block;premium rate calls=block' });
  });

  test('separators alone name nothing', async () => {
    expect((await readAll(['Note'], ['; ;'])).errors).toEqual([]);
  });
});

describe('asks about', () => {
  test.each([
    [
      'a bar of which Y may mean two things',
      'Premium Rate Calls',
      ['Y'],
      '--map "Premium Rate Calls=block" or --map "Premium Rate Calls=allow"',
    ],
    ['a service that may be barred', 'Roaming bar', ['Y'], '--map "Roaming bar=block" or'],
    ['a name that is a service and a bolt-on', 'World', ['Y'], '--map "World=services" or --map "World=boltOns"'],
    ['a service that only the network sets', 'EU Roaming', ['Y'], 'only the network sets'],
    ['cells that are no yes or no', 'Roaming', ['0121 496 0000'], 'no yes or no'],
    ['crosses beside ticks', 'Roaming', ['x', '✓'], 'both "x" and "✓"'],
    ['a header with more words', 'Customer Roaming', ['Y'], '--map "Customer Roaming=services"'],
    ['such a header with other cells, too', 'Customer Roaming', ['Y', '-', 'N', 'tbc'], '--map "Customer Roaming=serv'],
    ['a service that may be off', 'No roaming', ['Y'], '--map "No roaming=block" or --map "No roaming=allow"'],
    ['a service that is disabled', 'Roaming disabled?', ['Y'], '--map "Roaming disabled?=block" or'],
    ['a bar with more words', 'Premium Rate Calls for VIPs', ['Y'], '--map "Premium Rate Calls for VIPs=block" or'],
    ['a typo', 'Romaing', ['Y'], '--map "Romaing=services"'],
    ['a bolt-on whose cells are no yes or no', 'Data 5 GB', ['pooled'], 'no yes or no'],
  ])('%s', async (_, header, cells, part) => {
    const { question, options, extras } = await read(header, cells);
    expect(question).toContain(part);
    expect(question).toContain(`To keep it as your own column: --map "${header}="`);
    expect([options, extras.map(({ name }) => name)]).toEqual([[], [header]]);
  });
});

test('an answer decides what was asked', async () => {
  expect(await entriesOf('World', 'Y', { World: 'services' })).toEqual({ services: 'World=on', boltOns: '' });
  expect(await entriesOf('World', 'Y', { World: 'boltOns' })).toEqual({ services: '', boltOns: 'World' });
  expect((await entriesOf('Roaming bar', 'Y', { 'Roaming bar': 'block' })).services).toBe('Roaming=off');
  expect((await entriesOf('Customer Roaming', 'N', { 'Customer Roaming': 'services' })).services).toBe('Roaming=off');
  expect((await read('Roaming', ['Y'], { Roaming: '' })).options).toEqual([]);
});

test('an answer about a column that is no option is an error', async () => {
  const { issues } = await read('Cost centre', ['Y'], { 'Cost centre': 'block' });
  expect(issues).toMatchObject([{ code: 'HEADER_UNKNOWN_MAPPING' }]);
});

test.each(['Cost centre', 'Team', 'VIP', 'Remaining'])('%s stays an own column', async (header) => {
  const { options, question, extras } = await read(header, ['Y']);
  expect([options, question, extras.map(({ name }) => name)]).toEqual([[], undefined, [header]]);
});

test('a bolt-on that one column excludes and another one has contradicts', async () => {
  const { options } = await read('Data 5 GB', ['N']);
  const findings = (text: string) => withOptions(text, options as readonly OptionColumn[], () => 'N').findings;
  expect(findings('102')).toMatchObject([{ column: 'boltOns', code: 'BOLT_ON_CONTRADICTION' }]);
  expect(findings('data 5 gb')).toMatchObject([{ code: 'BOLT_ON_CONTRADICTION' }]);
  expect(findings('101')).toEqual([]);
});

test('a bolt-on cell that is no yes or no is an error', async () => {
  const { entries } = await read('Data 5 GB', ['Y']);
  expect(entries('boltOns', 'maybe').findings).toMatchObject([{ column: 'boltOns', code: 'BOLT_ON_UNKNOWN' }]);
});
