// `--per-day`: over how many days rows are spread, beside corrections, and however late they are sent.

import { describe, expect, test } from 'vitest';
import type { ImportItem } from '#shared/import/import.ts';
import { createReadDayCycle } from '#shared/import/part.ts';
import { createPort } from '#shared/operations/create-port/create-port.ts';
import type { CreatePortHead } from '#shared/operations/create-port/submission.ts';
import { rowsContext, validCells } from '../../support/ingest/catalogue.ts';
import { type IngestBench, ingestBench } from '../../support/ingest/ingest.ts';
import { csvOf, goodRows } from '../../support/ingest/valid-rows.ts';

describe('a file with a limit of numbers per day', () => {
  const upload = async (rows: readonly Record<string, string>[], perDay: string) => {
    const bench = ingestBench();
    const text = csvOf(rows, [...Object.keys(validCells), 'pacExpiry']);
    const item = await bench.upload(text, { metadata: { 'per-day': perDay } });
    const days = bench.plan(item).flatMap(({ label, rows }) => {
      const day = /\d{4}-\d\d-\d\d/.exec(label)?.[0];
      return rows.map(({ line }) => [line, day]);
    });
    return { bench, item, days: Object.fromEntries(days) };
  };
  const rowsOf = (count: number, more: Record<string, string>) => goodRows(count).map((row) => ({ ...row, ...more }));

  test('counts the rows of the first file in its correction', async () => {
    const rows = rowsOf(5, { connectionDate: 'auto' }).map((row, index) =>
      index < 3 ? row : { ...row, tariff: '9999' },
    );
    const { bench, item, days } = await upload(rows, '2');
    expect(days).toEqual({ 2: '2026-07-01', 3: '2026-07-01', 4: '2026-07-02' });
    const correct = async (text: string, sequencer: string) => {
      const correction = await bench.upload(text, { key: 'create-port/fixed.csv', sequencer });
      return bench
        .plan(correction)
        .flatMap(({ head, rows: { length } }) => [[(head as { connectionDate: string }).connectionDate, length]]);
    };
    const [header, first, second] = bench.rejected(item).replaceAll('9999', '2001').split('\r\n');
    expect(await correct([header, first, second].join('\n'), '2')).toEqual([
      ['2026-07-02', 1],
      ['2026-07-06', 1],
    ]);
  });

  /** How many rows of the imports are ported on each day, where all are sent at that time. */
  const sentAt = async (bench: IngestBench, items: readonly (ImportItem | undefined)[], at: string) => {
    const rowsByDay: Record<string, number> = {};
    const context = {
      ...rowsContext({ calendar: () => Date.parse(at) }),
      readDayCycle: createReadDayCycle(bench.ledger.imports),
    };
    for (const request of items.flatMap((item) => bench.plan(item))) {
      const sent = await createPort.submission.revalidate(request, context);
      const day = 'send' in sent ? (sent.send.head as CreatePortHead).connectionDate : sent.rejection.message;
      rowsByDay[day] = (rowsByDay[day] ?? 0) + request.rows.length;
    }
    return rowsByDay;
  };

  test('keeps the limit where the rows are sent after their days have passed', async () => {
    const { bench, item } = await upload(rowsOf(7, { connectionDate: 'auto' }), '2');
    // The days are 1, 2, 6 and 7 July, and 3 July is a holiday.
    expect(item?.dayCycle).toBe(5);
    expect(await sentAt(bench, [item], '2026-07-02T11:00:00Z')).toEqual({
      '2026-07-06': 2,
      '2026-07-07': 1,
      '2026-07-08': 2,
      '2026-07-09': 2,
    });
    expect(await sentAt(bench, [item], '2026-07-20T11:00:00Z')).toEqual({
      '2026-07-22': 2,
      '2026-07-23': 2,
      '2026-07-27': 2,
      '2026-07-28': 1,
    });
  });

  test('keeps the limit where all its ports move to the first day that can be booked', async () => {
    const { bench, item } = await upload(rowsOf(6, { connectionDate: 'auto' }), '2');
    const readDayCycle = createReadDayCycle(bench.ledger.imports);
    const context = { ...rowsContext({ calendar: () => Date.parse('2026-07-08T11:00:00Z') }), readDayCycle };
    const days: string[] = [];
    for (const request of bench.plan(item)) {
      const rows = request.rows.map(({ subject }) => ({ msisdn: subject, statusName: 'Submitted', pac: null }));
      const port = { statusName: 'Submitted', connectionDate: '2026-07-31T00:00:00', rows };
      const planned = await createPort.submission.reschedule?.(request, port, 'auto', context);
      if (planned === undefined || !('move' in planned)) throw new Error(JSON.stringify(planned));
      for (const _ of request.rows) days.push((planned.move.head as CreatePortHead).connectionDate);
    }
    expect(days).toEqual(['2026-07-13', '2026-07-13', '2026-07-14', '2026-07-14', '2026-07-10', '2026-07-10']);
  });

  test('keeps the limit for a file and its correction, which are sent late together', async () => {
    const rows = rowsOf(6, { connectionDate: 'auto' }).map((row, index) =>
      index < 3 ? row : { ...row, tariff: '9999' },
    );
    const { bench, item } = await upload(rows, '2');
    const fixed = bench.rejected(item).replaceAll('9999', '2001');
    const correction = await bench.upload(fixed, { key: 'create-port/fixed.csv', sequencer: '2' });
    const sent = await sentAt(bench, [item, correction], '2026-07-08T11:00:00Z');
    expect(Object.values(sent)).toEqual([2, 2, 2]);
  });

  test('keeps the limit where rows were moved to a later day before a correction was planned', async () => {
    const rows = rowsOf(10, { connectionDate: 'auto' }).map((row, index) =>
      index < 8 ? row : { ...row, tariff: '9999' },
    );
    const { bench, item } = await upload(rows, '2');
    const { planned } = bench.ledger;
    const [key, moved] = [...planned].find(([, { importId }]) => importId === item?.importId) ?? [];
    if (key === undefined || moved === undefined) throw new Error('nothing was planned');
    planned.set(key, { ...moved, state: 'created', portDate: '2026-07-15' });
    const fixed = bench.rejected(item).replaceAll('9999', '2001');
    const correction = await bench.upload(fixed, { key: 'create-port/fixed.csv', sequencer: '2' });
    const most = async (at: string) => Math.max(...Object.values(await sentAt(bench, [item, correction], at)));
    // The moved rows go back to the first day that the limit leaves to them, while the others are sent late.
    for (const at of ['2026-07-01', '2026-07-08', '2026-07-10', '2026-07-13', '2026-07-20'])
      expect(await most(`${at}T11:00:00Z`), at).toBe(2);
    planned.delete(key);
    expect(Object.keys(await sentAt(bench, [item, correction], '2026-07-13T11:00:00Z'))).not.toContain('2026-07-15');
  });

  test('spreads rows with auto over the days that can be booked, beside those with a date', async () => {
    const rows = rowsOf(6, { connectionDate: 'auto' });
    const { item, days } = await upload(
      rows.map((row, index) => (index === 0 ? { ...row, connectionDate: '2026-07-02' } : row)),
      '2',
    );
    // 3 July is a holiday of the network, before a weekend.
    expect(days).toEqual({
      2: '2026-07-02',
      3: '2026-07-01',
      4: '2026-07-01',
      5: '2026-07-02',
      6: '2026-07-06',
      7: '2026-07-06',
    });
    expect(item?.issues).toMatchObject([
      {
        code: 'FILE_SPREAD_OVER_DAYS',
        message:
          'Rows with "auto" are spread over 3 days, at most 2 numbers a day: from 2026-07-01 to 2026-07-06, ' +
          'with 2 on the last day',
      },
    ]);
  });

  test('rejects a row whose PAC expires before a day with room', async () => {
    const [first, second, third] = rowsOf(3, { connectionDate: 'auto' });
    const { bench, item, days } = await upload([first ?? {}, { ...second, pacExpiry: '2026-07-01' }, third ?? {}], '1');
    expect(item).toMatchObject({ accepted: 2, rejected: 1 });
    expect(days).toEqual({ 2: '2026-07-01', 4: '2026-07-02' });
    expect(bench.issues(item)).toContainEqual(
      expect.objectContaining({
        line: 3,
        column: 'pacExpiry',
        code: 'PAC_EXPIRES_BEFORE_DATE',
        message: expect.stringContaining('No day until 2026-07-01, when the PAC expires, has room'),
      }),
    );
  });

  test('names the last day when all are full', async () => {
    const { bench, item } = await upload(rowsOf(60, { connectionDate: 'auto' }), '1');
    const [issue] = bench.issues(item).filter(({ severity }) => severity === 'error');
    expect(issue).toMatchObject({ code: 'DATE_NONE_AVAILABLE', message: expect.stringContaining('has room') });
    expect((item?.accepted ?? 0) + (item?.rejected ?? 0)).toBe(60);
  });

  test('reports that it changed nothing where every row has a date', async () => {
    const { item, days } = await upload(rowsOf(3, {}), '1');
    expect(new Set(Object.values(days)).size).toBe(1);
    expect(item?.issues).toMatchObject([{ code: 'FILE_SPREAD_OVER_DAYS', message: expect.stringMatching(/nothing$/) }]);
  });
});
