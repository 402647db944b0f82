// Corrected files: whose rows they answer for, and how they are read.
import { describe, expect, test } from 'vitest';
import { findOtherOperation } from '#functions/ingest/correction.ts';
import { createPort } from '#shared/operations/create-port/create-port.ts';
import { operations } from '#shared/operations/registry.ts';
import { packLines } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { openRejectedTable } from '#shared/results/import-files.ts';
import { readImportProgress } from '#shared/results/progress.ts';
import { readOpenRows, readRejectedRows } from '#shared/results/rejected-rows.ts';
import { readResults, streamResultsCsv } from '#shared/results/results.ts';
import { notify, put, settle } from '../../chaos/drive.ts';
import { buckets } from '../../chaos/pipeline.ts';
import { csvTextOf, rowsFrom } from '../../chaos/scenario.ts';
import { importOfObject, startApiWorld } from '../../support/api/simulated-api.ts';
import { correct, current, progressOf, sourcesOf, uploadFirst } from '../../support/ingest/corrections.ts';
import { inbox, ingestBench } from '../../support/ingest/ingest.ts';
import { csvOf, simAt } from '../../support/ingest/valid-rows.ts';

// Corrected files answer for the rows of the first file: once each, with its settings.
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

  test('the rejected rows of an import are those that no correction has sent, with the duplicates among them', async () => {
    const bench = ingestBench();
    const same = { msisdn: '07700900000', serialNo: '8944110068123456787' };
    const item = await bench.upload(csvOf([same, same, { tariff: '9999' }, { pac: 'nonsense' }]));
    const open = async () => {
      const rows = await readOpenRows(sourcesOf(bench), current(bench, item));
      const table = await openRejectedTable(sourcesOf(bench), rows.item, rows.sentLines);
      const cells = (await Array.fromAsync(table?.rows ?? [])).flat();
      return [rows.item.rejected, rows.item.duplicates, cells.map((row) => row.at(-2))];
    };
    expect(await open()).toEqual([3, 1, ['3', '4', '5']]);
    const [header, repeated, ...others] = bench.rejected(item).split('\r\n');
    const one = await correct(bench, [header, ...others].join('\r\n').replace('9999', '2001'), 'one');
    expect(await open()).toEqual([2, 1, ['3', '5']]);
    // As where all of its rows were to be valid: none of them was sent.
    const asPlanned = current(bench, one);
    bench.ledger.items.set(asPlanned.importId, { ...asPlanned, state: 'rejected' });
    expect(await open()).toEqual([3, 1, ['3', '4', '5']]);
    bench.ledger.items.set(asPlanned.importId, asPlanned);
    const other = repeated?.replace('07700900000', '07700900077').replace(same.serialNo, simAt(77));
    const fixed = `${header}\r\n${other}\r\n`;
    await correct(bench, fixed, 'two');
    expect(await open()).toEqual([1, 0, ['5']]);
    bench.files.remove(inbox, 'create-port/one.csv');
    expect(await open()).toEqual([3, 1, ['3', '4', '5']]);
  });

  test('files for people have the separator of the upload and a byte order mark, and are imported again like that', async () => {
    const bench = ingestBench();
    const body = csvOf([{}, { tariff: '9999', reference: 'a,b' }, {}])
      .replaceAll(/,(?!b\b)/g, ';')
      .replaceAll('"', '');
    const item = await bench.upload(body);
    expect(item).toMatchObject({ rows: 3, rejected: 1, layout: { delimiter: ';' } });
    const rejected = bench.rejected(item);
    expect(rejected).toMatch(/^\uFEFFmsisdn;serialNo;.*;reference;importId;line;errors\r\n/);
    expect(rejected).toContain(`;"a,b";${item?.importId};3;`);
    const filter = { afterLine: -1, limit: 10, codes: 'masked', matches: () => true } as const;
    const shown = await readRejectedRows(sourcesOf(bench), current(bench, item), filter);
    expect(shown?.rows).toMatchObject([{ line: 3, errors: expect.stringContaining('tariff') }]);
    const correction = await correct(bench, rejected.replace('9999', '2001'), 'rejected');
    expect(correction).toMatchObject({ rows: 1, accepted: 1, correctionOf: item?.importId });
    const results = (await Array.fromAsync(streamResultsCsv(sourcesOf(bench), current(bench, correction)))).join('');
    expect(results).toMatch(/^\uFEFFmsisdn;.*;whatToDo;bookedDate;submittedAt;completedAt\r\n/);
    expect(results.trim().split('\r\n')).toHaveLength(4);
    const answered = await correct(bench, results, 'results');
    expect(answered?.issues.map(({ code }) => code)).toContain('CORRECTION_ROW_ANSWERED');
    expect(answered).toMatchObject({ rows: 3, accepted: 0, rejected: 3 });
  });

  test('rows that only repeat an earlier number are duplicates, also once the file is corrected', async () => {
    const bench = ingestBench();
    const same = { msisdn: '07700900000', serialNo: '8944110068123456787' };
    const item = await bench.upload(csvOf([same, {}, same, { ...same, tariff: '9999' }, { msisdn: '07700900000' }]));
    expect(item).toMatchObject({ rows: 5, accepted: 2, rejected: 3, duplicates: 2 });
    expect(await progressOf(bench, item)).toEqual({ rows: 5, waiting: 2, duplicate: 2, rejected: 1 });
    const results = await Array.fromAsync(readResults(sourcesOf(bench), current(bench, item)));
    expect(results.map(({ outcome }) => outcome)).toEqual(['waiting', 'waiting', 'duplicate', 'rejected', 'duplicate']);
    expect(results[2]).toMatchObject({ message: expect.stringContaining('is already on line 2'), status: '' });
    // Line 6 had a wrong number; the row of line 4 is imported again as it is, and is still a duplicate.
    const [header, third, , last] = bench.rejected(item).split('\r\n');
    const fixed = `${header}\r\n${third}\r\n${last?.replace('07700900000', '07700900077')}\r\n`;
    const correction = await correct(bench, fixed, 'rejected');
    expect(correction).toMatchObject({ rows: 2, accepted: 1, duplicates: 1 });
    // Nothing of the correction is sent: the rows keep their outcome.
    bench.ledger.items.set(correction?.importId ?? '', { ...current(bench, correction), state: 'rejected' });
    expect(await progressOf(bench, item)).toEqual({ rows: 5, waiting: 2, duplicate: 2, rejected: 1 });
    bench.ledger.items.set(correction?.importId ?? '', { ...current(bench, correction), state: 'submitting' });
    expect(await progressOf(bench, item)).toEqual({ rows: 5, waiting: 3, duplicate: 1, rejected: 1 });
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

  test('a correction that is imported with another operation is rejected and names the right one', async () => {
    const bench = ingestBench();
    const { item, rejected } = await uploadFirst(bench);
    const asSms = await bench.upload(rejected, { key: 'send-sms/rejected.csv' });
    expect(asSms).toMatchObject({ state: 'rejected', rows: 0 });
    expect(asSms?.issues.map(({ code }) => code)).toEqual(['CORRECTION_OPERATION']);
    expect(asSms?.issues[0]?.message).toBe(
      'the columns are those of create-port, not of send-sms: import the file with --operation create-port',
    );
    const pacs = `msisdn,portId,pac,reason,importId,line\n07700900100,,ABC123456,PacInvalid,${item?.importId},2\n`;
    const asPorts = await correct(bench, pacs, 'correct');
    expect(asPorts?.issues.map(({ message }) => message)).toEqual([
      'the columns are those of update-port, not of create-port: import the file with --operation update-port',
    ]);
    // No text corrects a port.
    const texts = `serialNumber,network,message,importId,line\n8944110068123456787,232,hello,${item?.importId},2\n`;
    const asPort = await correct(bench, texts, 'texts');
    expect(asPort?.issues.map(({ code }) => code)).toContain('HEADER_MISSING_COLUMN');
    expect(asPort?.issues.map(({ code }) => code)).not.toContain('CORRECTION_OPERATION');
  });

  test('a file without rows corrects no import', async () => {
    const bench = ingestBench();
    const { rejected } = await uploadFirst(bench);
    const empty = await correct(bench, `${rejected.split('\r\n')[0]}\r\n`, 'empty');
    expect(empty?.issues[0]?.message).toContain('the file corrects the import "", which does not exist here');
  });

  test('rows of another operation are not those of the first file, and are sent though it has expired', async () => {
    const bench = ingestBench();
    const { item } = await uploadFirst(bench);
    bench.files.remove(inbox, 'create-port/file.csv');
    const text = `serialNumber,network,message,importId,line\n${simAt(0)},232,hello,${item?.importId},2\n`;
    const sent = await bench.upload(text, { key: 'send-sms/file.csv' });
    expect(sent).toMatchObject({ accepted: 1, correctionOf: item?.importId });
    expect(bench.plan(sent)[0]?.rows[0]).not.toHaveProperty('correctedRow');
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

  test('the results of a correction are those of the first file: each row once, without columns of simporter', async () => {
    const bench = ingestBench();
    const { rejected } = await uploadFirst(bench);
    const correction = await correct(bench, rejected.replace('9999', '2001'), 'rejected');
    const results = await Array.fromAsync(readResults(sourcesOf(bench), current(bench, correction)));
    expect(results.map(({ line, outcome }) => [line, outcome])).toEqual([
      [2, 'waiting'],
      [3, 'waiting'],
      [4, 'waiting'],
      [5, 'rejected'],
      [6, 'waiting'],
    ]);
    expect(Object.keys(results[0]?.columns ?? {})).toContain('Cost centre');
    expect(Object.keys(results[0]?.columns ?? {})).not.toContain('importId');
  });

  test('of two corrections that were read at the same time, a later decline hides no success', async () => {
    const bench = ingestBench();
    const { item, rejected } = await uploadFirst(bench);
    const fixed = rejected.replace('9999', '2001').replace('nonsense', 'ABC123456');
    const first = current(bench, await correct(bench, fixed, 'one'));
    bench.ledger.items.delete(first.importId);
    const second = current(bench, await correct(bench, fixed, 'two'));
    bench.ledger.items.delete(second.importId);
    for (const correction of [first, second]) bench.ledger.items.set(correction.importId, correction);
    expect([first.accepted, second.accepted]).toEqual([2, 2]);
    const end = (importId: string, changes: Partial<RequestItem>) => {
      for (const [key, request] of bench.ledger.planned) {
        const lines = packLines(Array.from({ length: request.rowCount }, (_, index) => index + 2));
        if (request.importId === importId) bench.ledger.planned.set(key, { ...request, lines, ...changes });
      }
    };
    end(first.importId, { state: 'accepted', ticket: 'done' });
    end(second.importId, { state: 'declined', error: { kind: 'rejected', message: 'already there' } });
    expect(await progressOf(bench, item)).toEqual({ rows: 5, waiting: 3, accepted: 2 });
    const results = await Array.fromAsync(readResults(sourcesOf(bench), current(bench, item)));
    expect(results.filter(({ portId }) => portId === 'done').map(({ line }) => line)).toEqual([3, 5]);
  });

  test('a validation of a correction changes no answer', async () => {
    const bench = ingestBench();
    const { item, rejected } = await uploadFirst(bench);
    await bench.upload(rejected.replace('9999', '2001'), { key: 'plan/create-port/rejected.csv' });
    expect(await progressOf(bench, item)).toEqual({ rows: 5, waiting: 3, rejected: 2 });
    expect(await readImportProgress(sourcesOf(bench), current(bench, item))).toMatchObject({
      outcomes: { rejected: 2 },
    });
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

  test('a page of invalid rows can begin behind the first batch that is read of the file', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf(Array.from({ length: 3_000 }, () => ({ tariff: '9999' }))));
    const filter = { afterLine: 2_500, limit: 10, codes: 'masked', matches: () => true } as const;
    const shown = await readRejectedRows(sourcesOf(bench), current(bench, item), filter);
    expect(shown?.rows.map(({ line }) => line)).toEqual(Array.from({ length: 10 }, (_, index) => 2_501 + index));
  });
});

// A correction that is imported with another operation than its own is recognised by its columns.
describe('another operation', () => {
  const updatePort = operations.get('update-port') ?? createPort;
  const sendSms = operations.get('send-sms') ?? createPort;
  const kinds = [createPort, updatePort];
  const marks = ['importId', 'line', 'errors'];
  const ports = createPort.columns.filter(({ required }) => required).map(({ name }) => name);
  const settings = { defaults: {}, mapping: {} };
  const asWritten = () => settings;

  test('rows of create-port with all columns are for create-port', () => {
    const file = { header: [...ports, 'pac', ...marks], operation: sendSms.name, columns: sendSms.columns };
    expect(findOtherOperation(file, kinds, asWritten)?.name).toBe('create-port');
  });

  test('new PACs are for update-port', () => {
    const file = {
      header: ['msisdn', 'portId', 'pac', ...marks],
      operation: createPort.name,
      columns: createPort.columns,
    };
    expect(findOtherOperation(file, kinds, asWritten)?.name).toBe('update-port');
  });

  test('an operation whose columns are all there is right, although the file has more', () => {
    const file = { header: [...ports, 'pac', ...marks], operation: updatePort.name, columns: updatePort.columns };
    expect(findOtherOperation(file, kinds, asWritten)).toBeUndefined();
  });

  test('a file of create-port that misses a column is for no other operation', () => {
    const header = [...ports.filter((name) => name !== 'tariff'), 'pac', ...marks];
    expect(
      findOtherOperation({ header, operation: createPort.name, columns: createPort.columns }, kinds, asWritten),
    ).toBeUndefined();
  });

  test('with as many known columns in both, the operation stays', () => {
    const file = { header: ['msisdn', 'pac', ...marks], operation: createPort.name, columns: createPort.columns };
    expect(findOtherOperation(file, kinds, asWritten)).toBeUndefined();
  });

  test('a column may have the name that the user gave it', () => {
    const header = ['Rufnummer', 'portId', 'pac', ...marks];
    const named = { ...settings, mapping: { Rufnummer: 'msisdn' } };
    const file = { header, operation: createPort.name, columns: createPort.columns };
    expect(findOtherOperation(file, kinds, () => named)?.name).toBe('update-port');
  });

  test('a column that the file has twice is another problem', () => {
    const file = {
      header: ['msisdn', 'portId', 'pac', 'PAC', ...marks],
      operation: createPort.name,
      columns: createPort.columns,
    };
    expect(findOtherOperation(file, kinds, asWritten)?.name).toBe('update-port');
  });

  test('a file without known columns is for no operation', () => {
    expect(
      findOtherOperation({ header: marks, operation: sendSms.name, columns: sendSms.columns }, kinds, asWritten),
    ).toBeUndefined();
  });
});

// Rows that were taken out of their port are imported again: the whole pipeline on virtual time.
describe('rows that left their port', () => {
  const hour = 3_600_000;

  test('a row that was taken out of its port is imported with a new PAC, and no other row of the port is', async () => {
    const api = startApiWorld({ removeBlockingAfterMs: hour });
    const three = rowsFrom(0, ['ABC123456', 'INV123456', 'ABC123457']);
    const importId = await api.send('july.csv', three);
    for (let hours = 0; hours < 6; hours += 1) await api.pass(hour);
    expect((await api.call('GET', `/imports/${importId}`)).body.outcomes).toEqual({ 'in-progress': 2, cancelled: 1 });
    const returned = api.world.bucket.text(buckets.results, `imports/${importId}/correct-create-port.csv`);
    expect(returned).toContain(`,${importId},3,`);
    const [header, ...fixed] = csvTextOf(three.map((row) => ({ ...row, pac: 'ABC123458' })))
      .trim()
      .split('\n');
    const marked = fixed.map((row, index) => `${row},${importId},${index + 2}`);
    notify(
      await put('create-port/fixed.csv', [`${header},importId,line`, ...marked].join('\n'), api.world),
      0,
      api.world,
    );
    await settle(api.world);
    await api.pass(hour);
    const correction = importOfObject(api.world, 'create-port/fixed.csv');
    const { rows } = (await api.call('GET', `/imports/${correction}/rows?outcome=rejected`)).body;
    expect(rows.map(({ line }: { line: number }) => line)).toEqual([2, 4]);
    expect((await api.call('GET', `/imports/${importId}`)).body.outcomes).toEqual({ 'in-progress': 3 });
  });
});
