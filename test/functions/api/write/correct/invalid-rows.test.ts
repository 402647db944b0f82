// Invalid rows through the API: read before the approval, fixed, and imported again with the cells left as they were.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { createImports } from '#shared/store/imports.ts';
import { table } from '../../../../chaos/pipeline.ts';
import { announceUpload, british, correct, planText, readNewest, rows } from '../../../../support/api/corrections.ts';
import { startApiWorld } from '../../../../support/api/simulated-api.ts';

describe('invalid rows', () => {
  test('the invalid rows of a plan can be read before it is approved, without their PACs', async () => {
    const api = startApiWorld();
    const importId = await api.plan('july.csv', rows);
    const { body } = await api.call('GET', `/imports/${importId}/rows?outcome=rejected`);
    expect(body.rows.map(({ line, outcome }: { line: number; outcome: string }) => [line, outcome])).toEqual([
      [3, 'rejected'],
      [4, 'rejected'],
    ]);
    expect(body.rows[0].issues).toMatchObject([{ column: 'pac', code: 'PAC_IS_STAC' }]);
    expect(JSON.stringify(body)).not.toMatch(/123456ABC|AB1"/);
    const first = await api.call('GET', `/imports/${importId}/rows?outcome=rejected&limit=1`);
    const next = await api.call(
      'GET',
      `/imports/${importId}/rows?outcome=rejected&limit=1&cursor=${first.body.nextCursor}`,
    );
    expect([first, next].map((page) => page.body.rows[0].line)).toEqual([3, 4]);
    expect(next.body.nextCursor).toBeNull();
  });

  test('a fixed row is imported again with the cells of the file that were not changed', async () => {
    const api = startApiWorld();
    const importId = await api.send('july.csv', rows);
    const body = { rows: [{ line: 3, cells: { pac: 'XYZ654321' } }] };
    const { status, body: answer } = await api.call('POST', `/imports/${importId}/corrections`, { body });
    expect(status).toBe(202);
    await announceUpload(api);
    const correction = await api.call('GET', `/imports/${answer.importId}`);
    expect(correction.body).toMatchObject({ state: 'planned', rows: 1, accepted: 1, file: 'july-correction.csv' });
    const { entries } = (await api.call('GET', `/imports/${importId}/audit`)).body;
    expect(entries.find(({ action }: { action: string }) => action === 'corrected')).toMatchObject({
      details: { import: answer.importId, rows: '1' },
    });
  });

  test('a row that is not invalid, and a column that does not exist, are declined with the reason', async () => {
    const api = startApiWorld();
    const importId = await api.send('july.csv', rows);
    const correct = (line: number, column: string) =>
      api.call('POST', `/imports/${importId}/corrections`, { body: { rows: [{ line, cells: { [column]: 'x' } }] } });
    expect((await correct(2, 'pac')).body).toMatchObject({ code: 'state-changed', changed: { line: 2 } });
    expect((await correct(3, 'nothing')).body.code).toBe('unknown-column');
  });

  test('the fixed cells of a row are validated with the dates and column values of its import', async () => {
    const api = startApiWorld();
    const importId = await planText(api, british, { 'set-targetnetwork': 'UK%20Mobile%20A', 'set-tariff': '2001' });
    const invalid = (await api.call('GET', `/imports/${importId}/rows?outcome=rejected`)).body;
    expect(invalid.rows[0].issues.map(({ column }: { column: string }) => column)).toEqual(['boltOns']);
    const names: (string | null)[] = invalid.columns.map(({ name }: { name: string | null }) => name);
    const cells = Object.fromEntries(names.map((name, index) => [name, invalid.rows[0].cells[index]]));
    // Here the catalogue of the API has other networks than the service.
    const { pac: _, ...known } = { ...cells, boltOns: '101', targetNetwork: 'Network A', sourceNetwork: 'Source One' };
    const twoMeanings = { ...known, connectionDate: '08/07/2026' };
    const rows = [{ ...known, connectionDate: '31/02/2026' }, { ...known, pac: 'AB1' }, twoMeanings];
    const { body } = await api.call('POST', '/validate', { body: { operation: 'create-port', rows, importId } });
    const columnsOf = (row: { issues: { column: string }[] }) => row.issues.map(({ column }) => column);
    expect(body.rows.map(columnsOf)).toEqual([['connectionDate'], ['pac'], []]);
    expect(body.rows.map((row: { isValid: boolean }) => row.isValid)).toEqual([false, false, true]);
    await api.approve(importId);
    const corrected = await correct(api, importId, [{ line: 3, cells: { boltOns: '101' } }]);
    expect((await api.call('GET', `/imports/${corrected}`)).body).toMatchObject({ state: 'planned', accepted: 1 });
  });

  test('column values that may contain a PAC are not stored with the import', async () => {
    const api = startApiWorld();
    const values = { 'set-pac': 'QZX735149', 'set-reference': 'QZX735148', 'set-targetnetwork': 'UK%20Mobile%20A' };
    const importId = await planText(api, british.replace(',pac,', ',PAC,'), values);
    const stored = JSON.stringify(
      await createImports(api.world.table as unknown as DynamoDBDocumentClient, table).get(importId),
    );
    expect(stored).toContain('UK Mobile A');
    expect(stored).not.toMatch(/QZX73514/);
  });

  test('invalid rows of a file with an own column "status" are shown and fixed', async () => {
    const api = startApiWorld();
    const text = british.replace('msisdn,', 'msisdn,status,').replaceAll(/^(\d+),/gm, '$1,new,');
    const importId = await planText(api, text, { 'set-targetnetwork': 'UK%20Mobile%20A', 'set-tariff': '2001' });
    const { rows } = (await api.call('GET', `/imports/${importId}/rows?outcome=rejected`)).body;
    expect(rows.map(({ line }: { line: number }) => line)).toEqual([3]);
    await api.approve(importId);
    const fix = { rows: [{ line: 3, cells: { boltOns: '101' } }] };
    expect((await api.call('POST', `/imports/${importId}/corrections`, { body: fix })).status).toBe(202);
  });

  test('two different fixes of one line are declined', async () => {
    const api = startApiWorld();
    const importId = await api.send('july.csv', rows);
    const fixes = ['XYZ654321', 'XYZ654322'].map((pac) => ({ line: 3, cells: { pac } }));
    const { status, body } = await api.call('POST', `/imports/${importId}/corrections`, { body: { rows: fixes } });
    expect([status, body.code]).toEqual([409, 'line-not-unique']);
  });

  test('a cell of a column that is one service is fixed where it is, with the answer of its import', async () => {
    const api = startApiWorld();
    const [header = '', ...records] = british.replace(',999,', ',,').split('\n');
    const cells = ['Y,yes,101', 'perhaps,N,102'];
    const text = [
      `${header},Premium Rate Calls,Data 1 GB,Bolt-on 2`,
      ...records.map((record, index) => `${record},${cells[index]}`),
    ];
    const settings = {
      'set-targetnetwork': 'UK%20Mobile%20A',
      'set-tariff': '2001',
      map: 'Premium%20Rate%20Calls=block%3APremium%20Rate%20Calls&Data%201%20GB=boltOns%3AData%201%20GB',
    };
    const importId = await planText(api, text.join('\n'), settings);
    const { columns, rows } = (await api.call('GET', `/imports/${importId}/rows?outcome=rejected`)).body;
    expect(columns.slice(-3)).toEqual([
      {
        header: 'Premium Rate Calls',
        name: 'services: Premium Rate Calls',
        option: 'Premium Rate Calls',
        secret: false,
      },
      { header: 'Data 1 GB', name: 'boltOns: Data 1 GB', option: 'Data 1 GB', secret: false },
      { header: 'Bolt-on 2', name: 'boltOns: Bolt-on 2', option: null, secret: false },
    ]);
    expect(rows[0].issues).toMatchObject([{ column: 'services', code: 'SERVICE_OPTION_UNKNOWN' }]);

    // Here the catalogue of the API has other networks and services than the service.
    const names = columns.map(({ name }: { name: string }) => name);
    const known: Record<string, string> = Object.fromEntries(
      names.map((name: string, index: number) => [name, rows[0].cells[index]]),
    );
    const { pac: _, ...own }: Record<string, string> = {
      ...known,
      targetNetwork: 'Network A',
      sourceNetwork: 'Source One',
    };
    const row = (changed: Record<string, string>) => ({ ...own, connectionDate: '08/07/2026', ...changed });
    const changes: Record<string, string>[] = [
      { 'services: Premium Rate Calls': '', 'boltOns: Bolt-on 2': '101' },
      { 'services: Premium Rate Calls': '', 'boltOns: Data 1 GB': 'perhaps' },
      { 'services: Premium Rate Calls': 'Y' },
    ];
    const body = { operation: 'create-port', rows: changes.map(row), importId };
    const validated = (await api.call('POST', '/validate', { body })).body.rows;
    const codesOf = ({ issues }: { issues: { code: string }[] }) => issues.map(({ code }) => code);
    expect(validated.map(codesOf)).toEqual([['BOLT_ON_CONTRADICTION'], ['BOLT_ON_UNKNOWN'], ['SERVICE_UNKNOWN']]);
    const unknown = await api.call('POST', '/validate', { body: { ...body, importId: undefined } });
    expect(unknown.body.code).toBe('unknown-column');

    await api.approve(importId);
    const corrected = await correct(api, importId, [{ line: 3, cells: { 'services: Premium Rate Calls': 'N' } }]);
    expect((await api.call('GET', `/imports/${corrected}`)).body).toMatchObject({ state: 'planned', accepted: 1 });
    expect(await readNewest(api)).toMatch(/,N,N,102,/);
  });

  /** Two rows, of which the second has an invalid PAC, below these names for the columns of `british`. */
  const renamed = (names: Readonly<Record<string, string>>, first = '') => {
    const [header = '', one, other] = british.replace(',999,', ',101,').split('\n');
    const cells = header.split(',').map((name) => names[name] ?? name);
    const own = first === '' ? ['', '', ''] : [`${first},`, '07700900999,', '07700900998,'];
    return [`${own[0]}${cells.join(',')}`, `${own[1]}${one}`, `${own[2]}${other?.replace('ABC123457', 'AB1')}`].join(
      '\n',
    );
  };

  describe('a correction is read as its import was', () => {
    test.each([
      [
        'a mapped column beside one with another name of it',
        renamed({ msisdn: 'Number to port' }, 'Mobile'),
        'Number to port=msisdn',
      ],
      [
        'a mapped column beside one with its name',
        renamed({ msisdn: 'Number to port' }, 'msisdn'),
        'Number to port=msisdn',
      ],
      ['the second of two columns with one name', renamed({ msisdn: 'Phone' }, 'Phone'), '2:Phone=msisdn'],
      ['a mapped column without a name', renamed({ msisdn: '' }, 'Mobile'), 'column B=msisdn'],
      ['a column that is kept as an own one', renamed({ tariff: 'Tariff' }), 'Tariff='],
    ])('%s', async (_what, text, map) => {
      const api = startApiWorld();
      const mapping = new URLSearchParams([map.split('=') as [string, string]]).toString();
      const settings = { map: mapping, 'set-targetnetwork': 'UK%20Mobile%20A', 'set-tariff': '2001', dates: 'dmy' };
      const importId = await planText(api, text, settings);
      const { rows } = (await api.call('GET', `/imports/${importId}/rows?outcome=rejected`)).body;
      expect(rows.map(({ line }: { line: number }) => line)).toEqual([3]);
      await api.approve(importId);
      const cells = { pac: 'ABC123457', tariff: '2001' };
      const answer = await api.call('POST', `/imports/${importId}/corrections`, {
        body: { rows: [{ line: 3, cells }] },
      });
      await announceUpload(api);
      const { body } = await api.call('GET', `/imports/${answer.body.importId}`);
      expect(body).toMatchObject({ state: 'planned', rows: 1, accepted: 1 });
    });
  });
});
