import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { OutOfTime } from '#functions/report/out-of-time.ts';
import { report, resultsKey } from '#functions/report/report.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { Ambiguous, Rejected } from '#shared/porting/errors.ts';
import { hour, minute } from '../../support/porting-service.ts';
import { rig, services } from '../../support/results-fresh.ts';
import { importItemOf, msisdnOf, plannedRowOf, silentLog } from '../../support/results-rig.ts';

const header = 'msisdn,serialNo,pac,reference';
/** Line 2 holds number 1, and so on. */
const lineOf = (index: number, pac = 'ABC123456') =>
  `0${msisdnOf(index).slice(2)},894411${index},${pac},"ref, ${index}"`;
const call = 'POST /api/porting/1001';

const dropFile = async (importId: string, lines: readonly string[], changes: Partial<ImportItem> = {}) => {
  const key = `create-port/${importId}.csv`;
  const Body = `${[header, ...lines].join('\n')}\n`;
  const { ETag = '' } = await services.s3.send(new PutObjectCommand({ Bucket: 'inbox', Key: key, Body }));
  await rig.imports.begin(
    importItemOf(importId, { key, etag: ETag.replaceAll('"', ''), rows: lines.length, ...changes }),
  );
};
const issuesOf = (importId: string, issues: readonly unknown[]) =>
  services.s3.send(
    new PutObjectCommand({
      Bucket: 'results',
      Key: `imports/${importId}/issues.ndjson`,
      Body: issues.map((issue) => `${JSON.stringify(issue)}\n`).join(''),
    }),
  );
const parts = () => ({
  imports: rig.imports,
  requests: rig.requests,
  ports: rig.ports,
  drifts: rig.drifts,
  files: rig.files,
  operationNamed,
  resultsBucket: 'results',
  wall: rig.service.now,
  remainingMs: () => 900_000,
  log: silentLog,
});
const resultsOf = async (importId: string): Promise<string[]> =>
  (await rig.files.readText({ bucket: 'results', key: resultsKey(importId) })).trimEnd().split('\r\n');
const failing = (error: unknown) => ({ ...rig.submitParts().client, createPort: () => Promise.reject(error) });

describe('the import itself', () => {
  test('goes from submitting over following to completed, whatever the order of messages', async () => {
    await dropFile('import-a', [lineOf(1), lineOf(2)], { requestCount: 2 });
    const messages = await rig.plan('import-a', [[plannedRowOf(1, 2)], [plannedRowOf(2, 3)]]);
    expect(await report('import-a', parts())).toMatchObject({ state: 'submitting', requests: { planned: 2 } });
    for (const message of messages) await rig.submit(message);
    expect(await report('import-a', parts())).toMatchObject({
      state: 'following',
      requests: { created: 2 },
      ports: { Created: 2 },
    });
    for (let step = 0; step < 36; step += 1) {
      rig.pass(2 * hour);
      await rig.sync();
    }
    expect(await report('import-a', parts())).toMatchObject({ state: 'completed', ports: { Complete: 2 } });
    expect(await report('import-a', parts())).toMatchObject({ state: 'completed' });
  });

  test('is never rolled back by an older count that arrives late', async () => {
    await dropFile('import-a', [lineOf(1)]);
    const message = await rig.planOne('import-a', [plannedRowOf(1, 2)]);
    const old = await rig.request('import-a');
    await rig.submit(message);
    await report('import-a', parts());
    const late = {
      ...parts(),
      requests: {
        async *ofImport() {
          yield old;
        },
      },
    };
    expect(await report('import-a', late)).toBeUndefined();
    expect(await rig.imports.get('import-a')).toMatchObject({ state: 'following', requests: { created: 1 } });
  });

  test('was changed when its requests were, not when somebody looked', async () => {
    await dropFile('import-a', [lineOf(1)]);
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2)]));
    const seen = await report('import-a', parts());
    rig.pass(hour);
    expect((await report('import-a', parts()))?.changedAt).toBe(seen?.changedAt);
    await rig.sync();
    expect((await report('import-a', parts()))?.changedAt).not.toBe(seen?.changedAt);
  });

  test('is left as it is while it rests, and so is the file', async () => {
    await dropFile('import-a', [lineOf(1)]);
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2)]));
    const asked: string[] = [];
    const rests = async ({ importId }: ImportItem): Promise<boolean> => {
      asked.push(importId);
      return false;
    };
    expect(await report('import-a', parts(), rests)).toMatchObject({ state: 'submitting', requests: {} });
    expect(await rig.files.head({ bucket: 'results', key: resultsKey('import-a') })).toBeUndefined();
    expect(asked).toEqual(['import-a']);
  });

  test('is told as it is refused, however large it is: there is nothing to read', async () => {
    await dropFile('import-a', [lineOf(1)], { state: 'refused' });
    await report('import-a', parts(), async () => false);
    expect(await resultsOf('import-a')).toHaveLength(2);
  });

  test('waits while not all of its requests are in the ledger', async () => {
    await dropFile('import-a', [lineOf(1), lineOf(2)], { requestCount: 2 });
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2)]));
    expect(await report('import-a', parts())).toMatchObject({ state: 'submitting' });
  });
});

describe('results.csv', () => {
  test('has every line of the file in its order, its own columns, and what became of it', async () => {
    await dropFile('import-a', [lineOf(1), lineOf(2, 'INV123456'), lineOf(3, 'nonsense'), lineOf(4)]);
    await issuesOf('import-a', [
      { line: 2, column: 'reference', code: 'CELL_TOO_LONG', message: 'long', severity: 'warning' },
      { line: 4, column: 'pac', code: 'PAC_SHAPE', message: 'not a PAC', severity: 'error' },
      { line: 4, column: null, code: 'RECORD_TOO_LONG', message: 'odd', severity: 'error' },
    ]);
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2), plannedRowOf(2, 3, 'INV123456')]));
    for (let step = 0; step < 5; step += 1) {
      rig.pass(30 * minute);
      await rig.sync();
    }
    await report('import-a', parts());
    const { portId } = await rig.request('import-a');
    const rows = await resultsOf('import-a');
    expect(rows).toEqual([
      'msisdn,serialNo,pac,reference,line,outcome,portId,status,message,whatToDo',
      `07700900001,8944111,***456,"ref, 1",2,in-progress,${portId},Pac Check Failed,held by line 3,`,
      expect.stringMatching(
        `^07700900002,8944112,\\*\\*\\*456,"ref, 2",3,attention,${portId},PacInvalid,.*amend the line`,
      ),
      '07700900003,8944113,***nse,"ref, 3",4,rejected,,,"pac: not a PAC; odd",mend the row in rejected.csv and drop that file',
      '07700900004,8944114,***456,"ref, 4",5,waiting,,,,nothing: it will be sent',
    ]);
  });

  test('tells the line that a refusal names from those that were sent without it', async () => {
    await dropFile('import-a', [lineOf(1), lineOf(2)]);
    const refusal = { message: '07700900002 is on the stock records', fieldErrors: [], msisdns: ['07700900002'] };
    const client = failing(new Rejected(refusal, { call, status: 422 }));
    const message = await rig.planOne('import-a', [plannedRowOf(1, 2), plannedRowOf(2, 3)]);
    await rig.submit(message, { client });
    await rig.submit(message);
    expect(await report('import-a', parts())).toMatchObject({ state: 'following', withdrawnRows: 1 });
    const [, first, second] = await resultsOf('import-a');
    expect(first).toContain(',in-progress,');
    expect(second).toContain('refused,,,07700900002 is on the stock records,mend what the message says');
  });

  test('tells the lines that a refusal names from those that fell with them', async () => {
    await dropFile('import-a', [lineOf(1), lineOf(2)]);
    const refusal = { message: '07700900002 is on the stock records', fieldErrors: [], msisdns: ['07700900002'] };
    const client = failing(new Rejected(refusal, { call, status: 422 }));
    const settings = { ...rig.submitParts().settings, retryWithoutRefused: false };
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2), plannedRowOf(2, 3)]), { client, settings });
    expect(await report('import-a', parts())).toMatchObject({ state: 'completed' });
    const [, first, second] = await resultsOf('import-a');
    expect(first).toContain('refused,,,refused together with line 3');
    expect(second).toContain('on the stock records');
  });

  test('says of a withdrawn line which import holds its number, and of an unknown one that it is being found out', async () => {
    await rig.submit(await rig.planOne('import-0', [plannedRowOf(1, 7)]));
    await dropFile('import-a', [lineOf(1), lineOf(2)]);
    const message = await rig.planOne('import-a', [plannedRowOf(1, 2), plannedRowOf(2, 3)]);
    await rig.submit(message, { client: failing(new Ambiguous('reset', { call })) });
    await report('import-a', parts());
    const [, first, second] = await resultsOf('import-a');
    expect(first).toContain('withdrawn,,,"447700900001 is on line 7 of import import-0');
    expect(second).toContain(',unknown,');
  });

  test('of a refused file says of every good line that nothing was sent', async () => {
    await dropFile('import-a', [lineOf(1), lineOf(2)], { state: 'refused' });
    await issuesOf('import-a', [
      { line: 3, column: 'pac', code: 'PAC_SHAPE', message: 'not a PAC', severity: 'error' },
    ]);
    await report('import-a', parts());
    const [, first, second] = await resultsOf('import-a');
    expect(first).toContain('not-sent');
    expect(second).toContain('rejected');
  });

  test('is written again after a crash that came between the count and the file', async () => {
    await dropFile('import-a', [lineOf(1)]);
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2)]));
    const broken = { ...parts(), files: { ...rig.files, read: () => Promise.reject(new Error('killed')) } };
    await expect(report('import-a', broken)).rejects.toThrow('killed');
    await report('import-a', parts());
    expect(await resultsOf('import-a')).toHaveLength(2);
  });

  test('is left as it was when time runs out, be it over the requests or over the lines', async () => {
    await dropFile('import-a', [lineOf(1)]);
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2)]));
    for (const looks of [0, 1, 2]) {
      let left = looks;
      const remainingMs = () => (left-- > 0 ? 15_000 : 14_999);
      await expect(report('import-a', { ...parts(), remainingMs })).rejects.toThrow(OutOfTime);
      expect(await rig.files.head({ bucket: 'results', key: resultsKey('import-a') })).toBeUndefined();
    }
    await report('import-a', parts());
    expect(await resultsOf('import-a')).toHaveLength(2);
  });

  test('is not written again when nothing new is to be said', async () => {
    await dropFile('import-a', [lineOf(1)]);
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2)]));
    await report('import-a', parts());
    const first = await rig.files.head({ bucket: 'results', key: resultsKey('import-a') });
    const never = {
      ...parts(),
      files: {
        ...rig.files,
        open: () => {
          throw new Error('written again');
        },
      },
    };
    await report('import-a', never);
    expect(first?.bytes).toBeGreaterThan(0);
  });

  test('escapes what a spreadsheet would run, and leaves numbers alone', async () => {
    await dropFile('import-a', ['+447700900001,8944111,ABC123456,=cmd()']);
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2)]));
    await report('import-a', parts());
    expect((await resultsOf('import-a'))[1]).toMatch(/^\+447700900001,8944111,\*\*\*456,'=cmd\(\),2/);
  });

  test('stays as it is once the file has expired', async () => {
    await dropFile('import-a', [lineOf(1)], { etag: 'another' });
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2)]));
    expect(await report('import-a', parts())).toMatchObject({ state: 'following' });
    expect(await rig.files.head({ bucket: 'results', key: resultsKey('import-a') })).toBeUndefined();
  });
});
