// What becomes of a whole upload: a plan, a rejection, or another invocation.
import { describe, expect, test } from 'vitest';
import { rowsOfPart } from '#functions/ingest/plan/reject-import.ts';
import { headerIdOf } from '#shared/files/open-upload.ts';
import { consoleUpload } from '#shared/import/approval.ts';
import { type ImportItem, importItem } from '#shared/import/import.ts';
import type { SavedSettings } from '#shared/import/saved-settings.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { double } from '../../../support/double.ts';
import { workbookFile } from '../../../support/files/workbook-file.ts';
import { countedLookups, validCells } from '../../../support/ingest/catalogue.ts';
import { handle, type IngestBench, inbox, ingestBench, notification } from '../../../support/ingest/ingest.ts';
import { csvOf, goodRows } from '../../../support/ingest/valid-rows.ts';

// A file that cannot be read as rows: rejected with a reason, and nothing is planned.
describe('a file that cannot be read', () => {
  describe('an unreadable file', () => {
    test.each<[string, string, string | Buffer, string]>([
      ['fault 5: an unknown folder', 'create-prot/x.csv', csvOf([{}]), 'FILE_UNKNOWN_OPERATION'],
      ['fault 5: an unknown folder below plan/', 'plan/july/x.csv', csvOf([{}]), 'FILE_UNKNOWN_OPERATION'],
      ['fault 5: another extension', 'create-port/x.ods', 'PK', 'FILE_NOT_CSV'],
      ['fault 5: 0 bytes', 'create-port/x.csv', '', 'FILE_EMPTY'],
      ['fault 19: only a header', 'create-port/x.csv', csvOf([]), 'FILE_EMPTY'],
      ['fault 21: too many bytes', 'create-port/x.csv', csvOf(goodRows(20)), 'FILE_TOO_LARGE'],
      ['fault 21: too many rows', 'create-port/x.csv', csvOf(goodRows(4)), 'FILE_TOO_MANY_ROWS'],
      [
        'fault 21: a damaged workbook',
        'create-port/x.xlsx',
        Buffer.from('PK\u0003\u0004 and so on'),
        'FILE_WORKBOOK_INVALID',
      ],
      [
        'fault 11: two encodings',
        'create-port/x.csv',
        Buffer.concat([Buffer.from('é'), Buffer.of(0xe9)]),
        'FILE_ENCODING',
      ],
      ['fault 13: an unclosed quote', 'create-port/x.csv', `${csvOf([{}])}"07700`, 'FILE_QUOTE_UNCLOSED'],
      ['fault 14: a column twice', 'create-port/x.csv', `msisdn,Mobile Number\n1,2\n`, 'HEADER_DUPLICATE_COLUMN'],
      ['a missing column', 'create-port/x.csv', 'msisdn\n1\n', 'HEADER_MISSING_COLUMN'],
      [
        'a slip in the header',
        'create-port/x.csv',
        csvOf([{ boltOns: '101' }]).replace('boltOns', 'botlOns'),
        'HEADER_NEAR_MISS',
      ],
    ])('%s is rejected with a reason, and nothing is planned or sent', async (_, key, body, code) => {
      const bench = ingestBench();
      const limits = { ...bench.dependencies.limits, maxFileBytes: 1000, maxFileRows: 3 };
      const strict = ingestBench({ limits });
      const item = await strict.upload(body, { key });
      expect(importItem.parse(item)).toMatchObject({ state: 'rejected', requestCount: 0 });
      expect(item?.issues.map((issue) => issue.code)).toContain(code);
      expect(strict.messages).toEqual([]);
      expect(strict.files.keys().filter((path) => path.startsWith('work/'))).toEqual([]);
    });

    test('a workbook with a formula that was never calculated is rejected: its cell may not be empty', async () => {
      const rows = [
        ['msisdn', 'boltOns'],
        ['07700900123', { uncalculated: 'B1' }],
      ];
      const body = workbookFile([{ name: 'Numbers', rows }]);
      const item = await ingestBench().upload(body, { key: 'create-port/x.xlsx' });
      expect(item).toMatchObject({ state: 'rejected', issues: [{ line: 2, code: 'FILE_WORKBOOK_INVALID' }] });
    });

    test.each(['create-port/', 'create-port/.DS_Store', '.keep'])(
      'fault 5: %s is not an upload and is ignored',
      async (key) => {
        const bench = ingestBench();
        expect(await bench.upload('', { key })).toBeUndefined();
        expect(bench.ledger.items.size).toBe(0);
      },
    );

    test('faults 15 and 16: semicolons separate cells, and a record with extra cells is rejected without shifting cells', async () => {
      const bench = ingestBench();
      const [header, first, second] = csvOf(goodRows(2)).replaceAll(',', ';').split('\n');
      const item = await bench.upload(`${header}\n${first};surplus\n${second}\n`);
      expect(item).toMatchObject({ rows: 2, accepted: 1, rejected: 1 });
      const row = bench.rejected(item).split('\r\n')[1];
      expect(row).toMatch(/;2;[^;]+;surplus$|;2;".+";surplus$/);
    });
  });

  test('a file that is rejected for its header has issues.ndjson and no rejected.csv', async () => {
    const bench = ingestBench();
    const item = await bench.upload('msisdn,Mobile Number\n1,2\n');
    expect(bench.issues(item).map(({ code }) => code)).toContain('HEADER_DUPLICATE_COLUMN');
    expect(bench.files.keys()).not.toContain(`results/imports/${item?.importId}/rejected.csv`);
  });
});

// Files with more ports than can be looked up in one invocation.
describe('more ports than one invocation can look up', () => {
  const key = 'cancel-port/x.csv';
  const portId = (index: number): string => `0f8fad5b-d9cb-469f-a165-70867728950${index}`;
  const file = `portId,wholePort\n${[1, 2, 3, 4, 5].map((index) => `${portId(index)},yes`).join('\n')}\n`;

  /** Reading a port takes five minutes; `asked` has the ports that were read. */
  function slowPorts() {
    const asked: string[] = [];
    const bench = ingestBench();
    bench.files.put(inbox, key, file);
    Object.assign(bench.dependencies, {
      openCatalogue: () => ({
        ...createCatalogue(countedLookups()),
        port: async (id: string) => {
          asked.push(id);
          bench.remainingMs -= 300_000;
          return undefined;
        },
      }),
    });
    return { bench, asked };
  }

  const deliver = (bench: IngestBench, deliveries: number) => {
    bench.remainingMs = 900_000;
    return handle(bench, [notification(key)], deliveries);
  };
  const importOf = ({ ledger }: IngestBench) => [...ledger.items.values()][0];

  describe('a file with too many ports', () => {
    test('stops before reading a port could be interrupted, and is repeated', async () => {
      const { bench, asked } = slowPorts();
      expect((await deliver(bench, 1)).batchItemFailures).toHaveLength(1);
      expect(asked).toEqual([portId(1), portId(2), portId(3)]);
      expect(importOf(bench)).toMatchObject({ state: 'planning' });
      expect(bench.files.keys()).toEqual([`${inbox}/${key}`]);
      expect(bench.retried).toEqual(['message-0']);
    });

    test('is rejected at the third delivery, with the reason and what to do', async () => {
      const { bench } = slowPorts();
      expect((await deliver(bench, 2)).batchItemFailures).toHaveLength(1);
      expect(await deliver(bench, 3)).toEqual({ batchItemFailures: [] });
      expect(importOf(bench)).toMatchObject({
        state: 'rejected',
        issues: [
          {
            code: 'FILE_TOO_LARGE',
            message:
              'time ran out while ports were looked up with one call each, in each of 3 attempts: split the file',
          },
        ],
      });
      expect(bench.notifiedReports).toEqual([importOf(bench)?.importId]);
    });

    test('is not rejected when another delivery has planned it', async () => {
      const { bench } = slowPorts();
      const { update, updateReading } = bench.ledger.imports;
      bench.ledger.imports.updateReading = async (item, changes, expected) => {
        await update(item.importId, { state: 'submitting' });
        return updateReading(item, changes, expected);
      };
      expect(await deliver(bench, 3)).toEqual({ batchItemFailures: [] });
      expect(importOf(bench)).toMatchObject({ state: 'submitting', issues: [] });
    });

    test('is repeated when its rejection cannot be stored', async () => {
      const { bench } = slowPorts();
      bench.ledger.imports.updateReading = () => Promise.reject(new Error('table is down'));
      expect((await deliver(bench, 3)).batchItemFailures).toHaveLength(1);
    });
  });

  /** The time ends after so many reads of the table, one for each batch of rows. */
  function slowTable(mostReads: number) {
    const bench = ingestBench();
    bench.files.chunkBytes = 4_096;
    bench.files.put(inbox, 'create-port/x.csv', csvOf(goodRows(1_000)));
    let reads = 0;
    bench.dependencies.numbers.getMany = async () => {
      reads += 1;
      if (reads >= mostReads) bench.remainingMs = 0;
      return [];
    };
    const deliverFile = async (deliveries: number) => {
      [reads, bench.remainingMs] = [0, 900_000];
      return handle(bench, [notification('create-port/x.csv')], deliveries);
    };
    return { bench, deliverFile, reads: () => reads };
  }

  describe('a file with too many rows for an invocation', () => {
    test('is rejected at once where most of it was not read, with the rows that a part may have', async () => {
      const { bench, deliverFile } = slowTable(3);
      expect(await deliverFile(1)).toEqual({ batchItemFailures: [] });
      expect(importOf(bench)?.issues[0]).toMatchObject({
        code: 'FILE_TOO_LARGE',
        message: expect.stringMatching(
          /^time ran out after \d+ rows, \d+ % of the file: split the file into parts of at most \d+ rows$/,
        ),
      });
      expect(bench.files.keys()).toEqual([`${inbox}/create-port/x.csv`]);
    });

    test('is repeated where nearly all of it was read: another instance may be a little faster', async () => {
      const whole = slowTable(Number.POSITIVE_INFINITY);
      await whole.deliverFile(1);
      const { bench, deliverFile } = slowTable(whole.reads());
      expect((await deliverFile(1)).batchItemFailures).toHaveLength(1);
      expect(importOf(bench)).toMatchObject({ state: 'planning' });
      await deliverFile(3);
      expect(importOf(bench)?.issues[0]?.message).toContain(
        '100 % of the file, in each of 3 attempts: split the file into',
      );
    });
  });

  test.each([
    [5_400_000, 4_300_000],
    [1_000, 800],
    [7, 5],
    [0, 0],
  ])('an attempt that read %i rows advises parts of %i', (rows, part) => {
    expect(rowsOfPart(rows)).toBe(part);
  });
});

// The same rows in another file: texts are sent once, unless a person approves that they are sent again.
describe('the same rows in another file', () => {
  const sim = (index: number): string => ['89440030110010000704', '89440030110010000803'][index] ?? '';
  const texts = `serialNumber,network,message\n${sim(0)},232,STATUS?\n${sim(1)},232,STATUS?\n`;
  const put = (bench: IngestBench, name: string, body = texts): Promise<ImportItem | undefined> =>
    bench.upload(body, { key: `send-sms/${name}.csv` });
  const warningOf = (item: ImportItem | undefined) => item?.issues.find(({ code }) => code === 'FILE_SAME_CONTENT');

  describe('a file of texts', () => {
    test('that is uploaded under another name waits for approval, and names the first import', async () => {
      const bench = ingestBench();
      const first = await put(bench, 'july');
      expect(first).toMatchObject({ state: 'submitting', contentHash: expect.any(String) });
      const second = await put(bench, 'july (2)');
      expect(second).toMatchObject({ state: 'planned', planOnly: true, contentHash: first?.contentHash });
      expect(warningOf(second)).toMatchObject({
        severity: 'warning',
        message: expect.stringContaining(`${first?.importId}`),
      });
      expect(bench.messages).toHaveLength(1);
      expect(bench.issues(second)).toMatchObject([{ code: 'FILE_SAME_CONTENT' }]);
    });

    test('with the same rows in another notation is the same content', async () => {
      const bench = ingestBench();
      await put(bench, 'july');
      const other = `Network;Notes;ICCID;Message\n232;a;${sim(0)};STATUS?\n\n232;b;${sim(1)};STATUS?\n`;
      expect(await put(bench, 'export', other)).toMatchObject({ state: 'planned' });
    });

    test('with another text is another content', async () => {
      const bench = ingestBench();
      await put(bench, 'july');
      expect(await put(bench, 'august', texts.replaceAll('STATUS?', 'RESET'))).toMatchObject({ state: 'submitting' });
    });

    const sims = `serialNumber\n${sim(0)}\n${sim(1)}\n`;
    test.each([
      ['the values in another order', sims, { 'set-message': 'STATUS%3F', 'set-network': '232' }, 'planned'],
      ['the values in the file', texts, {}, 'planned'],
      ['the values in the file, and others for its empty cells', texts, { 'set-network': '233' }, 'planned'],
      ['another value', sims, { 'set-network': '233', 'set-message': 'STATUS%3F' }, 'submitting'],
    ])('that has values for all rows, and then %s', async (_, body, metadata, state) => {
      const bench = ingestBench();
      const values = { 'set-network': '232', 'set-message': 'STATUS%3F' };
      const first = await bench.upload(sims, { key: 'send-sms/july.csv', metadata: values });
      expect(first).toMatchObject({ state: 'submitting', rejected: 0 });
      expect(await bench.upload(body, { key: 'send-sms/again.csv', metadata })).toMatchObject({ state, rejected: 0 });
    });

    test('of which two uploads are read at the same time is sent once', async () => {
      const bench = ingestBench();
      const items = await Promise.all([put(bench, 'a'), put(bench, 'b'), put(bench, 'c')]);
      expect(items.map((item) => item?.state).sort()).toEqual(['planned', 'planned', 'submitting']);
      expect(bench.messages).toHaveLength(1);
    });

    test('that was only validated or rejected before does not wait', async () => {
      const bench = ingestBench();
      await bench.upload(texts, { key: 'send-sms/check.csv', metadata: { validation: 'true', 'plan-only': 'true' } });
      expect(await put(bench, 'july')).toMatchObject({ state: 'submitting' });
    });

    test('that is delivered twice is one import, and does not wait for itself', async () => {
      const bench = ingestBench();
      await put(bench, 'july');
      expect(await put(bench, 'july')).toMatchObject({ state: 'submitting' });
    });
  });

  test('a file of ports with the rows of another import is sent with a notice: numbers are claimed', async () => {
    const bench = ingestBench();
    await bench.upload(csvOf([{}, {}]), { key: 'create-port/july.csv' });
    const again = await bench.upload(csvOf([{}, {}]), { key: 'create-port/july (2).csv' });
    expect(again).toMatchObject({ state: 'submitting' });
    expect(warningOf(again)).toMatchObject({ severity: 'notice' });
  });
});

// Which files are read with the saved settings of their header.
describe('saved settings', () => {
  const header = Object.keys(validCells);
  const cells = Object.values(validCells).map(String);
  const saved = (settings: SavedSettings['settings'], ofHeader = header): SavedSettings => ({
    savedId: headerIdOf('create-port', ofHeader) ?? '',
    operation: 'create-port',
    name: 'Acme weekly',
    by: 'anna@example.com',
    authors: [],
    savedAt: '2026-07-03T09:00:00.000Z',
    settings,
  });
  const benchWith = (...all: readonly SavedSettings[]) =>
    ingestBench({
      savedSettings: double({ get: async (savedId) => all.find((one) => one.savedId === savedId) }),
    });
  const book = (...names: readonly string[]) => workbookFile(names.map((name) => ({ name, rows: [header, cells] })));

  test('the sheet of a workbook is chosen as before, unless the next workbook does not have it', async () => {
    const bench = benchWith(saved({ sheet: 'New' }));
    const upload = (name: string, ...sheets: readonly string[]) =>
      bench.upload(book(...sheets), { key: `plan/create-port/${name}.xlsx`, metadata: consoleUpload });
    const second = await upload('august', 'New', 'Old');
    expect(second).toMatchObject({ state: 'planned', accepted: 1, readWith: { name: 'Acme weekly' } });
    const third = await upload('september', 'Now', 'Old');
    expect(third?.state).toBe('rejected');
    expect(third?.readWith).toBeUndefined();
  });

  test('a file that was not uploaded in the console is read as detected', async () => {
    const own = header.map((name) => (name === 'msisdn' ? 'My phones' : name));
    const bench = benchWith(saved({ mapping: { 'My phones': 'msisdn' } }, own));
    const text = [own, cells].map((row) => row.join(',')).join('\n');
    const metadata = consoleUpload;
    expect((await bench.upload(text, { key: 'plan/create-port/a.csv', metadata }))?.state).toBe('planned');
    expect((await bench.upload(text, { key: 'create-port/b.csv' }))?.state).toBe('rejected');
    expect((await bench.upload(text, { key: 'plan/create-port/c.csv' }))?.state).toBe('rejected');
  });

  test('a second attempt reads the file as the first one, although the settings were changed meanwhile', async () => {
    const own = header.map((name) => (name === 'msisdn' ? 'My phones' : name));
    const all = [saved({ mapping: { 'My phones': 'msisdn' } }, own)];
    const bench = ingestBench({ savedSettings: double({ get: async () => all.pop() }) });
    const text = [own, cells].map((row) => row.join(',')).join('\n');
    const { files } = bench;
    const open = files.open.bind(files);
    files.open = () => {
      files.open = open;
      throw new Error('the bucket does not answer');
    };
    const upload = () => bench.upload(text, { key: 'plan/create-port/a.csv', metadata: consoleUpload });
    await expect(upload()).rejects.toThrow('the bucket does not answer');
    expect(await upload()).toMatchObject({ state: 'planned', readWith: { name: 'Acme weekly' } });
  });
});
