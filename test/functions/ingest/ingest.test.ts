// One uploaded file, from its event to the messages: what is stored, written and sent.

import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { holdAttempt } from '#functions/ingest/ingest.ts';
import type { IngestPipeline } from '#functions/ingest/ingest-pipeline.ts';
import { type ImportItem, importItem } from '#shared/import/import.ts';
import { attemptUntil, expiryOf, isStuck, nextAttemptUntil, redeliveryAfter } from '#shared/import/import-state.ts';
import { operationNamed, operations } from '#shared/operations/registry.ts';
import { requestItem } from '#shared/request/request.ts';
import { planIndexKey } from '#shared/store/object-keys.ts';
import { double } from '../../support/double.ts';
import { type IngestBench, inbox, ingestBench } from '../../support/ingest/ingest.ts';
import { portId, portsContext } from '../../support/ingest/operation-ports.ts';
import { csvOf, goodRows } from '../../support/ingest/valid-rows.ts';
import { minute } from '../../support/service/simulator.ts';
import { importItemOf } from '../../support/steps/submit-and-sync.ts';

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

describe('the place of a file', () => {
  test.each([
    ['in the root of the inbox', 'july.csv', { operation: 'create-port', planOnly: false, state: 'submitting' }],
    ['in the root of plan/', 'plan/july.csv', { operation: 'create-port', planOnly: true, state: 'planned' }],
    ['in a folder', 'create-port/july.csv', { operation: 'create-port', planOnly: false, state: 'submitting' }],
    ['below plan/', 'plan/create-port/july.csv', { operation: 'create-port', planOnly: true, state: 'planned' }],
  ])('%s decides what is done with its rows', async (_, key, expected) => {
    const item = await ingestBench().upload(csvOf(goodRows(2)), { key });
    expect(item).toMatchObject({ ...expected, accepted: 2 });
  });

  test('that names no operation gets an answer with every folder and what it is for', async () => {
    const item = await ingestBench().upload(csvOf(goodRows(2)), { key: 'july/numbers.csv' });
    expect(item).toMatchObject({ state: 'rejected', operation: null, requestCount: 0 });
    const [issue] = item?.issues ?? [];
    expect(issue?.message).toMatch(
      /^the folder "july" is not the name of an operation\. Upload the file without a folder/,
    );
    for (const { name, purpose } of operations.values()) expect(issue?.message).toContain(`${name}/ to ${purpose}`);
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
    expect(bench.planText(item)).toContain('"rows":[');
  });
});

test('the items of an import are kept until its ports have ended at the latest, and then as long as was set', () => {
  const now = Date.parse('2026-07-06T09:00:00.000Z');
  // 45 days until the approval, 30 until the date can be booked, 90 until that date.
  expect(expiryOf(now, 90)).toBe(now / 1_000 + (45 + 30 + 90 + 90) * 86_400);
});

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

// Imports that another delivery of the same event has begun and not completed: the next delivery continues them.
describe('an import that is not finished', () => {
  const day = 86_400_000;
  const file = csvOf(goodRows(3));

  /** While the file is read, another delivery completes the plan and fails before the release. */
  function plannedMeanwhile(bench: IngestBench): void {
    const { files } = bench;
    const { read } = files;
    files.read = async (ref) => {
      if (ref.bucket !== inbox) return read(ref);
      files.read = read;
      const { notifications } = bench.dependencies;
      const { set } = notifications;
      notifications.set = () => Promise.reject(new Error('killed'));
      await bench.upload(file).catch(() => undefined);
      notifications.set = set;
      return read(ref);
    };
  }

  const sent = (bench: IngestBench) => bench.messages.map(({ request }) => request);

  test('a plan that another delivery has completed is released', async () => {
    const bench = ingestBench();
    plannedMeanwhile(bench);
    expect(await bench.upload(file)).toMatchObject({ state: 'submitting', requestCount: 1 });
    expect(sent(bench)).toEqual([1]);
  });

  test('the completed plan is not changed, because submit reads its bytes', async () => {
    const auto = csvOf([{ connectionDate: 'auto' }]);
    const bench = ingestBench();
    const { get } = bench.ledger.imports;
    let plan = '';
    // Called first when the whole file is read: by then a day has passed, and another delivery has completed its plan.
    bench.ledger.imports.get = async (importId) => {
      bench.ledger.imports.get = get;
      await bench.upload(auto);
      plan = bench.planText({ importId });
      return get(importId);
    };
    const { read } = bench.files;
    bench.files.read = async (ref) => {
      bench.time += day;
      return read(ref);
    };
    const item = await bench.upload(auto);
    expect(plan).toContain('"rows":[');
    expect(bench.planText(item)).toBe(plan);
  });

  test('a delivery that completes another plan later does not change what submit reads', async () => {
    const bench = ingestBench();
    const { open } = bench.files;
    let isFirst = true;
    // The slow delivery has checked that the import is not planned, and writes its files after the other one.
    bench.files.open = (...place) => {
      const writer = open(...place);
      if (!isFirst || !place[1].endsWith('plan.ndjson')) return writer;
      isFirst = false;
      const close = async () => {
        bench.time += day;
        await bench.upload(csvOf([{ connectionDate: 'auto' }]));
        return writer.close();
      };
      return { ...writer, write: (chunk) => writer.write(chunk), abort: () => writer.abort(), close };
    };
    const item = await bench.upload(csvOf([{ connectionDate: 'auto' }]));
    for (const { plan } of bench.ledger.planned.values()) {
      const text = bench.files.text('work', plan.key).slice(plan.start, plan.end);
      expect(hash('sha256', text)).toBe(plan.digest);
    }
    expect([item?.state, bench.ledger.planned.size]).toEqual(['submitting', 1]);
  });

  describe('a plan that changed before its release', () => {
    const planIn = async (bench: IngestBench, fail: () => void): Promise<string> => {
      fail();
      await bench.upload(file).catch(() => undefined);
      const [[importId = '', item] = []] = [...bench.ledger.items];
      expect(item?.state).toBe('planned');
      bench.files.put('work', planIndexKey({ importId }), '');
      return importId;
    };

    test('is rejected, because no repetition would release it', async () => {
      const bench = ingestBench();
      const { plan } = bench.ledger.requests;
      await planIn(bench, () => {
        bench.ledger.requests.plan = () => Promise.reject(new Error('killed'));
      });
      bench.ledger.requests.plan = plan;
      expect(await bench.upload(file)).toMatchObject({ state: 'rejected', issues: [{ code: 'PLAN_CHANGED' }] });
      expect(bench.ledger.planned.size).toBe(0);
    });

    test('is not rejected if some of its requests are in the ledger, because sync sends those', async () => {
      const bench = ingestBench();
      const { notifications } = bench.dependencies;
      const importId = await planIn(bench, () => {
        notifications.set = () => Promise.reject(new Error('killed'));
      });
      await expect(bench.upload(file)).rejects.toMatchObject({ name: 'PlanChanged' });
      expect(bench.ledger.items.get(importId)?.state).toBe('planned');
    });
  });

  test('deliveries that begin again at once write different plans', async () => {
    const bench = ingestBench();
    const { read, open } = bench.files;
    bench.files.read = () => Promise.reject(new Error('killed'));
    await bench.upload(file).catch(() => undefined);
    bench.files.read = read;
    const plans: string[] = [];
    bench.files.open = (...place) => {
      if (place[1].endsWith('plan.ndjson')) plans.push(place[1]);
      return open(...place);
    };
    await Promise.all([bench.upload(file), bench.upload(file), bench.upload(file)]);
    expect([plans.length, new Set(plans).size]).toEqual([3, 3]);
  });

  test('a plan is released even if the answer to its completion was lost and the repetition failed', async () => {
    const bench = ingestBench();
    const { updateReading } = bench.ledger.imports;
    let completions = 0;
    bench.ledger.imports.updateReading = async (item, changes, expected) => {
      const written = await updateReading(item, changes, expected);
      if (changes.state !== 'planned') return written;
      completions += 1;
      return updateReading(item, changes, expected);
    };
    expect(await bench.upload(file)).toMatchObject({ state: 'submitting' });
    expect([completions, sent(bench)]).toEqual([1, [1]]);
  });

  test('a plan that waits for approval is not released by another delivery', async () => {
    const bench = ingestBench();
    const { updateReading } = bench.ledger.imports;
    bench.ledger.imports.updateReading = async (item, changes, expected) => {
      await updateReading(item, changes, expected);
      return undefined;
    };
    expect(await bench.upload(file, { key: 'plan/create-port/file.csv' })).toMatchObject({ state: 'planned' });
    expect(sent(bench)).toEqual([]);
  });

  test('report is notified of an import from its release on', async () => {
    const bench = ingestBench();
    const { update } = bench.ledger.imports;
    bench.ledger.imports.update = async (importId, changes, expected) => {
      if (changes.state === 'submitting') expect(bench.renotified).toEqual([importId]);
      return update(importId, changes, expected);
    };
    const item = await bench.upload(file);
    expect(bench.renotified).toEqual([item?.importId]);
  });
});

// An attempt of ingest is renewed while it works. After a crash its time passes, and sync and `status` know.
describe('an attempt', () => {
  const start = Date.parse('2026-07-06T09:00:00.000Z');

  /** An attempt on a virtual clock, and the times that it stores. */
  function startAttempt(update?: () => Promise<never>) {
    let time = start;
    let wake: () => void = () => {};
    const stored: string[] = [];
    const warnings: string[] = [];
    const dependencies = double<IngestPipeline>({
      imports: double({
        update: async (_importId, changes) => {
          if (update !== undefined) await update();
          stored.push(String(changes.attemptUntil));
          return undefined;
        },
      }),
      clocks: { wall: () => time },
      wait: (milliseconds) =>
        new Promise((resolve) => {
          wake = () => {
            time += milliseconds;
            resolve();
          };
        }),
      log: double({ warn: (message) => void warnings.push(message) }),
    });
    let end: () => void = () => {};
    const working = new Promise<void>((resolve) => {
      end = resolve;
    });
    const held = holdAttempt('import-a', () => working, dependencies);
    const passMinutes = async (minutes: number) => {
      for (let passed = 0; passed < minutes; passed += 1) {
        wake();
        await new Promise(setImmediate);
      }
    };
    return { held, end, passMinutes, stored, warnings };
  }

  test('is renewed every minute while it works, and not afterwards', async () => {
    const { held, end, passMinutes, stored } = startAttempt();
    await passMinutes(3);
    end();
    await held;
    await passMinutes(2);
    expect(stored).toEqual([1, 2, 3].map((minutes) => attemptUntil(start + minutes * minute)));
  });

  test('a renewal that fails ends nothing, and the next one is made', async () => {
    const { held, end, passMinutes, warnings } = startAttempt(() => Promise.reject(new Error('throttled')));
    await passMinutes(2);
    end();
    await held;
    expect(warnings).toEqual(Array.from({ length: 2 }, () => 'the attempt was not renewed'));
  });

  const planning = (until: string, changes: Partial<ImportItem> = {}): ImportItem => ({
    ...importItemOf('import-a', { state: 'planning' }),
    attemptUntil: until,
    ...changes,
  });

  test('a crash is noticed when two renewals are missing, and sync announces the upload five minutes after the last', () => {
    const item = planning(attemptUntil(start));
    const until = attemptUntil(start);
    const seen = [1, 2, 2.1, 5, 5.1].map((minutes) => [
      redeliveryAfter(item, start + minutes * minute),
      isStuck(item, start + minutes * minute),
    ]);
    expect(seen).toEqual([
      [undefined, false],
      [undefined, false],
      [until, false],
      [until, false],
      [until, true],
    ]);
  });

  test('an attempt that ended with a reason waits for its next delivery', () => {
    const item = planning(nextAttemptUntil(start));
    expect([redeliveryAfter(item, start + 17 * minute), isStuck(item, start + 20 * minute)]).toEqual([
      undefined,
      false,
    ]);
    expect(isStuck(item, start + 20.1 * minute)).toBe(true);
  });

  test.each<[string, Partial<ImportItem>]>([
    ['a plan whose release was interrupted', { planOnly: false }],
    ['an approved plan whose release was interrupted', { planOnly: true, approvedAt: new Date(start).toISOString() }],
  ])('%s is announced again', (_, changes) => {
    const item = planning(attemptUntil(start), { state: 'planned', ...changes });
    expect(redeliveryAfter(item, start + 3 * minute)).toBe(attemptUntil(start));
    expect(isStuck(item, start + 5.1 * minute)).toBe(true);
  });

  test.each<[string, Partial<ImportItem>]>([
    ['a plan that waits for approval', { state: 'planned', planOnly: true }],
    ['an import whose requests are in the ledger', { state: 'submitting' }],
    ['an import that reschedules ports', { reschedules: { importId: 'b', date: 'auto' } }],
  ])('%s waits for no delivery of its upload', (_, changes) => {
    const item = planning(attemptUntil(start), changes);
    expect([redeliveryAfter(item, start + 60 * minute), isStuck(item, start + 60 * minute)]).toEqual([
      undefined,
      false,
    ]);
  });
});
