// The files of a first import: each row as its corrections left it, however the messages about them arrive.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { report } from '#functions/report/report.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { partItemOf } from '#shared/import/part.ts';
import { resultsIndex } from '#shared/results/results-csv.ts';
import { correctionKey, resultsIndexKey, resultsKey } from '#shared/store/object-keys.ts';
import { rig, services, useFreshRig } from '../../../support/steps/fresh-services.ts';
import { requestItemOf } from '../../../support/steps/ledger-items.ts';
import { reportParts } from '../../../support/steps/report.ts';
import { importItemOf } from '../../../support/steps/submit-and-sync.ts';

describe('merged results', () => {
  useFreshRig();

  const parts = () => reportParts(rig);
  const refresh = (importId: string) => report(importId, parts());
  const textOf = (key: string) => rig.files.readText({ bucket: 'results', key });
  const recordsOf = async (key: string): Promise<string[][]> =>
    (await textOf(key))
      .replace('\uFEFF', '')
      .trimEnd()
      .split('\r\n')
      .map((record) => record.split(';'));

  /** The named cells of each row of results.csv. */
  async function cellsOf(importId: string, ...names: readonly string[]): Promise<string[][]> {
    const [header = [], ...records] = await recordsOf(resultsKey(importId));
    return records.map((record) => names.map((name) => record[header.indexOf(name)] ?? ''));
  }

  async function begin(importId: string, lines: readonly string[], changes: Partial<ImportItem>): Promise<void> {
    const key = `provision/${importId}.csv`;
    const Body = `${lines.join('\n')}\n`;
    const { ETag = '' } = await services.s3.send(new PutObjectCommand({ Bucket: 'inbox', Key: key, Body }));
    const file = { key, etag: ETag.replaceAll('"', ''), rows: lines.length - 1, requestCount: 1 };
    const layout = { headerLine: 1, delimiter: ';' as const };
    const item = importItemOf(importId, { ...file, operation: 'provision', layout, ...changes });
    await rig.imports.begin(item);
    if (item.partOf) {
      const { importId: first } = item.partOf;
      await rig.imports.addPart(partItemOf(item, first), importItemOf(first));
    }
  }

  const endedAt = '2026-07-06T10:00:01.000Z';
  const accepted = { state: 'accepted', endedAt } as const;
  const requestOf = (importId: string, lines: string, changes: Parameters<typeof requestItemOf>[0] = {}) =>
    requestItemOf({ importId, operation: 'provision', ...accepted, ticket: importId, lines, ...changes });

  /** Rows 3 and 4 of the first file are invalid, and row 5 is declined. */
  async function sendFirst(): Promise<void> {
    const rows = ['SIM;Depot', 'sim 2;north', 'sim X;=east', 'sim Y;west', 'sim 5;south'];
    await begin('first', rows, {
      columnIndexes: { serialNumber: 0 },
      rejected: 2,
      hasParts: true,
      requestCount: 2,
    });
    const issues = [3, 4].map((line) => ({
      line,
      column: 'SIM',
      code: 'SIM_SHAPE',
      message: 'bad',
      severity: 'error',
    }));
    const Body = issues.map((issue) => `${JSON.stringify(issue)}\n`).join('');
    await services.s3.send(new PutObjectCommand({ Bucket: 'results', Key: 'imports/first/issues.ndjson', Body }));
    const error = { kind: 'rejected', message: 'not on hire' };
    await rig.requests.plan([
      requestOf('first', '2', { rowCount: 1 }),
      requestOf('first', '5', { request: 2, rowCount: 1, state: 'declined', ticket: undefined, error }),
    ]);
  }

  /** With its columns in another order and under other names, as a person or a spreadsheet may leave them. */
  async function sendCorrection(
    importId: string,
    rows: readonly (readonly [sim: string, line: number])[],
    changes: Parameters<typeof requestItemOf>[0] = {},
  ) {
    const records = rows.map(([sim, line]) => `first;${line};depot of ${sim};${sim}`);
    const chain = { correctionOf: 'first', partOf: { importId: 'first', kind: 'correction' } } as const;
    const columnIndexes = { serialNumber: 3 };
    const receivedAt = `2026-07-06T10:00:00.00${importId.length}Z`;
    await begin(importId, ['importId;line;Depot;serial', ...records], { columnIndexes, receivedAt, ...chain });
    await rig.requests.plan([
      requestOf(importId, rows.map((_, index) => index + 2).join(','), { rowCount: rows.length, ...changes }),
    ]);
  }

  test('a row that a correction sent has the line of the first file, its corrected cells and its result', async () => {
    await sendFirst();
    await refresh('first');
    expect((await cellsOf('first', 'outcome')).flat()).toEqual(['accepted', 'rejected', 'rejected', 'declined']);
    await sendCorrection('fixed', [
      ['sim 5b', 5],
      ['sim 3', 3],
    ]);
    await refresh('fixed');
    expect(services.waiting('report').map(({ body }) => body)).toEqual([{ importId: 'first' }]);
    const item = await refresh('first');
    expect(await cellsOf('first', 'SIM', 'Depot', 'importId', 'line', 'outcome', 'portId')).toEqual([
      ['sim 2', 'north', 'first', '2', 'accepted', 'first'],
      ['sim 3', 'depot of sim 3', 'first', '3', 'accepted', 'fixed'],
      ['sim Y', 'west', 'first', '4', 'rejected', ''],
      ['sim 5b', 'depot of sim 5b', 'first', '5', 'accepted', 'fixed'],
    ]);
    expect(item?.outcomes).toEqual({ accepted: 3, rejected: 1 });
    const index = resultsIndex.parse(JSON.parse(await textOf(resultsIndexKey('first'))));
    expect(index).toMatchObject({ outcomes: { accepted: 3, rejected: 1 }, corrected: '3,5' });
    // The rows of the first file itself, with which the command line counts.
    expect(index.lines).toEqual({ rejected: '3-4', declined: '5' });
  });

  test('a large import shows how far its corrections are, before its files are written again', async () => {
    await sendFirst();
    // As many rows as results.csv does not follow.
    await rig.imports.update('first', { rows: 20_001 });
    const rows = [
      ['sim 3', 3],
      ['sim 5b', 5],
    ] as const;
    await sendCorrection('large-one', rows, { endedAt: undefined, dueAt: endedAt });
    await rig.imports.update('large-one', { rows: 20_001 });
    const waiting = await rig.request('large-one');
    await rig.requests.replace(waiting, { ...waiting, simRows: { 'in-progress': 2 } });
    await refresh('large-one');
    const before = await refresh('first');
    expect(before?.outcomes).toEqual({ accepted: 1, 'in-progress': 2, rejected: 1 });
    const sent = await rig.request('large-one');
    await rig.requests.replace(sent, { ...sent, simRows: { complete: 2 } });
    await refresh('large-one');
    const after = await refresh('first');
    expect(after?.outcomes).toEqual({ complete: 2, accepted: 1, rejected: 1 });
    expect(after?.reported).toBe(before?.reported);
  });

  test('a declined row leaves the correction file of the first import when a correction has sent it', async () => {
    await sendFirst();
    expect((await refresh('first'))?.corrections).toEqual({ provision: 1 });
    await sendCorrection('fixed', [['sim 5b', 5]]);
    await refresh('fixed');
    expect((await refresh('first'))?.corrections).toEqual({ provision: 0 });
    expect(await recordsOf(correctionKey('first', 'provision'))).toHaveLength(1);
  });

  test('the first file is read after its corrections, so that no connection waits for them', async () => {
    await sendFirst();
    await sendCorrection('fixed', [['sim 3', 3]]);
    const opened: string[] = [];
    const read: typeof rig.files.read = async (ref, range) => {
      if (ref.bucket === 'inbox') opened.push(ref.key);
      return rig.files.read(ref, range);
    };
    await report('first', { ...parts(), files: { ...rig.files, read } });
    // Its header, its corrections, and its rows.
    expect(opened).toEqual(['provision/first.csv', 'provision/fixed.csv', 'provision/first.csv']);
  });

  test('a row that is still invalid keeps the cells and the errors of the first file', async () => {
    await sendFirst();
    await sendCorrection('wrong', [['sim Z', 3]]);
    const issue = { line: 2, column: 'SIM', code: 'SIM_SHAPE', message: 'worse', severity: 'error' };
    const Body = `${JSON.stringify(issue)}\n`;
    await services.s3.send(new PutObjectCommand({ Bucket: 'results', Key: 'imports/wrong/issues.ndjson', Body }));
    await refresh('first');
    expect((await cellsOf('first', 'SIM', 'outcome', 'message'))[1]).toEqual(['sim X', 'rejected', 'SIM: bad']);
  });

  test('of two corrections of a row, the success counts, whichever was reported on last', async () => {
    await sendFirst();
    await sendCorrection('one', [['sim 3', 3]]);
    const declined = { state: 'declined', ticket: undefined, error: { kind: 'rejected', message: 'twice' } } as const;
    await sendCorrection('other', [['sim 3b', 3]], declined);
    for (const importId of ['other', 'first', 'one', 'first', 'other', 'first']) await refresh(importId);
    expect((await cellsOf('first', 'SIM', 'outcome', 'portId'))[1]).toEqual(['sim 3', 'accepted', 'one']);
  });

  test('a correction that changes while the files of its first import are written is in them at the end', async () => {
    await sendFirst();
    await sendCorrection('fixed', [['sim 3', 3]], { state: 'in-flight', endedAt: undefined, dueAt: endedAt });
    await refresh('fixed');
    let writes = 0;
    const updateReading: typeof rig.imports.updateReading = async (...change) => {
      writes += 1;
      if (writes === 1) {
        const sent = await rig.request('fixed');
        await rig.requests.replace(sent, { ...sent, ...accepted, dueAt: undefined });
        await refresh('fixed');
      }
      return rig.imports.updateReading(...change);
    };
    await report('first', { ...parts(), imports: { ...rig.imports, updateReading } });
    expect(writes).toBe(2);
    expect((await cellsOf('first', 'outcome'))[1]).toEqual(['accepted']);
  });

  test('a first import is written once for a change, and not for a correction that waits for approval', async () => {
    await sendFirst();
    await sendCorrection('fixed', [['sim 3', 3]]);
    await rig.imports.update('fixed', { planOnly: true, state: 'planned' });
    await refresh('first');
    expect((await cellsOf('first', 'outcome'))[1]).toEqual(['rejected']);
    await rig.imports.update('fixed', { approvedAt: '2026-07-06T11:00:00.000Z', state: 'submitting' });
    await refresh('fixed');
    await refresh('first');
    expect((await cellsOf('first', 'outcome'))[1]).toEqual(['accepted']);
    const open = () => {
      throw new Error('written again');
    };
    await report('first', { ...parts(), files: { ...rig.files, open } });
  });

  test('a run that ends before it has notified report of the first import is completed by the next delivery', async () => {
    await sendFirst();
    await sendCorrection('fixed', [['sim 3', 3]]);
    const send = () => Promise.reject(new Error('killed'));
    await expect(report('fixed', { ...parts(), queues: { send } })).rejects.toThrow('killed');
    await refresh('fixed');
    expect(services.waiting('report').map(({ body }) => body)).toEqual([{ importId: 'first' }]);
  });

  test('a correction that the refresh throttle stops leaves the first import to the delayed message', async () => {
    await sendFirst();
    await sendCorrection('fixed', [['sim 3', 3]]);
    await report('fixed', parts(), async () => false);
    expect(services.waiting('report')).toEqual([]);
  });

  test('a PAC of a correction is in no column of the first file that is not masked', async () => {
    const rows = ['Number;Code', '07700900001;A', 'x;B'];
    await begin('first', rows, { operation: 'create-port', columnIndexes: { msisdn: 0 }, hasParts: true });
    const chain = {
      operation: 'create-port',
      correctionOf: 'first',
      partOf: { importId: 'first', kind: 'correction' },
    } as const;
    const columnIndexes = { msisdn: 0, pac: 1 };
    const receivedAt = '2026-07-06T10:00:00.000Z';
    const records = ['Number;Code;importId;line', '07700900002;QZX123456;first;3'];
    await begin('fixed', records, { ...chain, columnIndexes, receivedAt });
    await rig.requests.plan([requestItemOf({ importId: 'fixed', state: 'planned', lines: '2', rowCount: 1 })]);
    await refresh('first');
    expect(await cellsOf('first', 'Number', 'Code', 'outcome')).toEqual([
      ['07700900001', 'A', 'waiting'],
      ['07700900002', '', 'waiting'],
    ]);
  });

  test('files that are written while the file is read again are those of the new reading at the end', async () => {
    await sendFirst();
    const object = { Bucket: 'inbox', Key: 'reading.json', Body: '{"rows":[],"leftOut":[]}' };
    const { ETag = '' } = await services.s3.send(new PutObjectCommand(object));
    const reading = { count: 2, key: object.Key, etag: ETag.replaceAll('"', '') };
    const written: (number | undefined)[] = [];
    const updateReading: typeof rig.imports.updateReading = async (item, ...change) => {
      if (written.length === 0) await rig.imports.update('first', { reading });
      written.push(item.reading?.count);
      return rig.imports.updateReading(item, ...change);
    };
    await report('first', { ...parts(), imports: { ...rig.imports, updateReading } });
    expect(written).toEqual([undefined, 2]);
  });
});
