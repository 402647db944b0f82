// One dropped file, from the event to the messages: what is recorded, what is written, what is sent.
import { describe, expect, test, vi } from 'vitest';
import { ingest } from '#functions/ingest/ingest.ts';
import { OutOfTime } from '#functions/ingest/out-of-time.ts';
import { importItem, requestItem } from '#shared/domain/ledger.ts';
import { csvOf, goodRows, inbox, ingestBench, numberAt } from '../../support/rows-ingest.ts';

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

describe('a good file', () => {
  test('becomes a plan, its requests in the ledger, and one message per request', async () => {
    const bench = ingestBench();
    const item = await bench.drop(csvOf([...goodRows(150), { boltOns: '101' }]));
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
    const item = await bench.drop(csvOf([{ pac: 'QZX987654' }, { pac: 'QZX98765' }]));
    expect(JSON.stringify([item, [...bench.ledger.planned.values()], bench.messages, bench.logged])).not.toMatch(/QZX/);
  });

  test('tells cells apart that read the same when put together', async () => {
    const bench = ingestBench();
    const rows: Record<string, string>[] = [
      { provisioningOrder: '5001' },
      { provisioningOrder: '', provisioningOrderName: '5001' },
    ];
    const item = await bench.drop(csvOf(rows, [...wide, 'provisioningOrderName']));
    expect(bench.plan(item).map(({ head }) => head)).toMatchObject([
      { provisioningOrder: 5001, provisioningOrderName: null },
      { provisioningOrder: null, provisioningOrderName: '5001' },
    ]);
  });

  test('shows no porting code in an issue either, also where the columns were mixed up', async () => {
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
      const item = await bench.drop(csvOf([{ [column]: 'QZX987654' }], [...wide, 'esim', 'services', 'pacExpiry']));
      expect(item?.state, column).toBe('refused');
      expect(JSON.stringify([item, bench.issues(item)]), column).not.toMatch(/QZX|987654/);
    }
  });

  test('with names in any script keeps its byte ranges right', async () => {
    const bench = ingestBench();
    const item = await bench.drop(
      csvOf([{ groupName: 'Ünïcode 名前' }, { groupName: 'Zweite' }], [...wide, 'groupName']),
    );
    expect(item?.issues).toEqual([]);
    expect(bench.plan(item).map(({ head }) => head)).toMatchObject([
      { groupName: 'Ünïcode 名前' },
      { groupName: 'Zweite' },
    ]);
  });
});

describe('a file with bad rows', () => {
  const rows: Record<string, string>[] = [
    {},
    { msisdn: '4.47E+11', tariff: '9999', reference: '=1+1' },
    {},
    { pac: '' },
  ];

  test('sends the good ones and gives the bad ones back whole, with line and reasons', async () => {
    const bench = ingestBench();
    const item = await bench.drop(csvOf(rows));
    expect(item).toMatchObject({ state: 'submitting', rows: 4, accepted: 2, rejected: 2 });
    const [header, first, second] = bench.rejected(item).split('\r\n');
    expect(header).toMatch(/^msisdn,serialNo,.*,reference,line,errors$/);
    expect(first).toMatch(/^4\.47E\+11,.*,'=1\+1,3,"?tariff: there is no tariff "+9999"+.*; msisdn: .*Excel/);
    expect(second).toMatch(/,5,"?pac: pac is empty/);
    expect(bench.issues(item).map(({ line, column }) => [line, column])).toEqual([
      [3, 'tariff'],
      [3, 'msisdn'],
      [5, 'pac'],
    ]);
  });

  test('comes back mended: line and errors are known, guards are taken off, and nothing is left over', async () => {
    const bench = ingestBench();
    const item = await bench.drop(csvOf(rows));
    const mended = bench
      .rejected(item)
      .replace('4.47E+11', numberAt(50))
      .replace('9999', '2001')
      .replace(/2001,5001,,(?=,5,)/, '2001,5001,,')
      .replace(/(,Source One|,\d{19}),,Port/, '$1,ABC123456,Port');
    const again = await bench.drop(mended, { key: 'create-port/mended.csv' });
    expect(again).toMatchObject({ state: 'submitting', rows: 2, accepted: 2, rejected: 0 });
    const third = await bench.drop(mended.replaceAll('Port,', 'Prot,'), { key: 'create-port/worse.csv' });
    const [header, row] = bench.rejected(third).split('\r\n');
    expect(header?.match(/line,errors/g)).toHaveLength(1);
    expect(row).toContain(",'=1+1,2,");
  });

  test('whose repeating cells are wrong has the finding on every line that has them', async () => {
    const bench = ingestBench();
    const item = await bench.drop(csvOf([{ tariff: '9' }, {}, { tariff: '9', msisdn: 'x' }]));
    expect(bench.issues(item).map(({ line, code }) => `${line} ${code}`)).toEqual([
      '2 TARIFF_UNKNOWN',
      '4 TARIFF_UNKNOWN',
      '4 MSISDN_SHAPE',
    ]);
  });

  test('has a warning about a repeating cell told once', async () => {
    const bench = ingestBench();
    const item = await bench.drop(csvOf([{ tariff: '2003' }, { tariff: '2003' }]));
    expect(item).toMatchObject({ accepted: 2, warnings: 1 });
    expect(bench.issues(item).map(({ line }) => line)).toEqual([2]);
  });

  test('is refused whole when more fail than are tolerated; 0 is all or nothing', async () => {
    const bench = ingestBench();
    const limits = { ...bench.dependencies.limits, toleratedFailurePercentage: 0 };
    const strict = ingestBench({ limits });
    const item = await strict.drop(csvOf(rows));
    expect(item).toMatchObject({ state: 'refused', accepted: 2, rejected: 2, requestCount: 0 });
    expect(item?.issues[0]).toMatchObject({ line: 0, code: 'FILE_THRESHOLD_EXCEEDED' });
    expect(strict.messages).toEqual([]);
    expect(strict.files.keys().filter((key) => key.startsWith('work/'))).toEqual([]);
    expect(strict.rejected(item)).toContain('4.47E+11');
  });

  test.each([
    ['0', 'refused'],
    ['49.9', 'refused'],
    ['50', 'submitting'],
    ['100', 'submitting'],
  ])('may say for itself how many may fail: of half, %s %% is %s', async (tolerate, state) => {
    const bench = ingestBench();
    expect(await bench.drop(csvOf(rows), { metadata: { tolerate } })).toMatchObject({ state });
  });

  test.each(['', 'none', '-1', '101', '100.5', '1e1'])(
    'is not sent where its tolerance is "%s", which nobody can read',
    async (tolerate) => {
      const bench = ingestBench();
      const item = await bench.drop(csvOf(goodRows(2)), { metadata: { tolerate } });
      expect(item).toMatchObject({ state: 'refused', issues: [{ line: 0, code: 'FILE_THRESHOLD_EXCEEDED' }] });
      expect(item?.issues[0]?.message).toContain(`"${tolerate}"`);
    },
  );

  test('of which none can be sent is refused with its reasons', async () => {
    const bench = ingestBench();
    const item = await bench.drop(csvOf([{ msisdn: '' }]));
    expect(item).toMatchObject({ state: 'refused', rows: 1, rejected: 1 });
    expect(item?.issues.map(({ code }) => code)).toEqual(['FILE_THRESHOLD_EXCEEDED', 'CELL_REQUIRED']);
    expect(bench.rejected(item)).toContain('msisdn is empty');
  });
});

describe('a file that cannot be read as one', () => {
  test.each<[string, string, string | Buffer, string]>([
    ['fault 5: an unknown folder', 'create-prot/x.csv', csvOf([{}]), 'FILE_UNKNOWN_OPERATION'],
    ['fault 5: no folder', 'x.csv', csvOf([{}]), 'FILE_UNKNOWN_OPERATION'],
    ['fault 5: another extension', 'create-port/x.xlsx', 'PK', 'FILE_NOT_CSV'],
    ['fault 5: 0 bytes', 'create-port/x.csv', '', 'FILE_EMPTY'],
    ['fault 19: only a header', 'create-port/x.csv', csvOf([]), 'FILE_EMPTY'],
    ['fault 21: too many bytes', 'create-port/x.csv', csvOf(goodRows(20)), 'FILE_TOO_LARGE'],
    ['fault 21: too many rows', 'create-port/x.csv', csvOf(goodRows(4)), 'FILE_TOO_MANY_ROWS'],
    ['fault 21: a workbook named .csv', 'create-port/x.csv', Buffer.from('PK\u0003\u0004 and so on'), 'FILE_NOT_CSV'],
    ['fault 11: latin-1', 'create-port/x.csv', Buffer.from(csvOf([{ reference: 'é' }]), 'latin1'), 'FILE_ENCODING'],
    ['fault 13: an unclosed quote', 'create-port/x.csv', `${csvOf([{}])}"07700`, 'FILE_QUOTE_UNCLOSED'],
    ['fault 14: a column twice', 'create-port/x.csv', `msisdn,Mobile Number\n1,2\n`, 'HEADER_DUPLICATE_COLUMN'],
    ['a missing column', 'create-port/x.csv', 'msisdn\n1\n', 'HEADER_MISSING_COLUMN'],
    ['a slip in the header', 'create-port/x.csv', csvOf([{}]).replace('boltOns', 'botlOns'), 'HEADER_NEAR_MISS'],
  ])('%s is refused with a reason, and nothing is planned or sent', async (_, key, body, code) => {
    const bench = ingestBench();
    const limits = { ...bench.dependencies.limits, maxFileBytes: 1000, maxFileRows: 3 };
    const strict = ingestBench({ limits });
    const item = await strict.drop(body, { key });
    expect(importItem.parse(item)).toMatchObject({ state: 'refused', requestCount: 0 });
    expect(item?.issues.map((issue) => issue.code)).toContain(code);
    expect(strict.messages).toEqual([]);
    expect(strict.files.keys().filter((path) => path.startsWith('work/'))).toEqual([]);
  });

  test.each(['create-port/', 'create-port/.DS_Store', '.keep'])(
    'fault 5: %s is no upload and is ignored',
    async (key) => {
      const bench = ingestBench();
      expect(await bench.drop('', { key })).toBeUndefined();
      expect(bench.ledger.items.size).toBe(0);
    },
  );

  test('fault 15 and 16: semicolons are understood, a record with extra cells is rejected and nothing shifts', async () => {
    const bench = ingestBench();
    const [header, first, second] = csvOf(goodRows(2)).replaceAll(',', ';').split('\n');
    const item = await bench.drop(`${header}\n${first};surplus\n${second}\n`);
    expect(item).toMatchObject({ rows: 2, accepted: 1, rejected: 1 });
    const row = bench.rejected(item).split('\r\n')[1];
    expect(row).toMatch(/,2,[^,]+,surplus$|,2,".+",surplus$/);
  });
});

test('a file refused for its header has the reasons in issues.ndjson, and no rejected.csv', async () => {
  const bench = ingestBench();
  const item = await bench.drop('msisdn,Mobile Number\n1,2\n');
  expect(bench.issues(item).map(({ code }) => code)).toContain('HEADER_DUPLICATE_COLUMN');
  expect(bench.files.keys()).not.toContain(`results/imports/${item?.importId}/rejected.csv`);
});

describe('values for whole columns', () => {
  const columns = ['msisdn', 'serialNo', 'pac', 'portType', 'sourceNetwork', 'connectionDate', 'tariff'];

  test('come from the metadata of the upload, URI-encoded, in any case', async () => {
    const bench = ingestBench();
    const metadata = { 'set-targetnetwork': 'Network%20A', 'set-provisioningorder': 'Head%20Office' };
    const item = await bench.drop(csvOf(goodRows(2), columns), { metadata });
    expect(item).toMatchObject({ accepted: 2, issues: [] });
  });

  test('of a column that does not exist refuse the file', async () => {
    const bench = ingestBench();
    const item = await bench.drop(csvOf([{}]), { metadata: { 'set-tarif': '1' } });
    expect(item).toMatchObject({ state: 'refused', issues: [{ code: 'HEADER_UNKNOWN_DEFAULT' }] });
  });
});

describe('plan only', () => {
  test.each<[string, Parameters<ReturnType<typeof ingestBench>['drop']>[1]]>([
    ['the folder plan/', { key: 'plan/create-port/x.csv' }],
    ['the metadata of the upload', { metadata: { 'plan-only': 'true' } }],
  ])('by %s stops when the plan stands', async (_, options) => {
    const bench = ingestBench();
    const item = await bench.drop(csvOf(goodRows(3)), options);
    expect(item).toMatchObject({ state: 'planned', planOnly: true, requestCount: 1, accepted: 3 });
    expect([bench.messages, bench.ledger.planned.size]).toEqual([[], 0]);
    expect(bench.files.text('work', `imports/${item?.importId}/plan.ndjson`)).toContain('"rows":[');
  });
});

describe('repeated', () => {
  test('fault 1: the same event twice is one import, and nothing is planned anew', async () => {
    const bench = ingestBench();
    const first = await bench.drop(csvOf(goodRows(3)));
    await bench.ledger.imports.update(first?.importId ?? '', { state: 'following' });
    const open = vi.spyOn(bench.files, 'open');
    const second = await bench.drop(csvOf(goodRows(3)));
    expect(second?.importId).toBe(first?.importId);
    expect(open).not.toHaveBeenCalled();
    expect([bench.ledger.items.size, bench.messages.length]).toEqual([1, 1]);
  });

  test('fault 24: while requests are submitted already, only those that still wait get another message', async () => {
    const bench = ingestBench();
    await bench.drop(csvOf(goodRows(250)));
    for (const [key, request] of bench.ledger.planned) {
      if (request.request !== 2) bench.ledger.planned.set(key, { ...request, state: 'created' });
    }
    bench.messages.length = 0;
    await bench.drop(csvOf(goodRows(250)));
    expect(bench.messages.map(({ request }) => request)).toEqual([2]);
  });

  test('fault 1: the same event twice at once is one import with one set of requests', async () => {
    const bench = ingestBench();
    await Promise.all([bench.drop(csvOf(goodRows(250))), bench.drop(csvOf(goodRows(250)))]);
    expect([bench.ledger.items.size, bench.ledger.planned.size]).toEqual([1, 3]);
    expect(new Set(bench.messages.map(({ request }) => request))).toEqual(new Set([1, 2, 3]));
  });

  test('fault 2: another version of the object is another import', async () => {
    const bench = ingestBench();
    const first = await bench.drop(csvOf(goodRows(1)), { sequencer: '1' });
    const second = await bench.drop(csvOf(goodRows(1)), { sequencer: '2' });
    expect(second?.importId).not.toBe(first?.importId);
  });

  test('fault 24: after a crash at any step the import ends with every request planned once and sent', async () => {
    const steps = ['plan', 'update', 'send', 'head', 'read', 'open'] as const;
    const reference = ingestBench();
    const expected = await reference.drop(csvOf(goodRows(350)));
    for (const step of steps) {
      for (let call = 1; call <= 4; call += 1) {
        const bench = ingestBench();
        crashAt(bench, step, call);
        const attempt = () => bench.drop(csvOf(goodRows(350))).catch(() => undefined);
        for (let delivery = 0; delivery < call; delivery += 1) await attempt();
        const item = await attempt();
        expect(item?.state, `${step} ${call}`).toBe('submitting');
        expect(bench.plan(item), `${step} ${call}`).toEqual(reference.plan(expected));
        expect(new Set(bench.messages.map(({ request }) => request))).toEqual(new Set([1, 2, 3, 4]));
      }
    }
  });

  test('after midnight a plan that stands is released as it is, not planned anew', async () => {
    const bench = ingestBench();
    crashAt(bench, 'plan', 1);
    await bench.drop(csvOf([{ connectionDate: 'auto' }])).catch(() => undefined);
    bench.time += 86_400_000;
    const item = await bench.drop(csvOf([{ connectionDate: 'auto' }]));
    expect(bench.plan(item)[0]?.head).toMatchObject({ connectionDate: '2026-07-01' });
  });
});

describe('in the middle of a file', () => {
  test('fault 26: out of time, nothing is released, and the next delivery starts clean', async () => {
    const bench = ingestBench();
    bench.remainingMs = 1000;
    await expect(bench.drop(csvOf(goodRows(3)))).rejects.toThrow(OutOfTime);
    expect([bench.messages, bench.ledger.planned.size]).toEqual([[], 0]);
    expect(bench.files.keys()).toEqual([`${inbox}/create-port/file.csv`]);
    bench.remainingMs = 900_000;
    expect(await bench.drop(csvOf(goodRows(3)))).toMatchObject({ state: 'submitting', accepted: 3 });
  });

  test('fault 3: overwritten before it was read, it is not mixed: the newer version has its own event', async () => {
    const bench = ingestBench();
    const read = bench.files.read;
    bench.files.read = async (ref) => {
      if (ref.bucket === inbox) bench.files.put(inbox, ref.key, csvOf(goodRows(9)), {}, 'etag-2');
      return read(ref);
    };
    await expect(bench.drop(csvOf(goodRows(3)))).rejects.toThrow('gone');
    const { ingest } = await import('#functions/ingest/ingest.ts');
    const object = { bucket: inbox, key: 'create-port/file.csv', etag: 'etag-1', sequencer: '1' };
    const item = await ingest(object, () => 900_000, bench.dependencies);
    expect(item).toMatchObject({ state: 'refused', issues: [{ code: 'FILE_GONE' }] });
    expect(bench.messages).toEqual([]);
  });

  test('fault 7: a read that breaks off leaves nothing, and is repeated', async () => {
    const bench = ingestBench();
    const read = bench.files.read;
    bench.files.read = async (ref) => broken(await read(ref), ref.bucket === inbox);
    bench.files.chunkBytes = 200;
    await expect(bench.drop(csvOf(goodRows(30)))).rejects.toThrow('reset');
    expect(bench.files.keys()).toEqual([`${inbox}/create-port/file.csv`]);
    bench.files.read = read;
    expect(await bench.drop(csvOf(goodRows(30)))).toMatchObject({ accepted: 30 });
  });

  test('a watcher sees how many rows were read', async () => {
    const bench = ingestBench();
    const update = vi.spyOn(bench.ledger.imports, 'update');
    const watching = ingestBench({ imports: bench.ledger.imports, wall: () => (bench.time += 6_000) });
    await watching.drop(csvOf(goodRows(5)));
    expect(update.mock.calls[0]?.[1]).toMatchObject({ rows: expect.any(Number) });
    expect(update.mock.calls[0]?.[1]).not.toHaveProperty('state');
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

/** Lets the given call of one effect happen and then fail, once. */
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

test('a reference with a character that cannot be seen is rejected: it would come back in every file', async () => {
  const bench = ingestBench();
  const item = await bench.drop(csvOf([{}, { reference: 'Order\u200B 7' }, { reference: 'two\nlines' }]));
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
      ingest({ bucket: inbox, key: 'create-port/x.csv', versionId }, () => bench.remainingMs, bench.dependencies);
    return { bench, take };
  };

  test('the event of the older one after that of the newer: each is an import, the older is marked as superseded', async () => {
    const { bench, take } = versioned();
    const newer = await take('new');
    const older = await take('old');
    expect(newer?.supersededBy).toBeUndefined();
    expect(older).toMatchObject({ state: 'submitting', versionId: 'old', supersededBy: newer?.importId });
    expect(bench.ledger.items.size).toBe(2);
  });
});
