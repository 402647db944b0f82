// Which rows of a corrected file are sent: each row of the first file once, with the settings of that file.
import { describe, expect, test } from 'vitest';
import type { RequestItem } from '#shared/request/request.ts';
import { readResults } from '#shared/results/results.ts';
import { correct, current, progressOf, sourcesOf, uploadFirst } from '../../../support/ingest/corrections.ts';
import { inbox, ingestBench } from '../../../support/ingest/ingest.ts';
import { csvOf, numberAt, simAt } from '../../../support/ingest/valid-rows.ts';

describe('the rows of the first file', () => {
  test('rejected.csv names the import and the row, and importing it answers for the rows of the first file', async () => {
    const bench = ingestBench();
    const { item, rejected } = await uploadFirst(bench, { 'max-rows-per-port': '1' });
    expect(rejected.split('\r\n')[0]).toMatch(/,Cost centre,importId,line,errors$/);
    expect(rejected).toContain(`,${item?.importId},3,"tariff:`);
    const fixed = rejected.replace('9999', '2001').replace('nonsense', 'ABC123456');
    const correction = await correct(bench, fixed, 'rejected');
    expect(correction).toMatchObject({
      rows: 2,
      accepted: 2,
      correctionOf: item?.importId,
      partOf: { importId: item?.importId, kind: 'correction' },
    });
    // The settings of the first upload apply: one row in each port, its date order and its mapping.
    expect(correction?.requestCount).toBe(2);
    expect(bench.plan(correction).map(({ rows }) => rows.map(({ correctedRow }) => correctedRow))).toEqual([
      [`${item?.importId}/3`],
      [`${item?.importId}/5`],
    ]);
    expect(correction?.dateOrders).toEqual({ connectionDate: 'dmy' });
    expect(correction?.columnIndexes?.reference).toBe(current(bench, item).columnIndexes?.reference);
    expect(await progressOf(bench, item)).toEqual({ rows: 5, waiting: 5 });
    expect(await progressOf(bench, correction)).toEqual({ rows: 5, waiting: 5 });
  });

  test.each([
    ['the number', 'msisdn', 'MSISDN_DUPLICATE_IN_FILE'],
    ['the SIM', 'serialNo', 'ICCID_DUPLICATE_IN_FILE'],
  ])('a fixed row that has %s of a row that was sent is invalid', async (_what, column, code) => {
    const bench = ingestBench();
    const good = { msisdn: '07700900001', serialNo: simAt(1) };
    const item = await bench.upload(csvOf([good, { msisdn: '07700900002', serialNo: simAt(2), tariff: '9999' }]));
    const own = column === 'msisdn' ? '07700900002' : simAt(2);
    const taken = column === 'msisdn' ? '+44 7700 900001' : simAt(1);
    const fixed = bench.rejected(item).replace('9999', '2001').replace(own, taken);
    const correction = await correct(bench, fixed, 'taken');
    expect(correction).toMatchObject({ state: 'rejected', accepted: 0 });
    const [issue] = bench.issues(correction);
    expect(issue).toMatchObject({ column, code, message: expect.stringMatching(/is already on line 2$/) });
  });

  test('of a row that was corrected, the number it was sent with is taken, and the one before is free', async () => {
    const bench = ingestBench();
    const { item, rejected } = await uploadFirst(bench, { 'max-rows-per-port': '1' });
    const importId = item?.importId ?? '';
    const name = `${importId}/1`;
    const declined = {
      state: 'declined',
      lines: '2',
      attempt: 1,
      endedAt: new Date(bench.time).toISOString(),
    } as const;
    bench.ledger.planned.set(name, { ...(bench.ledger.planned.get(name) as RequestItem), ...declined });
    const [header = '', row = ''] = rejected.split('\r\n');
    const own = numberAt(1);
    const send = (line: number, number: string, sim: string) => {
      const fixed = row.replace('9999', '2001').replace(own, number).replace(simAt(1), sim);
      return correct(bench, `${header}\r\n${fixed.replace(`,${importId},3,`, `,${importId},${line},`)}\r\n`, sim);
    };
    const other = numberAt(70);
    expect(await send(2, other, simAt(70))).toMatchObject({ accepted: 1, rejected: 0 });
    const taken = await send(3, other, simAt(71));
    const issue = { code: 'MSISDN_DUPLICATE_IN_FILE', message: expect.stringMatching(/line 2$/) };
    expect(bench.issues(taken)[0]).toMatchObject(issue);
    expect(await send(5, numberAt(0), simAt(72))).toMatchObject({ accepted: 1, rejected: 0 });
  });

  test('of a row that was corrected, the SIM it was sent with is taken, also in a column that the first file lacks', async () => {
    const bench = ingestBench();
    const network = { targetNetwork: 'Network B', tariff: '3001', provisioningOrderName: 'Team' };
    const columns = ['msisdn', 'pac', 'portType', ...Object.keys(network), 'sourceNetwork', 'connectionDate'];
    const item = await bench.upload(csvOf([{ ...network, portType: 'MigrateInKeep' }, network, network], columns));
    expect(item).toMatchObject({ accepted: 1, rejected: 2 });
    const [header, ...rows] = bench.rejected(item).replace('\uFEFF', '').split('\r\n');
    const withSim = (row: string | undefined) => `serialNo,${header}\r\n${simAt(7)},${row}\r\n`;
    expect(await correct(bench, withSim(rows[0]), 'one')).toMatchObject({ accepted: 1, rejected: 0 });
    const second = await correct(bench, withSim(rows[1]), 'two');
    expect(bench.issues(second).map(({ code }) => code)).toContain('ICCID_DUPLICATE_IN_FILE');
  });

  test.each(['planned', 'scheduled'] as const)(
    'a row that a %s request skipped may still be sent by it',
    async (state) => {
      const bench = ingestBench();
      const item = await bench.upload(csvOf([{}, {}]));
      const key = `${item?.importId}/1`;
      const skipped = { line: 3, subject: `44${numberAt(1).slice(1)}`, code: 'MSISDN_IN_LIVE_IMPORT' as const };
      bench.ledger.planned.set(key, {
        ...(bench.ledger.planned.get(key) as RequestItem),
        state,
        attempt: 1,
        lines: '2',
        excludedRows: [{ ...skipped, message: 'in progress' }],
      });
      const results = await Array.fromAsync(readResults(sourcesOf(bench), current(bench, item)));
      const waiting = { planned: 'waiting', scheduled: 'scheduled' }[state];
      expect(results.map(({ outcome }) => outcome)).toEqual([waiting, waiting]);
      const [header, , row] = csvOf([{}, {}]).split('\n');
      const fixed = `${header},importId,line\n${row?.replace(numberAt(1), numberAt(7))},${item?.importId},3\n`;
      const correction = await correct(bench, fixed, 'fixed');
      expect(bench.issues(correction).map(({ code }) => code)).toContain('CORRECTION_ROW_ANSWERED');
    },
  );

  test('a second correction of what is still wrong belongs to the first file, too', async () => {
    const bench = ingestBench();
    const { item, rejected } = await uploadFirst(bench);
    const first = await correct(bench, rejected.replace('9999', '2001'), 'once');
    expect(await progressOf(bench, item)).toEqual({ rows: 5, waiting: 4, rejected: 1 });
    const again = bench.rejected(first);
    expect(again).toContain(`,${first?.importId},5,`);
    expect(again.match(/importId/g)).toHaveLength(1);
    const second = await correct(bench, again.replace('nonsense', 'ABC123456'), 'twice');
    expect(second).toMatchObject({ accepted: 1, correctionOf: first?.importId, partOf: { importId: item?.importId } });
    expect(await progressOf(bench, item)).toEqual({ rows: 5, waiting: 5 });
  });

  test('the same correction twice sends nothing twice', async () => {
    const bench = ingestBench();
    const { item, rejected } = await uploadFirst(bench);
    const fixed = rejected.replace('9999', '2001').replace('nonsense', 'ABC123456');
    const first = await correct(bench, fixed, 'one');
    const sent = bench.messages.length;
    const repeated = await correct(bench, fixed, 'two');
    expect(repeated).toMatchObject({ accepted: 0, rejected: 2 });
    expect(repeated?.issues.map(({ code }) => code)).toContain('CORRECTION_ROW_ANSWERED');
    const message = `row 3 of the first file was already sent with the import ${first?.importId}`;
    expect(bench.issues(repeated)[0]).toMatchObject({ line: 2, message });
    expect(bench.messages).toHaveLength(sent);
    expect(await progressOf(bench, item)).toEqual({ rows: 5, waiting: 5 });
  });

  test('a correction that is still being read sends nothing, so it answers for no row of another correction', async () => {
    const bench = ingestBench();
    const { item, rejected } = await uploadFirst(bench);
    const fixed = rejected.replace('9999', '2001').replace('nonsense', 'ABC123456');
    const first = await correct(bench, fixed, 'one');
    // Its reading was cut off after the header, and begins again while the other file is read.
    bench.ledger.items.set(first?.importId ?? '', { ...current(bench, first), state: 'planning' });
    expect(await correct(bench, fixed, 'two')).toMatchObject({
      partOf: { importId: item?.importId },
      accepted: 2,
      rejected: 0,
    });
  });

  test('a row that the first import sent is not sent again, and keeps its outcome', async () => {
    const bench = ingestBench();
    const { item, rejected } = await uploadFirst(bench);
    const [header, ...rows] = rejected.split('\r\n');
    const stray = rows[0]?.replace(`,${item?.importId},3,`, `,${item?.importId},2,`).replace('9999', '2001');
    const correction = await correct(bench, `${header}\r\n${stray}\r\n`, 'stray');
    expect(correction).toMatchObject({ accepted: 0, rejected: 1 });
    expect(correction?.issues.map(({ code }) => code)).toContain('CORRECTION_ROW_ANSWERED');
    expect(await progressOf(bench, item)).toEqual({ rows: 5, waiting: 3, rejected: 2 });
  });

  test('a row that names no row of the import is rejected, and so is a file of an import that does not exist', async () => {
    const bench = ingestBench();
    const { item, rejected } = await uploadFirst(bench);
    const fixed = rejected.replace('9999', '2001');
    const added = await correct(bench, fixed.replace(`${item?.importId},5,`, ',,'), 'added');
    expect(added?.issues.map(({ line, code }) => [line, code])).toEqual([[3, 'CORRECTION_ROW_UNKNOWN']]);
    const other = await correct(bench, fixed.replaceAll(item?.importId ?? '', '0123456789abcdef'), 'other');
    expect(other).toMatchObject({ state: 'rejected', issues: [{ code: 'CORRECTION_IMPORT_UNKNOWN' }] });
  });

  test.each([
    ['no row', (importId: string) => `,${importId},,`],
    ['row 0', (importId: string) => `,${importId},0,`],
    ['no import', () => ',,5,'],
    ['a row of another import', () => ',0123456789abcdef,5,'],
  ])('a row that names %s is rejected, and the others are sent', async (_what, named) => {
    const bench = ingestBench();
    const { item, rejected } = await uploadFirst(bench);
    const importId = item?.importId ?? '';
    const fixed = rejected.replace('9999', '2001').replace('nonsense', 'ABC123456');
    const correction = await correct(bench, fixed.replace(`,${importId},5,`, named(importId)), 'named');
    expect(correction).toMatchObject({ accepted: 1, rejected: 1 });
    expect(bench.issues(correction)).toMatchObject([
      {
        line: 3,
        code: 'CORRECTION_ROW_UNKNOWN',
        message: expect.stringContaining(`no row of the import ${importId}:`),
      },
    ]);
  });

  test('the import and the row may have spaces around them', async () => {
    const bench = ingestBench();
    const { item, rejected } = await uploadFirst(bench);
    const fixed = rejected.replace('9999', '2001').replace('nonsense', 'ABC123456');
    const spaced = fixed.replaceAll(new RegExp(`,${item?.importId},(\\d),`, 'g'), `, ${item?.importId} , $1 ,`);
    expect(spaced).not.toBe(fixed);
    expect(await correct(bench, spaced, 'spaced')).toMatchObject({ accepted: 2, correctionOf: item?.importId });
  });

  test('a file without rows corrects no import', async () => {
    const bench = ingestBench();
    const { rejected } = await uploadFirst(bench);
    const empty = await correct(bench, `${rejected.split('\r\n')[0]}\r\n`, 'empty');
    expect(empty?.issues[0]?.message).toContain('the file corrects the import "", which does not exist here');
  });

  test('a correction whose header was not read may have expired', async () => {
    const bench = ingestBench();
    const { item, rejected } = await uploadFirst(bench);
    const first = await correct(bench, rejected.replace('9999', '2001'), 'once');
    const unread = { ...current(bench, first), importId: 'unread', key: 'gone.csv', columnIndexes: undefined };
    bench.ledger.items.set('unread', unread);
    const again = bench.rejected(first).replace('nonsense', 'ABC123456');
    expect(await correct(bench, again, 'twice')).toMatchObject({ accepted: 1, partOf: { importId: item?.importId } });
  });

  test('a fixed copy below the row that is still invalid is sent, a further copy is not', async () => {
    const bench = ingestBench();
    const { item, rejected } = await uploadFirst(bench);
    const [header, invalid] = rejected.split('\r\n');
    const fixed = invalid?.replace('9999', '2001');
    const correction = await correct(bench, [header, invalid, fixed, fixed, ''].join('\r\n'), 'copies');
    expect(correction).toMatchObject({ rows: 3, accepted: 1, rejected: 2 });
    expect(bench.issues(correction).map(({ line, code }) => [line, code])).toEqual([
      [2, 'TARIFF_UNKNOWN'],
      [4, 'CORRECTION_ROW_ANSWERED'],
    ]);
    expect(bench.issues(correction)[1]?.message).toBe('row 3 of the first file was already sent with this file');
    expect(await progressOf(bench, item)).toEqual({ rows: 5, waiting: 4, rejected: 1 });
  });

  test.each(['the first file', 'an earlier correction'])(
    'a correction is rejected when %s has expired',
    async (gone) => {
      const bench = ingestBench();
      const { rejected } = await uploadFirst(bench);
      const first = await correct(bench, rejected.replace('9999', '2001'), 'once');
      const key = gone === 'the first file' ? 'create-port/file.csv' : 'create-port/once.csv';
      bench.files.remove(inbox, key);
      const second = await correct(bench, bench.rejected(first).replace('nonsense', 'ABC123456'), 'twice');
      expect(second).toMatchObject({
        state: 'rejected',
        issues: [{ code: 'FILE_GONE', message: expect.stringContaining('remove the columns importId and line') }],
      });
      expect(bench.messages).toHaveLength(2);
    },
  );

  test('a row whose plan expired before it was sent is declined, and can be imported again', async () => {
    const bench = ingestBench();
    const { item, rejected } = await uploadFirst(bench);
    const fixed = rejected.replace('9999', '2001').replace('nonsense', 'ABC123456');
    const first = current(bench, await correct(bench, fixed, 'one'));
    for (const [key, request] of bench.ledger.planned) {
      const error = { kind: 'plan-expired', message: 'the plan of this import has expired' };
      const ended = { state: 'declined', error, endedAt: request.changedAt } as const;
      if (request.importId === first.importId) bench.ledger.planned.set(key, { ...request, ...ended });
    }
    bench.ledger.items.set(first.importId, { ...first, state: 'finished' });
    expect(await progressOf(bench, item)).toEqual({ rows: 5, waiting: 3, declined: 2 });
    const results = await Array.fromAsync(readResults(sourcesOf(bench), current(bench, item)));
    expect(results[1]).toMatchObject({ outcome: 'declined', message: expect.stringContaining('expired') });
    expect(await correct(bench, fixed, 'two')).toMatchObject({ accepted: 2, rejected: 0 });
  });
});
