// What report counts and writes of an import with its parts.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { report } from '#functions/report/report.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { partItemOf } from '#shared/import/part.ts';
import { portKey, portRowsKey } from '#shared/port/port.ts';
import { stoppedError } from '#shared/request/request-state.ts';
import { readActionList } from '#shared/results/actions.ts';
import { readCancellableRows } from '#shared/results/numbers.ts';
import { readRootProgress } from '#shared/results/progress.ts';
import { readResults } from '#shared/results/results.ts';
import { resultsIndex } from '#shared/results/results-csv.ts';
import { correctionKey, resultsIndexKey, resultsKey } from '#shared/store/object-keys.ts';
import { createPorts } from '#shared/store/ports.ts';
import type { Tally } from '#shared/text/stored-values.ts';
import type { ResultsServices } from '../../support/embedded/services.ts';
import { startTwinServices } from '../../support/in-memory/services.ts';
import { day, hour } from '../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { requestItemOf } from '../../support/steps/ledger-items.ts';
import { reportParts } from '../../support/steps/report.ts';
import { both, move, submitWaiting, syncUntilReleased } from '../../support/steps/rescheduling.ts';
import { importItemOf, msisdnOf, plannedRowOf, startRig } from '../../support/steps/submit-and-sync.ts';

// The files of a first import: each row as its corrections left it, however the messages about them arrive.
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
    if (item.partOf) await rig.imports.addPart(partItemOf(item, item.partOf.importId), {});
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

// The files of an import end with the last state of the table, whatever was read in between.
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
});

describe('rescheduled rows', () => {
  let services: ResultsServices;

  beforeAll(async () => {
    services = await startTwinServices();
  });
  afterAll(() => services.stop());

  test('an import that reschedules ports reports only its own rows of the file, and what they wait for', async () => {
    const rig = await startRig(services);
    const key = 'create-port/import-a.csv';
    const Body = `msisdn\n${msisdnOf(1)}\n${msisdnOf(2)}\n${msisdnOf(3)}\n`;
    const { ETag = '' } = await services.s3.send(new PutObjectCommand({ Bucket: 'inbox', Key: key, Body }));
    const reschedules = { importId: 'import-a', date: '2026-07-20' };
    await rig.imports.begin(importItemOf('import-b', { key, etag: ETag.replaceAll('"', ''), rows: 1, reschedules }));
    const replaces = { importId: 'import-a', request: 1, portId: 'port-1' };
    const error = { kind: 'held', message: 'waits until the service has cancelled port port-1' };
    await rig.requests.plan([
      requestItemOf({ importId: 'import-b', state: 'planned', lines: '3', rowCount: 1, replaces, error }),
    ]);

    await report('import-b', reportParts(rig));
    const text = await rig.files.readText({ bucket: 'results', key: resultsKey('import-b') });
    expect(text.trimEnd().split('\r\n').slice(1)).toEqual([
      `${msisdnOf(2)},import-b,3,waiting,,,waits until the service has cancelled port port-1,No action needed: the row will be submitted,,,`,
    ]);
  });
});

// The rows of an import of which a port is moved: each is counted once, with its port as it is, on every surface.
describe('moved parts', () => {
  useFreshRig();

  const reader = () => ({
    ...rig.syncParts(),
    requests: rig.requests,
    numbers: rig.numbers,
    ports: rig.ports,
  });

  /** Rows 2 and 3 are in one port, row 4 is in another one. */
  async function portThree(): Promise<void> {
    const key = 'create-port/import-a.csv';
    const Body = `msisdn\n${[1, 2, 3].map((index) => `${msisdnOf(index)}\n`).join('')}`;
    const { ETag = '' } = await services.s3.send(new PutObjectCommand({ Bucket: 'inbox', Key: key, Body }));
    const file = { key, etag: ETag.replaceAll('"', ''), rows: 3, accepted: 3, requestCount: 2 };
    await rig.imports.begin(importItemOf('import-a', file));
    for (const message of await rig.plan('import-a', [both, [plannedRowOf(3, 4)]], {
      connectionDate: '2026-07-16' as never,
    }))
      await rig.submit(message);
    rig.pass(hour);
    await rig.sync();
  }

  /** Handles the messages of report until there is none, as the function does. */
  async function reportAll(...first: readonly string[]): Promise<void> {
    const waiting = [...first];
    for (let importId = waiting.shift(); importId !== undefined; importId = waiting.shift()) {
      services.emptyQueues();
      await report(importId, reportParts(rig));
      for (const { body } of services.waiting('report')) waiting.push((body as { importId: string }).importId);
    }
  }

  interface Shown {
    readonly outcomes: Tally;
    readonly rows: readonly (readonly [line: number, outcome: string, portId: string, message: string])[];
  }

  /** The same on every surface, by the first import and by the part. */
  async function shownOf(part: ImportItem): Promise<Shown> {
    const item = await rig.imports.get('import-a');
    const { outcomes = {} } = item ?? {};
    const rows = await Promise.all(
      ['import-a', part.importId].map(async (importId) => {
        const found = (await rig.imports.get(importId)) ?? part;
        expect((await readRootProgress(reader(), found)).progress.outcomes).toEqual(outcomes);
        const results = await Array.fromAsync(readResults(reader(), found));
        return results.map(({ line, outcome, portId, message }) => [line, outcome, portId, message] as const);
      }),
    );
    expect(rows[0]).toEqual(rows[1]);
    expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(3);
    const csv = await rig.files.readText({ bucket: 'results', key: resultsKey('import-a') });
    for (const [line, outcome] of rows[0] ?? []) expect(csv).toContain(`,import-a,${line},${outcome},`);
    return { outcomes, rows: rows[0] ?? [] };
  }

  const portIdOf = async (importId: string, request: number) =>
    (await rig.requests.get(importId, request))?.portId ?? '';

  test('a row is shown in its old port until that is cancelled, and then in its new one', async () => {
    await portThree();
    const [first, other] = [await portIdOf('import-a', 1), await portIdOf('import-a', 2)];
    const part = await move('2026-07-20', { requests: [1] });
    expect(part.partOf).toEqual({ importId: 'import-a', kind: 'move' });
    await reportAll(part.importId);
    const moving = 'Moves to 2026-07-20';
    expect(await shownOf(part)).toEqual({
      outcomes: { 'in-progress': 3 },
      rows: [
        [2, 'in-progress', first, moving],
        [3, 'in-progress', first, moving],
        [4, 'in-progress', other, ''],
      ],
    });
    await syncUntilReleased(1);
    await submitWaiting();
    await rig.sync();
    await reportAll(part.importId);
    const moved = await portIdOf(part.importId, 1);
    expect(moved).not.toBe(first);
    const { outcomes, rows } = await shownOf(part);
    expect(outcomes).toEqual({ 'in-progress': 3 });
    expect(rows.map(([, , portId]) => portId)).toEqual([moved, moved, other]);
    const cancellable = await readCancellableRows(reader(), part);
    expect(cancellable.rows.map(({ portId }) => portId).sort()).toEqual([moved, moved, other].sort());
  });

  test('a move that came too late says so in rows that are being ported, and asks nobody to fix them', async () => {
    await portThree();
    const part = await move('2026-07-20', { requests: [1] });
    rig.pass(9 * day + 10 * hour); // the evening before the 16th: locked
    await rig.sync();
    await reportAll('import-a', part.importId);
    const { outcomes, rows } = await shownOf(part);
    expect(outcomes.declined).toBeUndefined();
    expect(rows.map(([line, outcome, , message]) => [line, outcome, message.slice(0, 28)])).toEqual([
      [2, 'in-progress', 'Was not moved to 2026-07-20:'],
      [3, 'in-progress', 'Was not moved to 2026-07-20:'],
      [4, 'in-progress', ''],
    ]);
    const { entries } = await readActionList(reader() as never, rig.service.now());
    expect(entries.filter(({ kind }) => kind === 'import')).toEqual([]);
  });

  test('a run that counted before another one wrote the files does not count the rows of a move twice', async () => {
    await portThree();
    const part = await move('2026-07-20', { requests: [1] });
    await reportAll(part.importId);
    rig.pass(9 * day + 10 * hour);
    await rig.sync();
    await report(part.importId, reportParts(rig));
    const parts = reportParts(rig);
    let others = 0;
    const rollUp: typeof parts.imports.rollUp = async (...given) => {
      others += 1;
      if (others === 1) await report('import-a', reportParts(rig));
      return parts.imports.rollUp(...given);
    };
    await report('import-a', { ...parts, imports: { ...parts.imports, rollUp } });
    expect((await shownOf(part)).outcomes).toEqual({ 'in-progress': 3 });
    expect(others).toBe(2);
  });
});
