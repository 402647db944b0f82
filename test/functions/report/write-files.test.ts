// The files that report writes for people to fill in.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { report } from '#functions/report/report.ts';
import {
  finishComparison,
  type MismatchedSim,
  type newComparison,
  restartComparison,
} from '#shared/outcome/service-comparison.ts';
import { packLines } from '#shared/request/packed-lines.ts';
import { streamCorrectionCsv } from '#shared/results/correction-rows.ts';
import { Rejected } from '#shared/service/errors.ts';
import { correctionKey, mismatchesKey, resultsKey } from '#shared/store/object-keys.ts';
import type { OperationName } from '#shared/text/identity.ts';
import { double } from '../../support/double.ts';
import { day, minute } from '../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { planRequest } from '../../support/steps/planned-requests.ts';
import { reportParts } from '../../support/steps/report.ts';
import { importItemOf, msisdnOf, plannedRowOf } from '../../support/steps/submit-and-sync.ts';

// Correction files, which a person fills in and imports again.
describe('corrections', () => {
  useFreshRig();

  const importId = 'import-a';
  const buckets = { resultsBucket: 'results', workBucket: 'work' };
  const call = () => report(importId, reportParts(rig));
  const correction = (kind: OperationName) =>
    rig.files.readText({ bucket: 'results', key: correctionKey(importId, kind) });
  const exists = async (kind: OperationName) =>
    (await rig.files.head({ bucket: 'results', key: correctionKey(importId, kind) })) !== undefined;

  /** The PACs of lines 2 and 4 are valid, those of lines 3 and 5 are not. */
  const mixed = ['ABC123456', 'INV123456', 'ABC123456', 'EXP123456'];

  async function dropped(
    header: string,
    rowOf: (index: number, pac: string) => string,
    pacs = mixed,
    client = rig.submitParts().client,
  ) {
    const key = `create-port/${importId}.csv`;
    const Body = `${[header, ...pacs.map((pac, index) => rowOf(index + 1, pac))].join('\n')}\n`;
    const { ETag = '' } = await services.s3.send(new PutObjectCommand({ Bucket: 'inbox', Key: key, Body }));
    await rig.imports.begin(
      importItemOf(importId, { key, etag: ETag.replaceAll('"', ''), rows: pacs.length, columnIndexes }),
    );
    const rows = pacs.map((pac, index) => plannedRowOf(index + 1, index + 2, pac));
    await rig.submit(await rig.planOne(importId, rows), { client });
    await settle();
  }

  async function settle() {
    for (let step = 0; step < 5; step += 1) {
      rig.pass(30 * minute);
      await rig.sync();
    }
  }

  const header = 'Mobile,pac code,Your Reference';
  const columnIndexes = { msisdn: 0, pac: 1, reference: 2 };
  const row = (index: number, pac: string) => `+44 7700 900 ${String(index).padStart(3, '0')},${pac},=ref ${index}`;

  describe('rows with an invalid PAC', () => {
    test('are in the update-port file with an empty pac, the reason and the reference', async () => {
      await dropped(header, row);
      const item = await call();
      const { portId } = await rig.request(importId);
      expect((await correction('update-port')).split('\r\n')).toEqual([
        '\uFEFFmsisdn,portId,pac,reason,importId,line,reference',
        `+44 7700 900 002,${portId},,PacInvalid: The PAC is not valid for this number.,import-a,3,'=ref 2`,
        `+44 7700 900 004,${portId},,PacInvalidDate: The PAC is not valid on the connection date.,import-a,5,'=ref 4`,
        '',
      ]);
      expect(item?.corrections).toEqual({ 'update-port': 2, 'create-port': 0 });
      expect(await exists('create-port')).toBe(false);
    });

    test('leave the file when they are fixed, so that no row is imported twice', async () => {
      await dropped(header, row);
      await call();
      const { portId = '' } = await rig.request(importId);
      const Rows = [2, 4].map((index) => ({
        Msisdn: `0${msisdnOf(index).slice(2)}`,
        Pac: 'ABC123456',
        PortRowStatus: 'Amended' as const,
      }));
      await rig.submitParts().client.updatePort(portId, { Rows });
      await settle();
      expect((await call())?.corrections).toEqual({ 'update-port': 0, 'create-port': 0 });
      expect(await correction('update-port')).toBe('\uFEFFmsisdn,portId,pac,reason,importId,line,reference\r\n');
    });
  });

  test('an import without an invalid PAC has no correction file', async () => {
    await dropped(header, row, ['ABC123456', 'ABC123456']);
    await call();
    expect(await exists('update-port')).toBe(false);
  });

  test('rows that were removed from their port are in the create-port file, whole but without the PAC, like in rejected.csv', async () => {
    await dropped(`${header},importId,line,errors`, (index, pac) => `${row(index, pac)},first,7,earlier`);
    const { portId = '' } = await rig.request(importId);
    const Rows = [{ Msisdn: `0${msisdnOf(2).slice(2)}`, PortRowStatus: 'CancellationRequested' as const }];
    await rig.submitParts().client.updatePort(portId, { Rows });
    await settle();
    const seen = await rig.request(importId);
    await rig.requests.replace(seen, { ...seen, removedRows: packLines([3]) });
    expect((await call())?.corrections).toEqual({ 'update-port': 1, 'create-port': 1 });
    expect((await correction('create-port')).split('\r\n')).toEqual([
      '\uFEFFMobile,pac code,Your Reference,importId,line,errors',
      expect.stringMatching(/^\+44 7700 900 002,,'=ref 2,import-a,3,Cancelled(: .*)?$/),
      '',
    ]);
  });

  test('a large import, whose files do not follow every change, gets the file when the rows have left their port', async () => {
    await dropped(header, row);
    await rig.imports.update(importId, { rows: 1_000_000 });
    const seen = await rig.request(importId);
    await rig.requests.replace(seen, { ...seen, removedRows: packLines([3, 5]) });
    const { portId = '' } = seen;
    const Rows = [2, 4].map((index) => ({
      Msisdn: `0${msisdnOf(index).slice(2)}`,
      PortRowStatus: 'CancellationRequested' as const,
    }));
    await rig.submitParts().client.updatePort(portId, { Rows });
    rig.pass(minute / 2);
    await rig.ports
      .get(portId)
      .then((port) => port && rig.ports.touch(port, { ...port, dueAt: new Date(0).toISOString() }));
    await rig.sync();
    expect((await call())?.corrections).toEqual({ 'update-port': 0, 'create-port': 0 });
    await settle();
    expect((await call())?.corrections).toEqual({ 'update-port': 0, 'create-port': 2 });
  });

  describe('declined rows', () => {
    const sims = ['8944110068123456787', '8944110068123456795', '8944110068123456803'];

    /** Uploaded with semicolons; the service declines the SIM of line 3 by name. */
    async function sendTexts() {
      const key = `send-sms/${importId}.csv`;
      const Body = `SIM;Text;Depot\n${sims.map((sim, index) => `${sim};STATUS?;=depot ${index}`).join('\n')}\n`;
      const { ETag = '' } = await services.s3.send(new PutObjectCommand({ Bucket: 'inbox', Key: key, Body }));
      const file = { key, etag: ETag.replaceAll('"', ''), columnIndexes: { serialNumber: 0, message: 1 } };
      const layout = { headerLine: 1, delimiter: ';' as const };
      await rig.imports.begin(importItemOf(importId, { ...file, operation: 'send-sms', rows: sims.length, layout }));
      const rows = sims.map((subject, index) => ({ line: index + 2, subject, wire: {} }));
      const head = { networkNumber: 232, message: 'STATUS?', binary: false };
      const message = await planRequest(rig, { importId, operation: 'send-sms', head, rows });
      const submit = async (_path: string, body: unknown): Promise<string> => {
        if (!JSON.stringify(body).includes(sims[1] ?? '')) return 'ticket-1';
        const fieldErrors = [{ field: 'serialNumbers[1]', message: 'the SIM is not on hire' }];
        throw new Rejected({ message: 'invalid', fieldErrors, msisdns: [] }, { call: 'POST /api', status: 400 });
      };
      const client = { ...rig.submitParts().client, submit };
      expect([await rig.submit(message, { client }), await rig.submit(message, { client })]).toEqual([
        'planned',
        'accepted',
      ]);
    }

    test('are in the file of their operation: their columns and separator, the line and the reason', async () => {
      await sendTexts();
      expect(await call()).toMatchObject({ corrections: { 'send-sms': 1 }, outcomes: { accepted: 2, declined: 1 } });
      expect((await correction('send-sms')).split('\r\n')).toEqual([
        '\uFEFFSIM;Text;Depot;importId;line;errors',
        `${sims[1]};STATUS?;'=depot 1;import-a;3;the SIM is not on hire`,
        '',
      ]);
      expect(await exists('update-port')).toBe(false);
    });

    test('of create-port have no PAC in the results bucket, and keep it in the file that a person saves', async () => {
      const submit = async () => {
        throw new Rejected({ message: 'the account is closed', fieldErrors: [], msisdns: [] }, { call: 'POST /api' });
      };
      await dropped(header, row, ['ABC123456'], { ...rig.submitParts().client, createPort: submit });
      expect((await call())?.corrections).toEqual({ 'update-port': 0, 'create-port': 1 });
      const stored = await correction('create-port');
      expect(stored).toContain("\r\n+44 7700 900 001,,'=ref 1,import-a,2,the account is closed\r\n");
      const item = await rig.imports.get(importId);
      const sources = { ...rig, resources: { account: 1001, callingCode: '44', ...buckets } };
      const saved = await Array.fromAsync(streamCorrectionCsv(sources, item ?? importItemOf(importId), 'create-port'));
      expect(saved.join('')).toBe(stored.replace(',,', ',ABC123456,'));
    });
  });
});

describe('service mismatches', () => {
  useFreshRig();

  const mismatched: MismatchedSim = {
    line: 3,
    msisdn: msisdnOf(2),
    serialNumber: '89440000000000000012',
    services: [
      { name: 'Premium Rate Calls', type: 'Bar', requested: 'false', actual: 'true' },
      { name: 'Roaming', type: 'Service', requested: 'true', actual: 'false' },
      { name: 'Gone', type: '', requested: 'true', actual: null },
    ],
  };

  /** An import of two rows whose port is complete; the SIM of the second row has a mismatch. */
  async function completeWithMismatch(): Promise<void> {
    const key = 'create-port/import-a.csv';
    const Body = `msisdn\n${msisdnOf(1)}\n${msisdnOf(2)}\n`;
    const { ETag = '' } = await services.s3.send(new PutObjectCommand({ Bucket: 'inbox', Key: key, Body }));
    await rig.imports.begin(importItemOf('import-a', { key, etag: ETag.replaceAll('"', ''), rows: 2 }));
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2), plannedRowOf(2, 3)]));
    rig.pass(4 * day);
    await rig.sync({ comparisons: double({ due: async () => [], replace: async () => false }) });
    await change((item) =>
      finishComparison({ ...item, networkNumber: 101, sims: [mismatched], everFound: true }, rig.service.now()),
    );
  }
  async function change(
    step: (item: ReturnType<typeof newComparison>) => ReturnType<typeof newComparison>,
  ): Promise<void> {
    for await (const item of rig.comparisons.ofImport('import-a'))
      expect(await rig.comparisons.replace(item, step(item))).toBe(true);
  }
  const write = () => report('import-a', reportParts(rig));
  const textOf = (key: string): Promise<string> => rig.files.readText({ bucket: 'results', key });

  test('results.csv shows the mismatch on its row, and the file that fixes it', async () => {
    await completeWithMismatch();
    expect(await write()).toMatchObject({ state: 'finished', mismatches: { sims: 1 } });
    const [, first, second] = (await textOf(resultsKey('import-a'))).split('\r\n');
    expect(first).toMatch(
      /^447700900001,import-a,2,complete,[^,]+,Complete,,,2026-07-08,2026-07-06T09:00:00\.000Z,2026-07-\d\dT[\d:.]+Z$/,
    );
    expect(second).toContain(
      '"Premium Rate Calls is allow instead of block; Roaming is off instead of on; Gone is not set instead of true"'.slice(
        1,
        -1,
      ),
    );
    expect(second).toContain('Import mismatches-bar-service-config.csv of this import');
  });

  test('the file sets the services that differ, and omits a service that the SIM does not have', async () => {
    await completeWithMismatch();
    await write();
    expect(await textOf(mismatchesKey('import-a'))).toBe(
      '\uFEFFserialNumber,network,services,reference\r\n' +
        '89440000000000000012,101,"Premium Rate Calls=block;Roaming=on",447700900002 line 3\r\n',
    );
  });

  test('after the fix the file is empty and the row has no message', async () => {
    await completeWithMismatch();
    await write();
    await change((item) => restartComparison(item, rig.service.now()));
    await change((item) => finishComparison({ ...item, sims: [] }, rig.service.now()));
    expect(await write()).toMatchObject({ mismatches: { sims: 0 } });
    expect(await textOf(mismatchesKey('import-a'))).toBe('\uFEFFserialNumber,network,services,reference\r\n');
    expect(await textOf(resultsKey('import-a'))).not.toContain('instead of');
  });

  test('an import without a mismatch has no such file', async () => {
    await completeWithMismatch();
    await change((item) => ({ ...finishComparison({ ...item, sims: [] }, rig.service.now()), everFound: false }));
    await write();
    expect(await rig.files.head({ bucket: 'results', key: mismatchesKey('import-a') })).toBeUndefined();
  });
});
