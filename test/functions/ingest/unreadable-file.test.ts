// A file that cannot be read as rows: rejected with a reason, and nothing is planned.
import { describe, expect, test } from 'vitest';
import { importItem } from '#shared/import/import.ts';
import { workbookFile } from '../../support/files/workbook-file.ts';
import { csvOf, goodRows, ingestBench } from '../../support/ingest/ingest.ts';

describe('an unreadable file', () => {
  test.each<[string, string, string | Buffer, string]>([
    ['fault 5: an unknown folder', 'create-prot/x.csv', csvOf([{}]), 'FILE_UNKNOWN_OPERATION'],
    ['fault 5: no folder', 'x.csv', csvOf([{}]), 'FILE_UNKNOWN_OPERATION'],
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
