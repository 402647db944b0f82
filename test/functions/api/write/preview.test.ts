// What the API shows and asks before a file is approved.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import type { Caller } from '#functions/api/http/endpoint.ts';
import { columnLetters } from '#shared/files/csv/csv-row.ts';
import { notify, settle } from '../../../chaos/drive.ts';
import { buckets } from '../../../chaos/pipeline.ts';
import { csvTextOf } from '../../../chaos/scenario.ts';
import { readAgain } from '../../../support/api/corrections.ts';
import { type ApiWorld, operator, person, startApiWorld } from '../../../support/api/simulated-api.ts';
import { announceUploads, two, uploadFile } from '../../../support/api/uploads.ts';
import { workbookFile } from '../../../support/files/workbook-file.ts';
import { validCells } from '../../../support/ingest/catalogue.ts';

// What the API shows before a file is approved: validated rows, previews, and files that are read again.
describe('what it shows', () => {
  test('the preview of a workbook that takes more than ten seconds to read is declined', async () => {
    const { call, world } = startApiWorld();
    const [first = {}] = two;
    const Body = workbookFile([{ name: 'July', rows: [Object.keys(first), Object.values(first).map(String)] }]);
    const Key = 'plan/create-port/folder/book.xlsx';
    const put = await world.bucket.send(new PutObjectCommand({ Bucket: buckets.inbox, Key, Body }));
    const { ETag, VersionId } = put as { ETag: string; VersionId: string };
    notify({ key: Key, version: VersionId, etag: ETag.replaceAll('"', '') }, 0, world);
    await settle(world);
    const [{ importId }] = (await call('GET', '/imports')).body.imports;
    const preview = async () => (await call('GET', `/imports/${importId}/preview`)).body;
    expect(await preview()).toMatchObject({ sheet: 'July' });
    const { send } = world.bucket;
    Object.assign(world.bucket, {
      send: async (command: never) => {
        const answer = (await send(command)) as { readonly Body?: AsyncIterable<Uint8Array> };
        const { Body } = answer;
        const slowly = async function* () {
          world.timeline.moveTo(world.timeline.now() + 10_001);
          yield* Body ?? [];
        };
        return Body === undefined ? answer : { ...answer, Body: slowly() };
      },
    });
    expect(await preview()).toMatchObject({ code: 'file-too-large' });
  });

  test('a person has a share of the previews, all of them leave room for commands, and those that ended count no more', async () => {
    const api = startApiWorld();
    const importId = await uploadFile(api, Buffer.from(csvTextOf(two)));
    await announceUploads(api);
    const people = Array.from({ length: 8 }, (_, index) => person(`person ${index}`, 'operator'));
    const previewsBy = (...as: readonly Caller[]) =>
      Promise.all(as.map((one) => api.call('GET', `/imports/${importId}/preview`, { as: one })));
    const answered = (replies: readonly { status: number }[]) => replies.filter(({ status }) => status === 200).length;
    const [anna = operator, bert = operator] = people;
    const together = await previewsBy(anna, anna, anna, bert, anna);
    expect(together.map(({ status }) => status)).toEqual([200, 200, 429, 200, 429]);
    expect(together[2]?.headers.get('retry-after')).toBe('1');
    const [stopped, ...previews] = await Promise.all([
      api.call('POST', `/imports/${importId}/stop`, { body: { because: 'a test' } }),
      ...people.map((as) => api.call('GET', `/imports/${importId}/preview`, { as })),
    ]);
    expect(stopped.status).not.toBe(429);
    expect(answered(previews)).toBe(6);
    expect(answered(await previewsBy(...people.slice(0, 6)))).toBe(6);
  });

  test('cells of a row are validated as ingest validates them, and messages contain no PAC', async () => {
    const { call } = startApiWorld();
    const rows = [
      validCells,
      { ...validCells, msisdn: '07700 900 1' },
      { ...validCells, pac: '123456ABC', targetNetwork: 'Nowhere' },
      validCells,
    ];
    const { body, text } = await call('POST', '/validate', { body: { operation: 'create-port', rows } });
    expect(body.rows.map(({ isValid }: { isValid: boolean }) => isValid)).toEqual([true, false, false, false]);
    expect(body.rows[1].issues).toContainEqual(expect.objectContaining({ column: 'msisdn', code: 'MSISDN_SHAPE' }));
    const codes = body.rows[2].issues.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(expect.arrayContaining(['PAC_IS_STAC', 'TARGET_NETWORK_UNKNOWN']));
    expect(body.rows[3].issues).toContainEqual(expect.objectContaining({ code: 'MSISDN_DUPLICATE_IN_FILE' }));
    expect(text).not.toContain('123456ABC');
    const unknown = await call('POST', '/validate', { body: { operation: 'create-port', rows: [{ colour: 'red' }] } });
    expect(unknown.body.code).toBe('unknown-column');
  });

  /** A title row, and a header with a name that simporter does not know. */
  const titled = `Porting list,,,,,,,,,\n${csvTextOf(two).replace('msisdn,', 'My phones,')}`;

  test('a preview shows how a file was read, what is missing, and no PAC', async () => {
    const api = startApiWorld();
    const importId = await uploadFile(api, Buffer.from(titled));
    await announceUploads(api);
    const { body, text } = await api.call('GET', `/imports/${importId}/preview`);
    expect(body).toMatchObject({ operation: 'create-port', separator: ',', sheet: null, headerRow: 2, problem: null });
    expect(body.columns[0]).toEqual({ header: 'My phones', name: null, option: null, choices: [], secret: false });
    expect(body.missing).toContain('msisdn');
    expect(body.rows).toHaveLength(2);
    for (const { pac } of two) expect(text).not.toContain(pac);
    expect((await api.call('GET', `/imports/${importId}/preview?headerRow=999`)).body.problem).not.toBeNull();
  });

  test('a preview names columns as a mapping takes them, and what one that is asked about may be', async () => {
    const api = startApiWorld();
    const [header = '', ...lines] = csvTextOf(two).trim().split(/\r?\n/);
    const text = [
      `${header.replace('boltOns', 'Own')},Bolt-ons,,Note,Note,Premium Rate Calls`,
      ...lines.map((line) => `${line},101,104,a,b,Y`),
    ];
    const importId = await uploadFile(api, Buffer.from(text.join('\n')));
    await announceUploads(api);
    const headersOf = async (id: string) =>
      (await api.call('GET', `/imports/${id}/preview`)).body.columns
        .slice(-5)
        .map((column: { header: string; name: string | null }) => [column.header, column.name]);
    const letters = columnLetters(header.split(',').length + 1);
    expect(await headersOf(importId)).toEqual([
      ['Bolt-ons', 'boltOns'],
      [`column ${letters}`, null],
      ['Note', null],
      ['2:Note', null],
      ['Premium Rate Calls', null],
    ]);
    const preview = (await api.call('GET', `/imports/${importId}/preview`)).body;
    expect(preview.columns.at(-1).choices).toEqual(['block:Premium', 'allow:Premium']);
    const mapping = { [`column ${letters}`]: 'boltOns', '2:Note': '', 'Premium Rate Calls': '' };
    await readAgain(api, importId, { settings: { mapping } });
    expect((await api.call('GET', `/imports/${importId}`)).body).toMatchObject({
      state: 'planned',
      accepted: 2,
    });
    expect((await headersOf(importId)).map(([, name]: [string, string | null]) => name)).toEqual([
      'boltOns',
      'boltOns',
      null,
      null,
      null,
    ]);
  });

  test('a preview shows several sheets as the one file that they are read as', async () => {
    const api = startApiWorld();
    const [header = '', ...lines] = csvTextOf(two).trim().split(/\r?\n/);
    const sheets = ['October', 'November'].map((name, index) => ({
      name,
      rows: [header.split(','), (lines[index] ?? '').split(',')],
    }));
    const importId = await uploadFile(api, workbookFile(sheets));
    await announceUploads(api);
    const place = 'sheet=October&otherSheets=November';
    const { body } = await api.call('GET', `/imports/${importId}/preview?${place}`);
    expect(body).toMatchObject({ sheet: 'October', otherSheets: ['November'], missing: [], problem: null });
    expect(body.rows).toHaveLength(2);
    const again = await readAgain(api, importId, { settings: { sheet: 'October', otherSheets: ['November'] } });
    expect(again.status).toBe(202);
    const { body: changed } = await api.call('GET', `/imports/${importId}/preview`);
    expect(changed).toMatchObject({ sheet: 'October', settings: { otherSheets: ['November'] } });
    expect(changed.rows).toHaveLength(2);
  });

  test('a file is read again with a mapping in place, until it is approved', async () => {
    const api = startApiWorld();
    const importId = await uploadFile(api, Buffer.from(titled));
    await announceUploads(api);
    expect((await api.call('GET', `/imports/${importId}`)).body.state).toBe('rejected');
    const unknown = await readAgain(api, importId, { settings: { mapping: { 'My phones': 'colour' } } });
    expect(unknown.body.code).toBe('unknown-column');
    const again = await readAgain(api, importId, {
      settings: { mapping: { 'My phones': 'msisdn' }, columnValues: { groupName: 'Office' }, dateOrder: 'dmy' },
    });
    expect(again.status).toBe(202);
    expect((await api.call('GET', '/imports')).body.imports).toHaveLength(1);
    const planned = await api.call('GET', `/imports/${importId}`);
    expect(planned.body).toMatchObject({ state: 'planned', rows: 2, accepted: 2 });
    const { settings, missing, columns } = (await api.call('GET', `/imports/${importId}/preview`)).body;
    expect(settings).toEqual({
      mapping: { 'My phones': 'msisdn' },
      columnValues: { groupName: 'Office' },
      dateOrder: 'dmy',
    });
    expect([missing, columns[0]]).toEqual([
      [],
      {
        header: 'My phones',
        name: 'msisdn',
        option: null,
        choices: [],
        secret: false,
      },
    ]);
    await api.approve(importId);
    const late = await readAgain(api, importId, { settings: {} });
    expect(late.body.code).toBe('state-changed');
  });

  test('only who uploaded a file, or an operator, reads it in another way', async () => {
    const api = startApiWorld();
    const [uma, udo] = [person('uma@example.com', 'uploader'), person('udo@example.com', 'uploader', 'approver')];
    const importId = await uploadFile(api, Buffer.from(titled), uma);
    await announceUploads(api);
    const statuses = async (as: Caller) => [
      (await api.call('GET', `/imports/${importId}/preview`, { as })).status,
      (await api.call('GET', `/imports/${importId}/preview?headerRow=3`, { as })).status,
      (await readAgain(api, importId, { settings: { headerRow: 3 } }, { as })).status,
    ];
    expect(await statuses(udo)).toEqual([200, 403, 403]);
    expect(await statuses(uma)).toEqual([200, 200, 202]);
    expect(await statuses(operator)).toEqual([200, 200, 202]);
  });

  test('the settings of a preview name no code that was a header', async () => {
    const api = startApiWorld();
    const importId = await uploadFile(api, Buffer.from(csvTextOf(two)));
    await announceUploads(api);
    const settings = {
      headerRow: 2,
      mapping: { ABC123456: '', 'My phones': 'msisdn' },
      columnValues: { groupName: 'ABC123456' },
    };
    await readAgain(api, importId, { settings });
    const { body: preview, text } = await api.call('GET', `/imports/${importId}/preview`);
    expect(preview.settings).toMatchObject({ headerRow: 2, mapping: { 'My phones': 'msisdn' }, columnValues: {} });
    expect(text).not.toContain('ABC123456');
  });

  test('a preview of the longest rows fits into an answer of Lambda', async () => {
    const api = startApiWorld();
    const [header = '', row = ''] = csvTextOf(two).trim().split(/\r?\n/);
    // Just below the most bytes that a row may have, each of which takes seven bytes of the answer.
    const cells = Array.from({ length: 100 }, () => '\u0002'.repeat(2_500)).join(',');
    const importId = await uploadFile(
      api,
      Buffer.from([`${header},${cells}`, ...Array(4).fill(`${row},${cells}`)].join('\n')),
    );
    await announceUploads(api);
    const { status, text } = await api.call('GET', `/imports/${importId}/preview`);
    expect([status, text.length > 1_000_000]).toEqual([200, true]);
  });
});

// What a page asks about a file before its first row is validated: everything at once, and only what ingest would ask.
describe('what it asks', () => {
  const [header = '', ...lines] = csvTextOf(two).trim().split(/\r?\n/);
  const columns = header.split(',');
  /** The rows with another cell in one column. */
  const withCells = (column: string, ...cells: readonly string[]) =>
    lines.map((line, index) => line.split(',').with(columns.indexOf(column), cells[index] ?? ''));
  const csv = (...rows: readonly (readonly string[])[]) => Buffer.from(rows.map((cells) => cells.join(',')).join('\n'));

  async function upload(api: ApiWorld, bytes: Buffer, as = operator): Promise<string> {
    const importId = await uploadFile(api, bytes, as);
    await announceUploads(api);
    return importId;
  }

  test('the preview shows all sheets with their first rows, without codes, and only to who may choose another one', async () => {
    const api = startApiWorld();
    const [uma, udo] = [person('uma@example.com', 'uploader'), person('udo@example.com', 'uploader')];
    const sheets = [
      { name: 'Notes', rows: [['Ask the team leads']] },
      { name: 'July', rows: [['Porting list'], columns, ...lines.map((line) => line.split(','))] },
      { name: 'August', rows: [columns, ...lines.map((line) => line.split(','))] },
    ];
    const importId = await upload(api, workbookFile(sheets), uma);
    const { body, text } = await api.call('GET', `/imports/${importId}/preview`, { as: uma });
    const place = ({ name, headerRow, isSuitable }: Record<string, unknown>) => [name, headerRow, isSuitable];
    expect(body.sheets.map(place)).toEqual([
      ['Notes', 1, false],
      ['July', 2, true],
      ['August', 1, true],
    ]);
    const [, july] = body.sheets;
    expect(july.rows).toHaveLength(1 + lines.length);
    expect(july.rows[0]).toEqual(columns.slice(0, 8));
    for (const { pac } of two) expect(text).not.toContain(pac);
    const other = (await api.call('GET', `/imports/${importId}/preview`, { as: udo })).body;
    expect(other.sheets.map(({ rows }: { rows: unknown[] }) => rows.length)).toEqual([0, 0, 0]);
  });

  const names = columns.with(columns.indexOf('msisdn'), 'My phones');
  const rows = withCells('connectionDate', '03/07/2026', '06/07/2026');
  const unknownDate = { header: 'connectionDate', order: null, example: '03/07/2026', problem: null };

  test('for the sheets that a person chose, the preview asks about columns and dates at the same time', async () => {
    const api = startApiWorld();
    const sheets = ['North', 'South'].map((name, index) => ({ name, rows: [names, rows[index] ?? []] }));
    const importId = await upload(api, workbookFile(sheets));
    const place = 'sheet=North&otherSheets=South';
    const preview = (await api.call('GET', `/imports/${importId}/preview?${place}`)).body;
    expect(preview.missing).toEqual(['msisdn']);
    expect(preview.questions).toMatchObject([{ code: 'HEADER_NEAR_MISS', column: 'My phones' }]);
    expect(preview.dates).toEqual([unknownDate]);
  });

  test('an import asks until its questions are answered, and is read once with the answers', async () => {
    const api = startApiWorld();
    const importId = await upload(api, csv(names, ...rows));
    const asking = (await api.call('GET', `/imports/${importId}`)).body;
    expect(asking).toMatchObject({ state: 'rejected', asksHowToRead: true, rows: 0, reading: 1 });
    const preview = async () => (await api.call('GET', `/imports/${importId}/preview`)).body;
    expect((await preview()).dates).toEqual([unknownDate]);
    await readAgain(api, importId, { settings: { mapping: { 'My phones': 'msisdn' }, dateOrder: 'dmy' } });
    const read = (await api.call('GET', `/imports/${importId}`)).body;
    expect(read).toMatchObject({ asksHowToRead: false, rows: 2, reading: 2 });
    const { questions, missing, dates } = await preview();
    expect({ questions, missing, dates }).toEqual({
      questions: [],
      missing: [],
      dates: [{ ...unknownDate, order: 'dmy' }],
    });
  });

  test('every column with such a date is named, because a person may say that it is one', async () => {
    const api = startApiWorld();
    const withDay = lines.map((line) => [...line.split(','), '03/07/2026']);
    const importId = await upload(api, csv([...columns, 'Go live'], ...withDay));
    const { dates } = (await api.call('GET', `/imports/${importId}/preview`)).body;
    expect(dates).toMatchObject([{ header: 'Go live', order: null, example: '03/07/2026' }]);
  });

  test('a later row answers the order of dates; of a large file, only what ingest has asked is a question', async () => {
    const ofNote = (note: string, last: string) => {
      const [row = []] = withCells('connectionDate', '03/07/2026');
      const many = Array.from({ length: 600 }, () => [...row, note]);
      const [end = []] = withCells('connectionDate', last);
      return csv([...columns, 'Note'], ...many, [...end, note]);
    };
    const datesOf = async (bytes: Buffer) => {
      const api = startApiWorld();
      const importId = await upload(api, bytes);
      return (await api.call('GET', `/imports/${importId}/preview`)).body.dates;
    };
    const [small, large] = ['', 'x'.repeat(2_000)];
    expect(await datesOf(ofNote(small, '13/07/2026'))).toMatchObject([{ order: 'dmy', example: '03/07/2026' }]);
    expect(await datesOf(ofNote(large, '13/07/2026'))).toEqual([]);
    expect(await datesOf(ofNote(large, '06/07/2026'))).toMatchObject([{ order: null, problem: null }]);
  });

  test('nobody is asked about a file in which only its rows, or the file itself, are wrong', async () => {
    const asks = async (bytes: Buffer) => {
      const api = startApiWorld();
      const importId = await upload(api, bytes);
      const { state, asksHowToRead } = (await api.call('GET', `/imports/${importId}`)).body;
      return [state, asksHowToRead];
    };
    expect(await asks(csv(columns, ...withCells('msisdn', '1', '2')))).toEqual(['rejected', false]);
    expect(await asks(csv(columns))).toEqual(['rejected', false]);
    expect(await asks(csv(columns, ...lines.map((line) => line.split(','))))).toEqual(['planned', false]);
  });
});
