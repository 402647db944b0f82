// One uploaded file, from its event to the messages: what is stored, written and sent.
import { describe, expect, test, vi } from 'vitest';
import { ingest } from '#functions/ingest/ingest.ts';
import { PlanningTimeout } from '#functions/ingest/planning-timeout.ts';
import { importItem, type NumberItem, requestItem } from '#shared/domain/requests/ledger.ts';
import { accountSettings, validCells } from '../../support/rows-catalogue.ts';
import { csvOf, deadlineOf, goodRows, inbox, ingestBench, numberAt } from '../../support/rows-ingest.ts';

const wide = [
  'msisdn',
  'serialNo',
  'pac',
  'portType',
  'targetNetwork',
  'sourceNetwork',
  'connectionDate',
  'tariff',
  'provisioningOrder',
];

/** The numbers on the lines 3 and 42 were ported. */
const portedNumbers = {
  getMany: async (numbers: readonly string[]): Promise<NumberItem[]> =>
    numbers
      .filter((number) => ['447700900001', '447700900040'].includes(number))
      .map((number) => ({
        ...{ number, importId: 'earlier', request: 1, line: 9, claimedAt: '2026-06-01T08:00:00.000Z' },
        latest: { portId: 'p', status: 'Complete', readAt: '2026-06-02T08:00:00.000Z', ended: true },
      })),
};

describe('a valid file', () => {
  test('is planned, written to the ledger, and sent with one message per request', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf([...goodRows(150), { boltOns: '101' }]));
    expect(importItem.parse(item)).toMatchObject({
      state: 'submitting',
      operation: 'create-port',
      rows: 151,
      accepted: 151,
      rejected: 0,
      requestCount: 3,
      requests: { planned: 3 },
    });
    const plan = bench.plan(item);
    expect(plan.map(({ request, rows }) => [request, rows.length])).toEqual([
      [1, 100],
      [2, 50],
      [3, 1],
    ]);
    expect(new Set(plan.flatMap(({ rows }) => rows.map(({ subject }) => subject))).size).toBe(151);
    const planned = [...bench.ledger.planned.values()];
    expect(planned.every((request) => requestItem.safeParse(request).success)).toBe(true);
    expect(planned.map(({ token }) => token)).toEqual(plan.map(({ token }) => token));
    expect(bench.messages).toEqual(
      planned.map(({ importId, request, plan: range }) => ({ importId, request, plan: range })),
    );
  });

  test('leaves no porting code in the ledger, the messages or the log', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf([{ pac: 'QZX987654' }, { pac: 'QZX98765' }]));
    expect(JSON.stringify([item, [...bench.ledger.planned.values()], bench.messages, bench.logged])).not.toMatch(/QZX/);
  });

  test('is grouped correctly when cells are equal only after concatenation', async () => {
    const bench = ingestBench();
    const rows: Record<string, string>[] = [
      { provisioningOrder: '5001' },
      { provisioningOrder: '', provisioningOrderName: '5001' },
    ];
    const item = await bench.upload(csvOf(rows, [...wide, 'provisioningOrderName']));
    expect(bench.plan(item).map(({ head }) => head)).toMatchObject([
      { provisioningOrder: 5001, provisioningOrderName: null },
      { provisioningOrder: null, provisioningOrderName: '5001' },
    ]);
  });

  test('has no porting code in its issues, even if columns are mixed up', async () => {
    const bench = ingestBench();
    const columns = [
      'tariff',
      'connectionDate',
      'targetNetwork',
      'esim',
      'services',
      'serialNo',
      'msisdn',
      'pacExpiry',
    ];
    for (const column of columns) {
      const item = await bench.upload(csvOf([{ [column]: 'QZX987654' }], [...wide, 'esim', 'services', 'pacExpiry']));
      expect(item?.state, column).toBe('rejected');
      expect(JSON.stringify([item, bench.issues(item)]), column).not.toMatch(/QZX|987654/);
    }
  });

  test('with names in any script has correct byte ranges', async () => {
    const bench = ingestBench();
    const item = await bench.upload(
      csvOf([{ groupName: 'Ünïcode 名前' }, { groupName: 'Zweite' }], [...wide, 'groupName']),
    );
    expect(item?.issues).toEqual([]);
    expect(bench.plan(item).map(({ head }) => head)).toMatchObject([
      { groupName: 'Ünïcode 名前' },
      { groupName: 'Zweite' },
    ]);
  });
});

describe('a file with invalid rows', () => {
  const rows: Record<string, string>[] = [
    {},
    { msisdn: '4.47E+11', tariff: '9999', reference: '=1+1' },
    {},
    { pac: '' },
  ];

  test('submits the valid rows and returns the invalid ones whole, with line and errors', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf(rows));
    expect(item).toMatchObject({ state: 'submitting', rows: 4, accepted: 2, rejected: 2 });
    const [header, first, second] = bench.rejected(item).split('\r\n');
    expect(header).toMatch(/^\uFEFFmsisdn,serialNo,.*,reference,importId,line,errors$/);
    expect(first).toMatch(/^4\.47E\+11,.*,'=1\+1,\w{16},3,"?tariff: There is no tariff "+9999"+.*; msisdn: .*Excel/);
    expect(second).toMatch(/,5,"?pac: pac must not be empty/);
    expect(bench.issues(item).map(({ line, column }) => [line, column])).toEqual([
      [3, 'tariff'],
      [3, 'msisdn'],
      [5, 'pac'],
    ]);
  });

  test('can be fixed and imported again: line, errors and formula guards are removed', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf(rows));
    const fixed = bench
      .rejected(item)
      .replace('4.47E+11', numberAt(50))
      .replace('9999', '2001')
      .replace(/2001,5001,,(?=,5,)/, '2001,5001,,')
      .replace(/(,Source One|,\d{19}),,Port/, '$1,ABC123456,Port');
    const worse = await bench.upload(fixed.replaceAll('Port,', 'Prot,'), { key: 'create-port/worse.csv' });
    const [header, row] = bench.rejected(worse).split('\r\n');
    expect(header?.match(/line,errors/g)).toHaveLength(1);
    expect(row).toContain(`,'=1+1,${worse?.importId},3,`);
    const again = await bench.upload(fixed, { key: 'create-port/fixed.csv' });
    expect(again).toMatchObject({ state: 'submitting', rows: 2, accepted: 2, rejected: 0 });
  });

  test('has an error about repeating cells on every line that has them', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf([{ tariff: '9' }, {}, { tariff: '9', msisdn: 'x' }]));
    expect(bench.issues(item).map(({ line, code }) => `${line} ${code}`)).toEqual([
      '2 TARIFF_UNKNOWN',
      '4 TARIFF_UNKNOWN',
      '4 MSISDN_SHAPE',
    ]);
  });

  test('uses the first valid row of a number: an invalid one does not claim it', async () => {
    const bench = ingestBench();
    const msisdn = numberAt(1);
    const item = await bench.upload(csvOf([{ msisdn, tariff: '9' }, { msisdn, pac: '' }, { msisdn }, { msisdn }]));
    expect(item).toMatchObject({ rows: 4, accepted: 1, rejected: 3 });
    expect(bench.issues(item).map(({ line, code }) => `${line} ${code}`)).toEqual([
      '2 TARIFF_UNKNOWN',
      '3 PAC_REQUIRED',
      '5 MSISDN_DUPLICATE_IN_FILE',
    ]);
    expect(bench.issues(item).at(-1)?.message).toContain('is already on line 4');
  });

  test('has an error for each number that was ported before', async () => {
    const bench = ingestBench({ numbers: portedNumbers });
    const item = await bench.upload(csvOf(Array.from({ length: 50 }, (_, index) => ({ msisdn: numberAt(index) }))));
    expect(item).toMatchObject({ accepted: 48, rejected: 2 });
    expect(bench.issues(item)).toMatchObject([
      {
        ...{ line: 3, column: 'msisdn', code: 'MSISDN_ALREADY_PORTED', severity: 'error' },
        message: '447700900001 was already ported on 2026-06-02 by import earlier (line 9)',
      },
      { line: 42, code: 'MSISDN_ALREADY_PORTED' },
    ]);
  });

  test('has a warning for a number that was ported before, where the setting allows it', async () => {
    const settings = { ...accountSettings, alreadyPorted: 'warning' } as const;
    const bench = ingestBench({ numbers: portedNumbers, settings });
    const item = await bench.upload(csvOf([{ msisdn: numberAt(1) }]));
    expect(item).toMatchObject({ accepted: 1, warnings: 1 });
    expect(bench.issues(item)).toMatchObject([{ code: 'MSISDN_ALREADY_PORTED', severity: 'warning' }]);
  });

  test('stores messages that quote 255 emoji, each a whole character', async () => {
    const groupName = '\u{1F600}'.repeat(255);
    const bench = ingestBench();
    const rows = [{ groupName }, { groupName, tariff: '2003' }, { groupName: `${groupName}!` }];
    const item = await bench.upload(csvOf(rows as Record<string, string>[], [...Object.keys(validCells), 'groupName']));
    expect(item).toMatchObject({ accepted: 1, rejected: 2 });
    expect(bench.issues(item).map(({ code }) => code)).toEqual([
      'TARIFF_LEGACY',
      'GROUP_NAME_CONFLICT',
      'CELL_TOO_LONG',
    ]);
    expect(item?.issues.every(({ message }) => message.isWellFormed())).toBe(true);
  });

  test('makes ports of as many rows as its upload asks for, never more than the environment', async () => {
    const requestsOf = async (most: string) => {
      const bench = ingestBench();
      return (await bench.upload(csvOf(goodRows(250)), { metadata: { 'max-rows-per-port': most } }))?.requestCount;
    };
    expect([await requestsOf('10'), await requestsOf('1000')]).toEqual([25, 3]);
  });

  test('has a warning about repeating cells on each line', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf([{ tariff: '2003' }, { tariff: '2003' }]));
    expect(item).toMatchObject({ accepted: 2, warnings: 2 });
    expect(bench.issues(item).map(({ line }) => line)).toEqual([2, 3]);
  });

  test('is rejected when more rows are invalid than tolerated; 0 is all or nothing', async () => {
    const bench = ingestBench();
    const limits = { ...bench.dependencies.limits, toleratedFailurePercentage: 0 };
    const strict = ingestBench({ limits });
    const item = await strict.upload(csvOf(rows));
    expect(item).toMatchObject({ state: 'rejected', accepted: 2, rejected: 2, requestCount: 0 });
    expect(item?.issues[0]).toMatchObject({ line: 0, code: 'FILE_THRESHOLD_EXCEEDED' });
    expect(strict.messages).toEqual([]);
    expect(strict.files.keys().filter((key) => key.startsWith('work/'))).toEqual([]);
    expect(strict.rejected(item)).toContain('4.47E+11');
  });

  test.each([
    ['0', 'rejected'],
    ['49.9', 'rejected'],
    ['50', 'submitting'],
    ['100', 'submitting'],
  ])('may set its own tolerance: with half of the rows invalid, %s %% leads to %s', async (tolerate, state) => {
    const bench = ingestBench();
    expect(await bench.upload(csvOf(rows), { metadata: { tolerate } })).toMatchObject({ state });
  });

  test.each(['', 'none', '-1', '101', '100.5', '1e1'])(
    'is rejected when its tolerance "%s" is not a percentage',
    async (tolerate) => {
      const bench = ingestBench();
      const item = await bench.upload(csvOf(goodRows(2)), { metadata: { tolerate } });
      expect(item).toMatchObject({ state: 'rejected', issues: [{ line: 0, code: 'FILE_SETTING_INVALID' }] });
      expect(item?.issues[0]?.message).toContain(`"${tolerate}"`);
    },
  );

  test('without a valid row is rejected with its errors', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf([{ msisdn: '' }]));
    expect(item).toMatchObject({ state: 'rejected', rows: 1, rejected: 1 });
    expect(item?.issues.map(({ code }) => code)).toEqual(['FILE_THRESHOLD_EXCEEDED', 'CELL_REQUIRED']);
    expect(bench.rejected(item)).toContain('msisdn must not be empty');
  });
});

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
    ['a slip in the header', 'create-port/x.csv', csvOf([{}]).replace('boltOns', 'botlOns'), 'HEADER_NEAR_MISS'],
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

describe('values for whole columns', () => {
  const columns = ['msisdn', 'serialNo', 'pac', 'portType', 'sourceNetwork', 'connectionDate', 'tariff'];

  test('come from the metadata of the upload, URI-encoded, in any case', async () => {
    const bench = ingestBench();
    const metadata = { 'set-targetnetwork': 'Network%20A', 'set-provisioningorder': 'Head%20Office' };
    const item = await bench.upload(csvOf(goodRows(2), columns), { metadata });
    expect(item).toMatchObject({ accepted: 2, issues: [] });
  });

  test('for an unknown column reject the file', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf([{}]), { metadata: { 'set-tarif': '1' } });
    expect(item).toMatchObject({ state: 'rejected', issues: [{ code: 'HEADER_UNKNOWN_DEFAULT' }] });
  });
});

describe('plan only', () => {
  test.each<[string, Parameters<ReturnType<typeof ingestBench>['upload']>[1]]>([
    ['the folder plan/', { key: 'plan/create-port/x.csv' }],
    ['the metadata of the upload', { metadata: { 'plan-only': 'true' } }],
  ])('with %s stops after planning', async (_, options) => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf(goodRows(3)), options);
    expect(item).toMatchObject({ state: 'planned', planOnly: true, requestCount: 1, accepted: 3 });
    expect([bench.messages, bench.ledger.planned.size]).toEqual([[], 0]);
    expect(bench.files.text('work', `imports/${item?.importId}/plan.ndjson`)).toContain('"rows":[');
  });
});

describe('a repeated event', () => {
  test('fault 1: leads to one import that is planned once', async () => {
    const bench = ingestBench();
    const first = await bench.upload(csvOf(goodRows(3)));
    await bench.ledger.imports.update(first?.importId ?? '', { state: 'in-progress' });
    const open = vi.spyOn(bench.files, 'open');
    const second = await bench.upload(csvOf(goodRows(3)));
    expect(second?.importId).toBe(first?.importId);
    expect(open).not.toHaveBeenCalled();
    expect([bench.ledger.items.size, bench.messages.length]).toEqual([1, 1]);
  });

  test('fault 24: sends messages only for requests that still wait', async () => {
    const bench = ingestBench();
    await bench.upload(csvOf(goodRows(250)));
    for (const [key, request] of bench.ledger.planned) {
      if (request.request !== 2) bench.ledger.planned.set(key, { ...request, state: 'created' });
    }
    bench.messages.length = 0;
    await bench.upload(csvOf(goodRows(250)));
    expect(bench.messages.map(({ request }) => request)).toEqual([2]);
  });

  test('fault 1: that arrives at the same time leads to one import with one set of requests', async () => {
    const bench = ingestBench();
    await Promise.all([bench.upload(csvOf(goodRows(250))), bench.upload(csvOf(goodRows(250)))]);
    expect([bench.ledger.items.size, bench.ledger.planned.size]).toEqual([1, 3]);
    expect(new Set(bench.messages.map(({ request }) => request))).toEqual(new Set([1, 2, 3]));
  });

  test('fault 2: of another version leads to another import', async () => {
    const bench = ingestBench();
    const first = await bench.upload(csvOf(goodRows(1)), { sequencer: '1' });
    const second = await bench.upload(csvOf(goodRows(1)), { sequencer: '2' });
    expect(second?.importId).not.toBe(first?.importId);
  });

  test('fault 24: after a crash at any step completes the import: every request is planned once and sent', async () => {
    const steps = ['plan', 'update', 'send', 'head', 'read', 'open'] as const;
    const reference = ingestBench();
    const expected = await reference.upload(csvOf(goodRows(350)));
    for (const step of steps) {
      for (let call = 1; call <= 4; call += 1) {
        const bench = ingestBench();
        crashAt(bench, step, call);
        const attempt = () => bench.upload(csvOf(goodRows(350))).catch(() => undefined);
        for (let delivery = 0; delivery < call; delivery += 1) await attempt();
        const item = await attempt();
        expect(item?.state, `${step} ${call}`).toBe('submitting');
        expect(bench.plan(item), `${step} ${call}`).toEqual(reference.plan(expected));
        expect(new Set(bench.messages.map(({ request }) => request))).toEqual(new Set([1, 2, 3, 4]));
      }
    }
  });

  test('after midnight releases the existing plan unchanged', async () => {
    const bench = ingestBench();
    crashAt(bench, 'plan', 1);
    await bench.upload(csvOf([{ connectionDate: 'auto' }])).catch(() => undefined);
    bench.time += 86_400_000;
    const item = await bench.upload(csvOf([{ connectionDate: 'auto' }]));
    expect(bench.plan(item)[0]?.head).toMatchObject({ connectionDate: '2026-07-01' });
  });
});

describe('while a file is read', () => {
  test('fault 26: a timeout releases nothing, and the next delivery starts from the beginning', async () => {
    const bench = ingestBench();
    bench.remainingMs = 1000;
    await expect(bench.upload(csvOf(goodRows(3)))).rejects.toThrow(PlanningTimeout);
    expect([bench.messages, bench.ledger.planned.size]).toEqual([[], 0]);
    expect(bench.files.keys()).toEqual([`${inbox}/create-port/file.csv`]);
    bench.remainingMs = 900_000;
    expect(await bench.upload(csvOf(goodRows(3)))).toMatchObject({ state: 'submitting', accepted: 3 });
  });

  test('fault 3: an overwritten object is never mixed with the newer version, which has its own event', async () => {
    const bench = ingestBench();
    const read = bench.files.read;
    bench.files.read = async (ref) => {
      if (ref.bucket === inbox) bench.files.put(inbox, ref.key, csvOf(goodRows(9)), {}, 'etag-2');
      return read(ref);
    };
    await expect(bench.upload(csvOf(goodRows(3)))).rejects.toThrow('gone');
    const { ingest } = await import('#functions/ingest/ingest.ts');
    const object = { bucket: inbox, key: 'create-port/file.csv', etag: 'etag-1', sequencer: '1' };
    const item = await ingest(object, deadlineOf(bench), bench.dependencies);
    expect(item).toMatchObject({ state: 'rejected', issues: [{ code: 'FILE_GONE' }] });
    expect(bench.messages).toEqual([]);
  });

  test('fault 7: a read that fails leaves no files and is repeated', async () => {
    const bench = ingestBench();
    const read = bench.files.read;
    bench.files.read = async (ref) => broken(await read(ref), ref.bucket === inbox);
    bench.files.chunkBytes = 200;
    await expect(bench.upload(csvOf(goodRows(30)))).rejects.toThrow('reset');
    expect(bench.files.keys()).toEqual([`${inbox}/create-port/file.csv`]);
    bench.files.read = read;
    expect(await bench.upload(csvOf(goodRows(30)))).toMatchObject({ accepted: 30 });
  });

  test('the import shows how many rows were read', async () => {
    const bench = ingestBench();
    const update = vi.spyOn(bench.ledger.imports, 'update');
    const watching = ingestBench({ imports: bench.ledger.imports, wall: () => (bench.time += 6_000) });
    await watching.upload(csvOf(goodRows(5)));
    expect(update.mock.calls[2]?.[1]).toMatchObject({ rows: expect.any(Number) });
    expect(update.mock.calls[2]?.[1]).not.toHaveProperty('state');
  });

  test('the import keeps the index of each known column, also when the header has an error', async () => {
    const bench = ingestBench();
    const item = await bench.upload('Note,PAC code,Mobile,Number\n,ABC123456,07700900001,07700900001\n');
    expect(item).toMatchObject({ state: 'rejected', columnIndexes: { pac: 1, msisdn: 2 } });
  });
});

async function* broken(bytes: AsyncIterable<Uint8Array>, breaks: boolean): AsyncIterable<Uint8Array> {
  let chunks = 0;
  for await (const chunk of bytes) {
    chunks += 1;
    if (breaks && chunks === 4) throw new Error('reset');
    yield chunk;
  }
}

/** One call of one effect takes place and then fails. */
function crashAt(bench: ReturnType<typeof ingestBench>, step: string, call: number): void {
  const { files, imports, requests, queues } = bench.dependencies;
  const owners = { plan: requests, update: imports, send: queues, head: files, read: files, open: files };
  const owner = owners[step as keyof typeof owners] as unknown as Record<string, (...rest: unknown[]) => unknown>;
  const original = owner[step];
  let calls = 0;
  owner[step] = (...rest) => {
    calls += 1;
    const answer = original?.(...rest);
    if (calls !== call) return answer;
    if (step === 'open') throw new Error('crash');
    return Promise.resolve(answer).then(() => {
      throw new Error('crash');
    });
  };
}

test('a reference with an invisible character is rejected, because it would be in every file', async () => {
  const bench = ingestBench();
  const item = await bench.upload(csvOf([{}, { reference: 'Order\u200B 7' }, { reference: 'two\nlines' }]));
  expect(item).toMatchObject({ accepted: 2, rejected: 1 });
  expect(bench.issues(item)).toMatchObject([{ line: 3, column: 'reference', code: 'CELL_CONTROL_CHARACTER' }]);
});

describe('fault 2: versions of one file', () => {
  /** The bucket holds both; `new` is the latest. */
  const versioned = () => {
    const bench = ingestBench();
    const text = csvOf(goodRows(2));
    bench.files.put(inbox, 'create-port/x.csv', text);
    const { head } = bench.files;
    bench.files.head = async (ref) => {
      const found = await head({ bucket: ref.bucket, key: ref.key });
      return found && { ...found, versionId: ref.versionId ?? 'new' };
    };
    const take = (versionId: string) =>
      ingest({ bucket: inbox, key: 'create-port/x.csv', versionId }, deadlineOf(bench), bench.dependencies);
    return { bench, take };
  };

  test('are two imports when the older event arrives last, and the older import is marked as superseded', async () => {
    const { bench, take } = versioned();
    const newer = await take('new');
    const older = await take('old');
    expect(newer?.supersededBy).toBeUndefined();
    expect(older).toMatchObject({ state: 'submitting', versionId: 'old', supersededBy: newer?.importId });
    expect(bench.ledger.items.size).toBe(2);
  });
});
