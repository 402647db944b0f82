// A column that may change what is sent is asked about in every operation; a mark means one thing in a column, and a
// cell one item of the catalogue.
import { describe, expect, test } from 'vitest';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { operations } from '#shared/operations/registry.ts';
import { countedLookups } from '../../support/ingest/catalogue.ts';
import { ingestBench } from '../../support/ingest/ingest.ts';
import { csvOf, simAt } from '../../support/ingest/valid-rows.ts';

const upload = async (operation: string, lines: readonly string[], metadata: Record<string, string> = {}) => {
  const bench = ingestBench({ settings: { bundleControlNetworks: ['101'] } });
  const item = await bench.upload(`${lines.join('\n')}\n`, { key: `${operation}/file.csv`, metadata });
  const asked = bench.issues(item).flatMap(({ code, column }) => (code === 'HEADER_NEAR_MISS' ? [column] : []));
  return { bench, item, asked };
};

const provision = `${simAt(0)},101,2001`;
const control = 'SIM,network,zone,period,size,start,end action';
const bundle = 'SIM,Network,Start date,Bundle size,Period,Template';

test.each([
  ['provision', 'SIM,Network,Tariff,Prov order', `${provision},5002`],
  ['provision', 'SIM,Network,Tariff,Existing provisioning order', `${provision},5002`],
  ['provision', 'SIM,Network,Tariff,Customer PO', `${provision},4711`],
  ['provision', 'SIM,Network,Tariff,User mobile', `${provision},07700900123`],
  ['change-provision', 'SIM,Network,Provisioning order,Tariff,New tariff', `${simAt(0)},101,5001,2001,2003`],
  ['bar', 'SIM,gprs,International calls', `${simAt(0)},yes,yes`],
  ['unbar', 'SIM,gprs,Data roaming', `${simAt(0)},yes,x`],
  ['send-sms', 'SIM,Network,Message,DCS', `${simAt(0)},232,STATUS?,8`],
  [
    'configure-bundle-control',
    `${control},Valid until`,
    `${simAt(0)},101,EU,monthly,1024,2026-07-01,cutoff,2026-12-31`,
  ],
  ['create-bundle', `${bundle},Name`, `${simAt(0)},101,2026-07-01,1 GB,monthly,11,John Smith`],
  ['bar-service-config', 'SIM,Network,services,Tariff of SIM', `${simAt(0)},101,Roaming=on,2001`],
])('%s: %s', async (operation, header, row) => {
  const { item, asked } = await upload(operation, [header, row]);
  const name = header.split(',').at(-1) ?? '';
  expect([item?.state, asked]).toEqual(['rejected', [name]]);
  const kept = await upload(operation, [header, row], { map: new URLSearchParams({ [name]: '' }).toString() });
  expect(kept.item?.state).toBe('submitting');
});

test.each([
  ['provision', 'SIM,Network,Tariff,Account number', `${provision},4711`],
  ['provision', 'SIM,Network,Tariff,Tariff group', `${provision},Gold`],
  ['bar', 'SIM,gprs,International', `${simAt(0)},yes,Sales team`],
  ['create-bundle', `${bundle},Bundle owner`, `${simAt(0)},101,2026-07-01,1 GB,monthly,11,John Smith`],
  ['configure-bundle-control', `${control},End customer`, `${simAt(0)},101,EU,monthly,1024,2026-07-01,cutoff,Acme`],
])('%s asks nothing about %s', async (operation, header, row) => {
  expect((await upload(operation, [header, row])).asked).toEqual([]);
});

describe('a cross beside ticks', () => {
  const marked = [...operations.values()].flatMap(({ name, columns }) =>
    columns.flatMap(({ name: column, isYesNo }) => (isYesNo ? [[name, column] as const] : [])),
  );

  test('every column of yes and no is declared as one', () => {
    const helpsOfMarks = [...operations.values()].flatMap(({ name, columns }) =>
      columns.flatMap(({ name: column, help }) => (/^Whether |^yes /.test(help) ? [[name, column] as const] : [])),
    );
    expect(marked).toEqual(helpsOfMarks);
  });

  test.each(marked)('%s: asks in %s', async (operation, column) => {
    for (const marks of [
      ['✓', 'x'],
      ['x', 'yes'],
    ]) {
      const { item, asked } = await upload(operation, [`reference,${column}`, ...marks.map((mark) => `r,${mark}`)]);
      expect([item?.state, asked]).toEqual(['rejected', [column]]);
    }
    expect((await upload(operation, [`reference,${column}`, 'r,x', 'r,no', 'r,'])).asked).toEqual([]);
  });

  test.each([
    ['x', '✓'],
    ['✓', 'x'],
  ])('%s asks with %s in a later row', async (first, later) => {
    const marks = [first, ...Array.from({ length: 60 }, () => first), later];
    const { item, asked } = await upload('bar', ['SIM,gprs', ...marks.map((mark, index) => `${simAt(index)},${mark}`)]);
    expect([item?.state, asked]).toEqual(['rejected', ['gprs']]);
  });

  test('alone means yes, and no is the same as an empty cell', async () => {
    const { bench, item } = await upload('bar', ['SIM,gprs,mms', `${simAt(0)},x,no`, `${simAt(1)},X,`]);
    expect(bench.plan(item).map(({ head, rows }) => [head, rows.length])).toEqual([[{ gprs: true }, 2]]);
  });
});

test('a cell that is the number of one item and the name of another is a question', async () => {
  const lookups = countedLookups();
  lookups.orders.push({ number: 4711, name: '5001' });
  for (const type of lookups.types)
    for (const network of type.targetNetworks)
      network.sourceNetworks = [
        { id: 3, name: 'Vodafone' },
        { id: 4, name: '3' },
      ];
  const bench = ingestBench({ openCatalogue: () => createCatalogue(lookups) });
  const item = await bench.upload(
    csvOf([
      { sourceNetwork: '3', provisioningOrder: '5001' },
      { sourceNetwork: '4', provisioningOrder: 'Head Office' },
      { sourceNetwork: 'Vodafone', provisioningOrder: '4711' },
    ]),
  );
  expect(bench.issues(item).map(({ line, code }) => `${line} ${code}`)).toEqual([
    '2 SOURCE_NETWORK_UNKNOWN',
    '2 PROVISIONING_ORDER_UNKNOWN',
  ]);
  expect(bench.issues(item)[0]?.message).toContain('"3" is the number of Vodafone and the name of 3 (4)');
  expect(bench.plan(item).flatMap(({ rows }) => rows.map(({ line }) => line))).toEqual([3, 4]);
});

test.each(['Public IPv4', 'PublicIP', 'IP address (public)', 'Static IPv6', 'Public fixed IP'])(
  'the bolt-on "%s" needs an IP group',
  async (name) => {
    const lookups = countedLookups();
    const boltOns = async () => [{ number: 120, name }];
    const bench = ingestBench({ openCatalogue: () => createCatalogue({ ...lookups, boltOns }) });
    const file = `SIM,Network,Tariff,boltOns,publicIpGroupId\n${provision},120,\n${simAt(1)},101,2001,120,31\n`;
    const item = await bench.upload(file, { key: 'provision/file.csv' });
    const errors = bench.issues(item).filter(({ severity, line }) => severity === 'error' && line > 0);
    expect(errors.every(({ code }) => code === 'IP_GROUP_REQUIRED')).toBe(true);
    expect(new Set(errors.map(({ line }) => line))).toEqual(new Set(name.startsWith('Static') ? [2, 3] : [2]));
  },
);

test.each([
  [{ sheet: 'November' }, '--sheet is for a workbook'],
  [{ 'visible-rows-only': 'true' }, '--visible-rows-only is for a workbook'],
])('a setting of workbooks rejects a text file: %j', async (metadata, message) => {
  const { item } = await upload('provision', ['SIM,Network,Tariff', provision], metadata);
  expect(item).toMatchObject({ state: 'rejected', issues: [{ code: 'FILE_SETTING_INVALID' }] });
  expect(item?.issues[0]?.message).toContain(message);
});

test('change-provision sends no number of a SIM unasked', async () => {
  const lines = ['SIM,Network,Provisioning order,Tariff,Mobile', `${simAt(0)},101,5001,2001,07700900123`];
  const { item } = await upload('change-provision', lines);
  expect(item?.state).toBe('planned');
  expect(item?.issues.map(({ code }) => code)).toContain('MSISDN_OF_SIM_ON_HIRE');
  expect((await upload('provision', lines)).item?.state).toBe('submitting');
  expect((await upload('change-provision', lines, { map: 'Mobile=' })).item?.state).toBe('submitting');
});

test('two names of one column cannot be set to different values', async () => {
  const set = { 'set-tariff': '2001', 'set-tariffname': '2003' };
  const { item } = await upload('provision', ['SIM,Network', `${simAt(0)},101`], set);
  expect(item).toMatchObject({ state: 'rejected', issues: [{ code: 'HEADER_UNKNOWN_DEFAULT' }] });
  const same = await upload('provision', ['SIM,Network', `${simAt(0)},101`], { ...set, 'set-tariffname': '2001' });
  expect(same.item?.state).toBe('submitting');
});
