// Corrections through the API: rows that are invalid or were declined, files, and what was not sent yet.

import { DeleteObjectCommand, GetObjectCommand } from '@aws-sdk/client-s3';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { createImports } from '#shared/store/imports.ts';
import { draftObjectKey, resultsIndexKey, resultsKey } from '#shared/store/object-keys.ts';
import { createRequests } from '#shared/store/requests.ts';
import { settle } from '../../../chaos/drive.ts';
import { buckets, queueUrl, table } from '../../../chaos/pipeline.ts';
import { rowsFrom } from '../../../chaos/scenario.ts';
import {
  announceUpload,
  british,
  correct,
  planText,
  readAgain,
  readNewest,
  rows,
} from '../../../support/api/corrections.ts';
import { type ApiWorld, person, startApiWorld } from '../../../support/api/simulated-api.ts';
import { numberAt, simAt } from '../../../support/ingest/valid-rows.ts';

// Invalid rows through the API: read before the approval, fixed, and imported again with what the person did not touch.
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

// Corrections that are uploaded as files, with moved columns, repeated lines or lines in any order, through the API.
describe('files', () => {
  /** Two invalid rows, and their correction with the columns of simporter in front: the second row is still invalid. */
  async function planMoved(api: ApiWorld): Promise<string> {
    const [header = '', ...records] = british.replace(',ABC123456,,', ',ABC123456,999,').split('\n');
    const values = { 'set-targetnetwork': 'UK%20Mobile%20A', 'set-tariff': '2001' };
    const first = await planText(api, [header, ...records].join('\n'), values);
    const rows = records.map((record, index) => `,${first},${index + 2},${record}`);
    const fixed = rows.map((row, index) => (index === 0 ? row.replace(',999,', ',101,') : row));
    return planText(api, [`errors,importId,line,${header}`, ...fixed].join('\n'));
  }

  /** As before the first report: without its files. */
  async function removeReport({ world }: ApiWorld, importId: string): Promise<void> {
    for (const Key of [resultsKey(importId), resultsIndexKey(importId)]) {
      await world.bucket.send(new DeleteObjectCommand({ Bucket: buckets.results, Key }));
    }
    const item = world.table.items().find((one) => one.sk === 'import' && one.importId === importId);
    const { reported: _, ...Item } = item ?? {};
    await world.table.send(new PutCommand({ TableName: table, Item }));
  }

  test.each([
    ['before', removeReport],
    ['after', async () => {}],
  ] as const)('PACs of a correction with moved columns are masked %s its first report', async (_, prepare) => {
    const api = startApiWorld();
    const importId = await planMoved(api);
    await prepare(api, importId);
    const { body, text } = await api.call('GET', `/imports/${importId}/rows?outcome=rejected`);
    expect(text).not.toContain('ABC123457');
    expect(body.rows.map(({ line }: { line: number }) => line)).toEqual([3]);
    const named = body.columns.map(({ header, name }: { header: string; name: string }) => header === name);
    expect(named).toEqual(body.columns.map(() => true));
    const byPac = await api.call('GET', `/imports/${importId}/rows?outcome=rejected&text=457`);
    expect(byPac.body.rows).toEqual([]);
  });

  test('an invalid row of a correction with moved columns is fixed, and a sent one is cancelled', async () => {
    const api = startApiWorld();
    const importId = await planMoved(api);
    const corrected = await correct(api, importId, [{ line: 3, cells: { boltOns: '101' } }]);
    expect((await api.call('GET', `/imports/${corrected}`)).body).toMatchObject({ state: 'planned', accepted: 1 });
    await api.approve(importId);
    await api.pass(10 * 60_000);
    const { columns, byColumn } = (await api.call('GET', `/reports/${importId}?by=pac`)).body;
    expect([columns.includes('pac'), columns.includes('msisdn'), byColumn]).toEqual([false, true, []]);
    await api.call('POST', `/imports/${importId}/cancel`, { body: { lines: [2], because: 'Order 7' } });
    expect(await readNewest(api)).toContain(`${numberAt(1)},`);
  });

  /** The rows of two imports that wait for PACs in one file: both are from line 5 of their import. */
  async function planJoined(api: ApiWorld): Promise<string> {
    const imports = [await planText(api, british), await planText(api, british)];
    const joined = imports.map((importId, index) => `${numberAt(index)},${index + 7},,,${importId},5,`);
    const text = ['msisdn,portId,pac,reason,importId,line,reference', ...joined].join('\n');
    return planText(api, text, {}, 'update-port');
  }

  test('a PAC for one of two invalid rows with the same line is declined: it could be planned for the other', async () => {
    const api = startApiWorld();
    const importId = await planJoined(api);
    const { rows: invalid } = (await api.call('GET', `/imports/${importId}/rows?outcome=rejected`)).body;
    expect(invalid.map(({ line }: { line: number }) => line)).toEqual([5, 5]);
    const fix = { rows: [{ line: 5, cells: { pac: 'XYZ654321' } }] };
    const { status, body, text } = await api.call('POST', `/imports/${importId}/corrections`, { body: fix });
    expect([status, body.code, body.changed]).toEqual([409, 'line-not-unique', { line: 5 }]);
    expect(text).not.toContain('XYZ654321');
  });

  test('the cancellation of one of two rows with the same line is declined: it could cancel the other', async () => {
    const api = startApiWorld();
    // Rows that correct an import of another operation may repeat a line.
    const other = await planText(api, 'msisdn,portId,pac\n07700900009,9,\n', {}, 'update-port');
    const [header = '', first = '', second = ''] = british.replaceAll(',999,Port', ',,Port').split('\n');
    const text = [`${header},importId,line`, ...[first, second].map((row) => `${row},${other},5`)].join('\n');
    const importId = await planText(api, text, { 'set-targetnetwork': 'UK%20Mobile%20A', 'set-tariff': '2001' });
    await api.approve(importId);
    await api.pass(10 * 60_000);
    const { rows: sent } = (await api.call('GET', `/imports/${importId}/rows`)).body;
    const seen = sent.map(({ line, outcome }: { line: number; outcome: string }) => [line, outcome]);
    expect(seen).toEqual([
      [5, 'in-progress'],
      [5, 'in-progress'],
    ]);
    const { status, body } = await api.call('POST', `/imports/${importId}/cancel`, { body: { lines: [5] } });
    expect([status, body.code]).toEqual([409, 'line-not-unique']);
  });

  test('each row of a correction with lines in any order is on one page', async () => {
    const api = startApiWorld();
    const [header = '', first = '', second = ''] = british.replace(',ABC123456,,', ',ABC123456,999,').split('\n');
    const third = second.replace(numberAt(2), numberAt(3)).replace(simAt(2), simAt(3));
    const importId = await planText(api, [header, first, second, third].join('\n'));
    const records = [third, first, second].map((row, index) => `${row},${importId},${[4, 2, 3][index]}`);
    const correction = await planText(api, [`${header},importId,line`, ...records].join('\n'));
    const lines: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await api.call('GET', `/imports/${correction}/rows?limit=1${cursor}`);
      lines.push(...body.rows.map(({ line }: { line: number }) => line));
      cursor = body.nextCursor === null ? null : `&cursor=${body.nextCursor}`;
    }
    expect(lines).toEqual([4, 2, 3]);
  });
});

// Rows that the service declined are read, fixed and sent again like invalid ones.
describe('declined rows', () => {
  const reason = 'The number is not with this network';

  /** An import of two numbers, whose request was declined; line 4 is invalid. */
  async function declinedImport(api: ApiWorld): Promise<string> {
    const importId = await api.send('july.csv', rowsFrom(0, ['ABC123456', 'ABC123457', 'AB1']));
    const requests = createRequests(api.world.table as unknown as DynamoDBDocumentClient, table);
    const seen = await requests.get(importId, 1);
    if (seen === undefined) throw new Error('nothing was sent');
    const error = { kind: 'declined', message: reason } as const;
    const { portId: _, portStatus: __, dueAt: ___, ...declined } = { ...seen, state: 'declined' as const, error };
    expect(await requests.replace(seen, { ...declined, endedAt: seen.changedAt })).toBeDefined();
    api.world.queue.add(queueUrl('report'), { importId }, 0);
    await settle(api.world);
    await api.pass(60_000);
    return importId;
  }

  const textOf = ({ world }: ApiWorld): string => {
    const stored = world.bucket.written(buckets.inbox).findLast(({ key }) => key.endsWith('-correction.csv'));
    return world.bucket.text(buckets.inbox, stored?.key ?? '');
  };

  test('a declined and an invalid row are sent again together, the declined one with the PAC that it was sent with', async () => {
    const api = startApiWorld();
    const importId = await declinedImport(api);
    const { body: page } = await api.call('GET', `/imports/${importId}/rows?outcome=rejected,declined`);
    expect(page.rows).toMatchObject([
      { line: 2, outcome: 'declined', correctedBy: 'create-port' },
      { line: 3, outcome: 'declined' },
      { line: 4, outcome: 'rejected' },
    ]);
    expect(page.rows[0].message).toContain(reason);
    expect(JSON.stringify(page)).not.toContain('ABC123456');
    const rows = [
      { line: 2, cells: { connectionDate: '2026-07-30' } },
      { line: 4, cells: { pac: 'XYZ654321' } },
    ];
    const { status, body } = await api.call('POST', `/imports/${importId}/corrections`, { body: { rows } });
    expect([status, body.rows]).toEqual([202, 2]);
    expect(textOf(api)).toContain('ABC123456');
    expect(textOf(api)).toContain('2026-07-30');
    expect(textOf(api)).not.toContain('ABC123457');
    await announceUpload(api);
    expect((await api.call('GET', `/imports/${body.importId}`)).body).toMatchObject({ state: 'planned', rows: 2 });
  });

  test.each([
    ['its upload has expired', buckets.inbox, Number.POSITIVE_INFINITY, [410, 'file-expired']],
    ['its results are replaced meanwhile', buckets.results, 1, [202, undefined]],
  ] as const)('a declined row is answered for where %s', async (_, bucketName, times, expected) => {
    const api = startApiWorld();
    const importId = await declinedImport(api);
    const { bucket } = api.world;
    const { send } = bucket;
    let left = times;
    bucket.send = async (command) => {
      const { input } = command as GetObjectCommand;
      const isHit =
        command instanceof GetObjectCommand && input.Bucket === bucketName && /\.csv$/.test(input.Key ?? '');
      if (!isHit || input.Key?.endsWith('rejected.csv') || left === 0) return send(command);
      left -= 1;
      return send(new GetObjectCommand({ Bucket: bucketName, Key: 'no such object' }));
    };
    const rows = [{ line: 2, cells: { connectionDate: '2026-07-30' } }];
    const { status, body } = await api.call('POST', `/imports/${importId}/corrections`, { body: { rows } });
    expect([status, body.code]).toEqual(expected);
  });

  test('a row in a port is neither declined nor invalid', async () => {
    const api = startApiWorld();
    const importId = await api.send('july.csv', rowsFrom(0, ['ABC123456']));
    const rows = [{ line: 2, cells: { pac: 'XYZ654321' } }];
    const { body } = await api.call('POST', `/imports/${importId}/corrections`, { body: { rows } });
    expect(body.code).toMatch(/state-changed|file-expired/);
  });
});

// Changes of invalid rows that were not sent yet: kept for each person, continued by a colleague, and without a PAC in
// any answer or item.
describe('changes that were not sent yet', () => {
  const anna = person('anna@example.com', 'uploader');
  const ben = person('ben@example.com', 'uploader');
  const pac = 'XYZ654321';

  async function savedDraft(api: ApiWorld) {
    const importId = await api.plan('july.csv', rows);
    const body = { rows: [{ line: 3, cells: { pac, reference: 'Order 7' } }] };
    const saved = await api.call('PUT', `/imports/${importId}/drafts`, { as: anna, body });
    return { importId, saved: saved.body, path: `/imports/${importId}/drafts` };
  }

  async function storedDraft({ world }: ApiWorld, importId: string, draftId: string): Promise<string> {
    const command = new GetObjectCommand({ Bucket: buckets.work, Key: draftObjectKey(importId, draftId) });
    const { Body } = (await world.bucket.send(command)) as { Body: AsyncIterable<Uint8Array> };
    return Buffer.concat(await Array.fromAsync(Body)).toString();
  }

  test('a draft is kept, and its PAC is in no answer and no item of the table', async () => {
    const api = startApiWorld();
    const { importId, path, saved } = await savedDraft(api);
    const list = await api.call('GET', path, { as: anna });
    expect(list.body.drafts).toEqual([
      { draftId: saved.draftId, by: anna.name, isYours: true, savedAt: saved.savedAt, rows: 1 },
    ]);
    const opened = await api.call('GET', `${path}/${saved.draftId}`, { as: anna });
    expect(opened.body.rows).toEqual([{ line: 3, cells: { pac: null, reference: 'Order 7' } }]);
    expect(JSON.stringify(api.world.table.items())).not.toContain(pac);
    expect(await storedDraft(api, importId, saved.draftId)).toContain(pac);
  });

  test('a colleague continues a draft, and sends its PAC without seeing it', async () => {
    const api = startApiWorld();
    const { importId, path, saved } = await savedDraft(api);
    const { body: list } = await api.call('GET', path, { as: ben });
    expect(list.drafts).toMatchObject([{ by: anna.name, isYours: false }]);
    const open = (cells: object) => ({ rows: [{ line: 3, cells }], from: saved.draftId });
    const own = await api.call('PUT', path, { as: ben, body: open({ pac: null, reference: 'Order 8' }) });
    expect(own.body.draftId).not.toBe(saved.draftId);
    const fix = { rows: [{ line: 3, cells: { pac: null } }], from: own.body.draftId };
    expect((await readAgain(api, importId, fix, { as: ben })).status).toBe(202);
    expect((await api.call('GET', `/imports/${importId}`)).body).toMatchObject({ state: 'planned', accepted: 2 });
  });

  test('a cell that is kept nowhere is declined with its line, and nothing is sent', async () => {
    const api = startApiWorld();
    const { importId } = await savedDraft(api);
    const fix = { rows: [{ line: 3, cells: { pac: null } }] };
    const { body } = await readAgain(api, importId, fix, { as: ben });
    expect(body).toMatchObject({ code: 'state-changed', changed: { line: 3 } });
    expect(body.detail).toContain('Enter it again');
  });

  test('a draft without rows is discarded, and a column that does not exist is declined', async () => {
    const api = startApiWorld();
    const { importId, path, saved } = await savedDraft(api);
    const put = (draft: object) => api.call('PUT', path, { as: anna, body: draft });
    expect((await put({ rows: [{ line: 3, cells: { nothing: 'x' } }] })).body.code).toBe('unknown-column');
    await put({ rows: [] });
    expect((await api.call('GET', path, { as: anna })).body.drafts).toEqual([]);
    expect(await storedDraft(api, importId, saved.draftId)).not.toContain(pac);
  });

  test('a draft that was saved in another tab meanwhile is not replaced', async () => {
    const api = startApiWorld();
    const { path, saved } = await savedDraft(api);
    const put = (reference: string, savedAt: string | null) =>
      api.call('PUT', path, { as: anna, body: { rows: [{ line: 3, cells: { reference } }], savedAt } });
    expect(await put('Order 8', null)).toMatchObject({
      status: 409,
      body: { code: 'state-changed', changed: { savedAt: saved.savedAt } },
    });
    const second = await put('Order 9', saved.savedAt);
    expect(second.status).toBe(200);
    expect(second.body.savedAt > saved.savedAt).toBe(true);
    expect((await put('Order 10', saved.savedAt)).status).toBe(409);
    const opened = await api.call('GET', `${path}/${saved.draftId}`, { as: anna });
    expect(opened.body.rows).toEqual([{ line: 3, cells: { reference: 'Order 9' } }]);
  });
});
