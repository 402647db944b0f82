// The files of an import end with the last state of the table, whatever was read in between.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { report } from '#functions/report/report.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { portKey, portRowsKey } from '#shared/port/port.ts';
import { stoppedError } from '#shared/request/request-state.ts';
import { resultsKey } from '#shared/store/object-keys.ts';
import { createPorts } from '#shared/store/ports.ts';
import { hour } from '../../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../../support/steps/fresh-services.ts';
import { requestItemOf } from '../../../support/steps/ledger-items.ts';
import { reportParts } from '../../../support/steps/report.ts';
import { importItemOf, msisdnOf, plannedRowOf } from '../../../support/steps/submit-and-sync.ts';

describe('the last state', () => {
  useFreshRig();

  const columnIndexes = { msisdn: 0, serialNo: 1, pac: 2 };

  async function startImport(rows: number, changes: Partial<ImportItem> = {}): Promise<string> {
    const key = 'create-port/import-a.csv';
    const lines = Array.from({ length: rows }, (_, at) => `0${msisdnOf(at + 1).slice(2)},894411${at},ABC123456`);
    const Body = `${['msisdn,serialNo,pac', ...lines].join('\n')}\n`;
    const { ETag = '' } = await services.s3.send(new PutObjectCommand({ Bucket: 'inbox', Key: key, Body }));
    const file = { key, etag: ETag.replaceAll('"', ''), rows, accepted: rows, columnIndexes };
    await rig.imports.begin(importItemOf('import-a', { ...file, ...changes }));
    await rig.submit(
      await rig.planOne(
        'import-a',
        lines.map((_, at) => plannedRowOf(at + 1, at + 2)),
      ),
    );
    return (await rig.request('import-a')).portId ?? '';
  }

  type Detail = Awaited<ReturnType<typeof rig.porting.port>>;
  const answering = (change: (detail: Detail) => Partial<Detail>) => ({
    ...rig.porting,
    port: async (id: string): Promise<Detail> => {
      const detail = await rig.porting.port(id);
      return { ...detail, ...change(detail) };
    },
  });

  const readResults = async (): Promise<string[]> =>
    (await rig.files.readText({ bucket: 'results', key: resultsKey('import-a') })).trimEnd().split('\r\n').slice(1);

  /** The table as it was: a batch get that is not strongly consistent may answer so. */
  async function tableBehind(portId: string): Promise<DynamoDBDocumentClient> {
    const Keys = [portKey(portId), portRowsKey(portId)].map((key) => ({ ...key }));
    const before = await services.table.send(new BatchGetCommand({ RequestItems: { [rig.table]: { Keys } } }));
    const send = async (command: unknown) => {
      const asked = command instanceof BatchGetCommand ? command.input.RequestItems?.[rig.table] : undefined;
      if (asked === undefined || asked.ConsistentRead) return services.table.send(command as BatchGetCommand);
      const wanted = new Set(asked.Keys?.map(({ pk, sk }) => `${pk} ${sk}`));
      const items = before.Responses?.[rig.table]?.filter(({ pk, sk }) => wanted.has(`${pk} ${sk}`));
      return { Responses: { [rig.table]: items } };
    };
    return { send } as DynamoDBDocumentClient;
  }

  test('results.csv shows the end of a port, also if a replica of the table is behind', async () => {
    const portId = await startImport(1);
    await report('import-a', reportParts(rig));
    const behind = await tableBehind(portId);
    rig.pass(hour);
    const barred = ({ rows }: Detail) => ({
      statusName: 'Cancelled',
      rows: rows.map((row) => ({ ...row, statusName: 'Cancelled', message: 'the account is barred' })),
    });
    await rig.sync({ client: answering(barred) });
    await report('import-a', { ...reportParts(rig), ports: createPorts(behind, rig.table) });
    rig.pass(hour);
    await report('import-a', reportParts(rig));
    expect((await readResults())[0]).toContain('the account is barred');
  });

  test('results.csv shows a change of only the status, the message or the date', async () => {
    await startImport(2);
    const failed = (statusName: string, message: string, connectionDate: string) =>
      answering(({ rows }) => ({
        connectionDate,
        statusName: 'Pac Check Failed',
        rows: rows.map((row, at) => (at === 0 ? { ...row, statusName: 'PacValid' } : { ...row, statusName, message })),
      }));
    const show = async (...reading: Parameters<typeof failed>) => {
      rig.pass(6 * hour);
      await rig.sync({ client: failed(...reading) });
      await report('import-a', reportParts(rig));
      return (await readResults())[1];
    };
    await show('PacInvalid', 'wrong code', '2026-07-08T00:00:00');
    expect(await show('PacInvalid', 'another account', '2026-07-08T00:00:00')).toContain('another account');
    expect(await show('PacInvalidDate', 'another account', '2026-07-08T00:00:00')).toContain('PacInvalidDate');
    expect(await show('PacInvalidDate', 'another account', '2026-07-10T00:00:00')).toContain('2026-07-10');
  });

  test('an import that is resumed while report counts its requests is not shown as stopped', async () => {
    const stop = { kind: 'until-resumed', by: 'Sam', at: '2026-07-06T09:00:00.000Z' } as const;
    await rig.imports.begin(importItemOf('import-a', { state: 'stopped', requestCount: 1, stop }));
    await rig.requests.plan([requestItemOf({ importId: 'import-a', state: 'planned', error: stoppedError })]);
    const parts = reportParts(rig);
    const ofImport = async function* (importId: string) {
      yield* rig.requests.ofImport(importId);
      if ((await rig.imports.get('import-a'))?.stop?.kind === 'none') return;
      await rig.imports.update('import-a', { stop: { ...stop, kind: 'none' }, state: 'submitting' });
    };
    await report('import-a', { ...parts, requests: { ...parts.requests, ofImport } });
    expect(await rig.imports.get('import-a')).toMatchObject({ state: 'submitting', requests: { planned: 1 } });
  });

  test('results.csv of a large import is written when it ends, with the last messages', async () => {
    await startImport(1, { rows: 20_001 });
    const cancelled = (message: string) =>
      answering(({ rows }) => ({
        statusName: 'Cancelled',
        rows: rows.map((row) => ({ ...row, statusName: 'Cancelled', message })),
      }));
    rig.pass(hour);
    await rig.sync({ client: cancelled('barred') });
    expect(await report('import-a', reportParts(rig))).toMatchObject({ state: 'finished' });
    expect((await readResults())[0]).toContain('barred');
  });

  test.each([
    [333, 'follows every change'],
    [334, 'waits until its outcomes are final'],
  ])('while an import sends %i requests, results.csv %s', async (requestCount, how) => {
    await startImport(1, { requestCount });
    const first = await report('import-a', reportParts(rig));
    expect(first).toMatchObject({ state: 'submitting', requests: { created: 1 } });
    rig.pass(hour);
    await rig.sync({ client: answering(() => ({ statusName: 'Submitted' })) });
    const second = await report('import-a', reportParts(rig));
    expect(second?.ledgerRevision).not.toBe(first?.ledgerRevision);
    expect(second?.reported !== first?.reported).toBe(how === 'follows every change');
  });

  test('a report reads few requests once, and counts that did not change are not written again', async () => {
    await startImport(1);
    const calls: string[] = [];
    const parts = reportParts(rig);
    const ofImport = (importId: string) => {
      calls.push('requests');
      return parts.requests.ofImport(importId);
    };
    const rollUp: typeof parts.imports.rollUp = (...totals) => {
      calls.push('written');
      return parts.imports.rollUp(...totals);
    };
    const counting = {
      ...parts,
      requests: { ...parts.requests, ofImport },
      imports: { ...parts.imports, rollUp },
    };
    const first = await report('import-a', counting);
    expect(calls).toEqual(['requests', 'written']);
    expect(await report('import-a', counting)).toEqual(first);
    expect(calls).toEqual(['requests', 'written', 'requests']);
    rig.pass(hour);
    await rig.sync();
    expect(await report('import-a', counting)).not.toEqual(first);
    expect(calls).toEqual(['requests', 'written', 'requests', 'requests', 'written']);
  });

  test('the import keeps the last day on which scheduled rows were sent', async () => {
    await startImport(1, { sendOn: '2026-07-20' });
    expect(await report('import-a', reportParts(rig))).toMatchObject({ sendOn: '2026-07-20' });
  });
});
