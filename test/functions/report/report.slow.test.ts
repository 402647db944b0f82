import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { report } from '#functions/report/report.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { createDeadline, DeadlineExceeded } from '#shared/runtime/clock.ts';
import { Ambiguous, Rejected } from '#shared/service/errors.ts';
import { resultsKey } from '#shared/store/object-keys.ts';
import { startResultsServices } from '../../support/embedded/services.ts';
import { hour, minute } from '../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { reportParts } from '../../support/steps/report.ts';
import { importItemOf, msisdnOf, plannedRowOf, quietMs } from '../../support/steps/submit-and-sync.ts';

useFreshRig(startResultsServices);

const header = 'msisdn,serialNo,pac,reference';
const columnIndexes = { msisdn: 0, serialNo: 1, pac: 2, reference: 3 };
/** Line 2 has number 1, and so on. */
const lineOf = (index: number, pac = 'ABC123456') =>
  `0${msisdnOf(index).slice(2)},894411${index},${pac},"ref, ${index}"`;
const call = 'POST /api/porting/1001';

const dropFile = async (importId: string, lines: readonly string[], changes: Partial<ImportItem> = {}) => {
  const key = `create-port/${importId}.csv`;
  const Body = `${[header, ...lines].join('\n')}\n`;
  const { ETag = '' } = await services.s3.send(new PutObjectCommand({ Bucket: 'inbox', Key: key, Body }));
  await rig.imports.begin(
    importItemOf(importId, { key, etag: ETag.replaceAll('"', ''), rows: lines.length, columnIndexes, ...changes }),
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
const parts = () => reportParts(rig);
const resultsOf = async (importId: string): Promise<string[]> =>
  (await rig.files.readText({ bucket: 'results', key: resultsKey(importId) })).trimEnd().split('\r\n');
const failing = (error: unknown) => ({ ...rig.submitParts().client, createPort: () => Promise.reject(error) });

describe('the import itself', () => {
  test('goes from submitting over in-progress to finished, for any order of messages', async () => {
    await dropFile('import-a', [lineOf(1), lineOf(2)], { requestCount: 2 });
    const messages = await rig.plan('import-a', [[plannedRowOf(1, 2)], [plannedRowOf(2, 3)]]);
    expect(await report('import-a', parts())).toMatchObject({ state: 'submitting', requests: { planned: 2 } });
    for (const message of messages) await rig.submit(message);
    expect(await report('import-a', parts())).toMatchObject({
      state: 'in-progress',
      requests: { created: 2 },
      ports: { Created: 2 },
    });
    for (let step = 0; step < 36; step += 1) {
      rig.pass(2 * hour);
      await rig.sync();
    }
    expect(await report('import-a', parts())).toMatchObject({ state: 'finished', ports: { Complete: 2 } });
    expect(await report('import-a', parts())).toMatchObject({ state: 'finished' });
  });

  test('is never overwritten by older totals that arrive late', async () => {
    await dropFile('import-a', [lineOf(1)]);
    const message = await rig.planOne('import-a', [plannedRowOf(1, 2)]);
    const old = await rig.request('import-a');
    await rig.submit(message);
    await report('import-a', parts());
    const late = {
      ...parts(),
      requests: {
        ...rig.requests,
        async *ofImport() {
          yield old;
        },
      },
    };
    expect(await report('import-a', late)).toBeUndefined();
    expect(await rig.imports.get('import-a')).toMatchObject({ state: 'in-progress', requests: { created: 1 } });
  });

  test('changed when its requests did, not when it was read', async () => {
    await dropFile('import-a', [lineOf(1)]);
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2)]));
    const seen = await report('import-a', parts());
    rig.pass(hour);
    expect((await report('import-a', parts()))?.changedAt).toBe(seen?.changedAt);
    await rig.sync();
    expect((await report('import-a', parts()))?.changedAt).not.toBe(seen?.changedAt);
  });

  test('stays unchanged while it is throttled, and so does the file', async () => {
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

  test('is reported when it is rejected, for any size, because there is nothing to read', async () => {
    await dropFile('import-a', [lineOf(1)], { state: 'rejected' });
    await report('import-a', parts(), async () => false);
    expect(await resultsOf('import-a')).toHaveLength(2);
  });

  test('stays submitting while not all of its requests are in the ledger', async () => {
    await dropFile('import-a', [lineOf(1), lineOf(2)], { requestCount: 2 });
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2)]));
    expect(await report('import-a', parts())).toMatchObject({ state: 'submitting' });
  });
});

/** A decline that names numbers of the request is believed once the port list shows no port of the request. */
async function believeDecline(): Promise<void> {
  for (let run = 0; run < 4; run += 1) {
    rig.pass(quietMs);
    await rig.sync();
  }
}

describe('results.csv', () => {
  test('has every row of the file in order, with its own columns and its outcome', async () => {
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
      '\uFEFFmsisdn,serialNo,pac,reference,importId,line,outcome,portId,status,message,whatToDo,bookedDate,submittedAt,completedAt',
      `07700900001,8944111,***56,"ref, 1",import-a,2,in-progress,${portId},Pac Check Failed,Blocked by line 3,,2026-07-08,2026-07-06T09:00:00.000Z,`,
      expect.stringMatching(
        `^07700900002,8944112,\\*\\*\\*56,"ref, 2",import-a,3,action-required,${portId},PacInvalid,.*amend the row, or cancel the row",2026-07-08,2026-07-06T09:00:00.000Z,$`,
      ),
      '07700900003,8944113,***se,"ref, 3",import-a,4,rejected,,,"pac: not a PAC; odd",Fix the row in rejected.csv and import that file,,,',
      '07700900004,8944114,***56,"ref, 4",import-a,5,waiting,,,,No action needed: the row will be submitted,,,',
    ]);
  });

  test('distinguishes the row that a declined call names from the rows that were sent without it', async () => {
    await dropFile('import-a', [lineOf(1), lineOf(2)]);
    const decline = { message: '07700900002 is on the stock records', fieldErrors: [], msisdns: ['07700900002'] };
    const client = failing(new Rejected(decline, { call, status: 422 }));
    const message = await rig.planOne('import-a', [plannedRowOf(1, 2), plannedRowOf(2, 3)]);
    await rig.submit(message, { client });
    await believeDecline();
    await rig.submit(message);
    expect(await report('import-a', parts())).toMatchObject({
      state: 'in-progress',
      skippedRows: 0,
      progress: { outcomes: { declined: 1 } },
    });
    const [, first, second] = await resultsOf('import-a');
    expect(first).toContain(',in-progress,');
    expect(second).toContain('declined,,,07700900002 is on the stock records,Fix what the message names');
  });

  test('distinguishes the rows that a declined call names from the rows that were declined with them', async () => {
    await dropFile('import-a', [lineOf(1), lineOf(2)]);
    const decline = { message: '07700900002 is on the stock records', fieldErrors: [], msisdns: ['07700900002'] };
    const client = failing(new Rejected(decline, { call, status: 422 }));
    const settings = { ...rig.submitParts().settings, retryWithoutDeclined: false };
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2), plannedRowOf(2, 3)]), { client, settings });
    await believeDecline();
    expect(await report('import-a', parts())).toMatchObject({ state: 'finished' });
    const [, first, second] = await resultsOf('import-a');
    expect(first).toContain('declined,,,Declined together with line 3');
    expect(second).toContain('on the stock records');
  });

  test('shows which import has the number of a skipped row, and that an outcome is unknown', async () => {
    await rig.submit(await rig.planOne('import-0', [plannedRowOf(1, 7)]));
    await dropFile('import-a', [lineOf(1), lineOf(2)]);
    const message = await rig.planOne('import-a', [plannedRowOf(1, 2), plannedRowOf(2, 3)]);
    await rig.submit(message, { client: failing(new Ambiguous('reset', { call })) });
    await report('import-a', parts());
    const [, first, second] = await resultsOf('import-a');
    expect(first).toContain('skipped,,,447700900001 is already in progress on line 7 of import import-0');
    expect(second).toContain(',unknown,');
  });

  test('of a rejected file shows for every valid row that nothing was submitted', async () => {
    await dropFile('import-a', [lineOf(1), lineOf(2)], { state: 'rejected' });
    await issuesOf('import-a', [
      { line: 3, column: 'pac', code: 'PAC_SHAPE', message: 'not a PAC', severity: 'error' },
    ]);
    await report('import-a', parts());
    const [, first, second] = await resultsOf('import-a');
    expect(first).toContain('not-sent');
    expect(second).toContain('rejected');
  });

  test('of a file whose header was never read has the reason once, and no cell of the file', async () => {
    const issue = { line: 0, column: null, code: 'FILE_NOT_CSV', message: 'not a CSV', severity: 'error' } as const;
    await dropFile('import-a', [lineOf(1)], { state: 'rejected', issues: [issue], columnIndexes: undefined });
    await report('import-a', parts());
    expect(await resultsOf('import-a')).toEqual([
      '\uFEFFimportId,line,outcome,portId,status,message,whatToDo,bookedDate,submittedAt,completedAt',
      'import-a,0,rejected,,,not a CSV,Fix the file and import it again,,,',
    ]);
  });

  test('is written again after a crash between the totals and the file', async () => {
    await dropFile('import-a', [lineOf(1)]);
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2)]));
    const broken = { ...parts(), files: { ...rig.files, read: () => Promise.reject(new Error('killed')) } };
    await expect(report('import-a', broken)).rejects.toThrow('killed');
    await report('import-a', parts());
    expect(await resultsOf('import-a')).toHaveLength(2);
  });

  test('stays as it was when time runs out, with the requests or with the rows', async () => {
    await dropFile('import-a', [lineOf(1)]);
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2)]));
    for (const looks of [0, 1, 2]) {
      let left = looks;
      const deadline = createDeadline(() => (left-- > 0 ? 15_000 : 14_999));
      await expect(report('import-a', { ...parts(), deadline })).rejects.toThrow(DeadlineExceeded);
      expect(await rig.files.head({ bucket: 'results', key: resultsKey('import-a') })).toBeUndefined();
    }
    await report('import-a', parts());
    expect(await resultsOf('import-a')).toHaveLength(2);
  });

  test('is not written again when it would show nothing new', async () => {
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

  test('escapes what a spreadsheet would run, but not numbers', async () => {
    await dropFile('import-a', ['+447700900001,8944111,ABC123456,=cmd()']);
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2)]));
    await report('import-a', parts());
    expect((await resultsOf('import-a'))[1]).toMatch(/^\+447700900001,8944111,\*\*\*56,'=cmd\(\),import-a,2/);
  });

  test('stays as it is when the upload has expired', async () => {
    await dropFile('import-a', [lineOf(1)], { etag: 'another' });
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2)]));
    expect(await report('import-a', parts())).toMatchObject({ state: 'in-progress' });
    expect(await rig.files.head({ bucket: 'results', key: resultsKey('import-a') })).toBeUndefined();
  });
});
