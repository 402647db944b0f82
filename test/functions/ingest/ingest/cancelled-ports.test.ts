// Files that cancel ports: what a row reaches, and which files cancel a whole port.
import { describe, expect, test } from 'vitest';
import { operationNamed } from '#shared/operations/registry.ts';
import { ingestBench } from '../../../support/ingest/ingest.ts';
import { portId, portsContext } from '../../../support/ingest/operation-ports.ts';

test.each([
  ['cancel-port', ''],
  ['update-port', ',action'],
])('a file of %s that cancels every row of a port with many rows cancels the port', async (operation, column) => {
  const { context } = portsContext('Created', ['PacValid', 'PacValid', 'PacValid']);
  const bench = ingestBench({ settings: { maxRowsPerRequest: 2 }, openCatalogue: () => context.catalogue });
  const rows = [1, 2, 3].map((last) => `0770090000${last},${portId}${column && ',cancel'}\n`).join('');
  const item = await bench.upload(`msisdn,portId${column}\n${rows}`, { key: `${operation}/file.csv` });
  const requests = bench.plan(item);
  expect(requests.map(({ rows: { length } }) => length)).toEqual([3]);
  const [request] = requests;
  const revalidated = request && (await operationNamed(request.operation)?.submission.revalidate(request, context));
  expect(revalidated).toMatchObject({ send: { head: { call: 'cancel-port' } }, excludedRows: [] });
});

describe('a cancel-port file with a port id and no number', () => {
  const plan = async (file: string) => {
    const { context } = portsContext();
    const bench = ingestBench({ openCatalogue: () => context.catalogue });
    return bench.upload(file, { key: 'plan/cancel-port/file.csv' });
  };

  test('cancels the whole port where it says so, with the count of its numbers, and waits for approval', async () => {
    const { context } = portsContext();
    const bench = ingestBench({ openCatalogue: () => context.catalogue });
    const item = await bench.upload(`portId,wholePort\n${portId},yes\n`, { key: 'cancel-port/file.csv' });
    expect(item).toMatchObject({ state: 'planned', planOnly: true, accepted: 1 });
    const warning = {
      line: 2,
      code: 'PORT_CANCELLED_WHOLE',
      message: expect.stringMatching(/^Cancels 3 numbers: all of /),
    };
    expect(item?.issues).toMatchObject([warning]);
  });

  // Whatever the column of numbers is called, a row reaches only the number that it names.
  test.each([
    ['an empty cell', `msisdn,portId\n,${portId}\n`],
    ['an empty cell beside a number', `msisdn,portId\n07700900001,${portId}\n,${portId}\n`],
    ['a placeholder', `msisdn,portId\nN/A,${portId}\n`],
    ['no column of numbers', `portId\n${portId}\n`],
    ['a column with an unknown name', `Ligne,portId\n07700900001,${portId}\n`],
    ['another unknown name, and a no', `Rufnummer,portId,wholePort\n07700900001,${portId},no\n`],
  ])('cancels nothing more where it has %s', async (_what, file) => {
    const item = await plan(file);
    expect(item?.accepted ?? 0).toBe(file.includes('\n07700900001,') && file.startsWith('msisdn') ? 1 : 0);
    expect(item?.issues.some(({ code }) => code === 'PORT_CANCELLED_WHOLE')).toBe(false);
  });

  test('is rejected where a row has a number and is about the whole port', async () => {
    const item = await plan(`msisdn,portId,wholePort\n07700900001,${portId},yes\n`);
    expect(item?.issues).toContainEqual(expect.objectContaining({ code: 'CELL_NOT_ALLOWED', column: 'wholePort' }));
  });

  test('is rejected where another column seems to have the numbers', async () => {
    const issue = { code: 'HEADER_NEAR_MISS', column: 'Customer mobile' };
    expect(await plan(`Customer mobile,portId\n07700 900001,${portId}\n`)).toMatchObject({ issues: [issue] });
    const order = `Order number,portId,wholePort\n4711,${portId},yes\n`;
    expect(await plan(order)).toMatchObject({ accepted: 1 });
  });
});
