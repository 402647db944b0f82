// Reading and recording a port, with a service and a table in memory.
import { describe, expect, test } from 'vitest';
import type { PortSnapshot } from '#shared/outcome/port-snapshot.ts';
import {
  findKnownPort,
  hasChanged,
  hasExactly,
  isPortOf,
  observePort,
  readPort,
  recordSnapshot,
} from '#shared/pipeline/observe-port.ts';
import type { Pipeline } from '#shared/pipeline/pipeline.ts';
import type { PortItem, PortReading } from '#shared/port/port.ts';
import { double } from '../../support/double.ts';
import { startKeptLog } from '../../support/kept-log.ts';
import { iso, noon, portItemOf, requestItemOf } from '../../support/steps/ledger-items.ts';
import { portSummaryOf } from '../../support/steps/submit-and-sync.ts';
import { silentLog } from '../../support/steps/test-pipeline.ts';

const request = requestItemOf({ state: 'created', portId: 'port-1', lines: '2' });
const row = { line: 2, msisdn: '447700900001', status: 'PacValid' };
const port = portItemOf({ portId: 'port-1', readAt: iso(noon - 60_000) });
const detail = {
  ...portSummaryOf('port-1', { statusName: 'Locked' }),
  targetNetworkId: 1,
  targetNetworkName: 'A',
  sourceNetworkId: 2,
  sourceNetworkName: 'B',
  rows: [{ id: 'row-1', msisdn: '447700900001', status: 1, statusName: 'Submitted' }],
};

function service() {
  let now = noon;
  const written: PortSnapshot[] = [];
  return {
    written,
    client: {
      port: async () => {
        now += 5_000;
        return detail;
      },
    },
    settings: { account: '1001@service', zone: 'Europe/London', callingCode: '44', lockingHour: 15 },
    clocks: { calendar: () => now },
    snapshots: { record: async (snapshot: PortSnapshot) => written.push(snapshot) > 0 },
    metrics: { count: () => {} },
    log: silentLog,
  };
}

test('the time of a reading is the time at which the call began, and its account is known', async () => {
  const pipeline = service();
  const { context } = await readPort('port-1', double(pipeline));
  expect(context).toEqual({ ...pipeline.settings, readAt: noon });
});

test('what changed is written and returned', async () => {
  const pipeline = service();
  const recorded = await observePort('port-1', { port, request, rows: [row] }, double(pipeline));
  expect(recorded).toMatchObject({ seen: port, next: { status: 'Locked', readAt: iso(noon) } });
  expect(pipeline.written).toEqual([recorded]);
});

test('a reading that is older than the known one is outdated, and nothing is written', async () => {
  const pipeline = service();
  const newer = { ...port, readAt: iso(noon + 1) };
  expect(await observePort('port-1', { port: newer, request, rows: [row] }, double(pipeline))).toBe('outdated');
  expect(pipeline.written).toEqual([]);
});

test('a write that loses to another one is a conflict', async () => {
  const pipeline = { ...service(), snapshots: { record: async () => false } };
  expect(await observePort('port-1', { port, request, rows: [row] }, double(pipeline))).toBe('conflict');
});

test.each([
  ['port', { port: undefined }],
  ['request', { request: undefined }],
  ['rows', { rows: undefined }],
])('a port is known only with its %s', async (_missing, changes) => {
  const known = { port, request, rows: [row] };
  const tables = (stored: { [Name in keyof typeof known]: (typeof known)[Name] | undefined }) =>
    double<Pipeline>({
      ports: { get: async () => stored.port, rows: async () => stored.rows },
      requests: { get: async () => stored.request },
    });
  expect(await findKnownPort('port-1', tables(known))).toEqual(known);
  expect(await findKnownPort('port-1', tables({ ...known, ...changes }))).toBeUndefined();
});

describe('what a recorded snapshot reports', () => {
  const event = { at: iso(noon), was: 'Created', status: 'Locked' } as unknown as PortSnapshot['event'];
  const snapshotWith = (changes: Partial<PortSnapshot> = {}, next: Partial<PortItem> = {}): PortSnapshot => ({
    seen: port,
    numberUpdates: [],
    event,
    rows: undefined,
    request: undefined,
    ...changes,
    next: { ...port, status: 'Locked', actionRequired: 2, ...next },
  });

  async function record(snapshot: PortSnapshot, isCurrent = () => true) {
    const counts: Record<string, number> = {};
    const { log, entries } = startKeptLog();
    const metrics = {
      count: (name: string, value = 1) => {
        counts[name] = (counts[name] ?? 0) + value;
      },
    };
    const pipeline = { snapshots: { record: async () => isCurrent() }, metrics, log };
    const isRecorded = await recordSnapshot(snapshot, double(pipeline));
    return { isRecorded, counts, entries };
  }
  const ids = { portId: 'port-1', importId: port.importId, request: port.request };
  const changed = (fields: object) => ({ level: 'info', message: 'port changed', fields: { ...ids, ...fields } });

  test('is the change, and the rows that need action from now on', async () => {
    const { isRecorded, counts, entries } = await record(snapshotWith());
    expect({ isRecorded, counts }).toEqual({ isRecorded: true, counts: { actionRequired: 2 - port.actionRequired } });
    expect(entries).toEqual([changed({ status: 'Locked', was: 'Created', actionRequired: 2 })]);
  });

  test('is no count where fewer or as many rows need action', async () => {
    const seen = { ...port, actionRequired: 2 };
    expect((await record(snapshotWith({ seen }))).counts).toEqual({});
    expect((await record(snapshotWith({ seen }, { actionRequired: 1 }))).counts).toEqual({});
  });

  test('is a status that is not known', async () => {
    const { counts, entries } = await record(snapshotWith({}, { status: 'Sleeping', actionRequired: 0 }));
    expect(counts).toEqual({ unknownStatus: 1 });
    expect(entries).toMatchObject([
      { level: 'warn', message: 'the service uses an unknown status', fields: { ...ids, status: 'Sleeping' } },
      { message: 'port changed' },
    ]);
  });

  test('is no change for the first reading of a port', async () => {
    const { counts, entries } = await record(snapshotWith({ seen: undefined }));
    expect(counts).toEqual({ actionRequired: 2 });
    expect(entries).toEqual([]);
  });

  test('is nothing where nothing changed, and where another write was first', async () => {
    expect(await record(snapshotWith({ event: undefined }))).toEqual({ isRecorded: true, counts: {}, entries: [] });
    expect(await record(snapshotWith(), () => false)).toEqual({ isRecorded: false, counts: {}, entries: [] });
  });

  test.each([{ rows: [] }, { event }, { request: { seen: request, next: request } }])(
    'is a change with only %j',
    async (change) => {
      expect(hasChanged(snapshotWith({ event: undefined, ...change }))).toBe(true);
      expect(hasChanged(snapshotWith({ event: undefined }))).toBe(false);
    },
  );

  test('is a port that differs from its request, once', async () => {
    const { log, entries } = startKeptLog();
    const short = { ...detail, rows: detail.rows.map((shown) => ({ ...shown, msisdn: '447700900002' })) };
    const pipeline = { ...service(), log, client: { port: async () => short } };
    const recorded = await observePort('port-1', { port, request, rows: [row] }, double(pipeline));
    const next = typeof recorded === 'object' ? recorded.next : port;
    const differs = { level: 'error', message: 'the port differs from the request' };
    const about = { ...ids, rowCount: next.rowCount, actionRequired: next.actionRequired };
    expect(next.concern).toEqual(expect.any(String));
    expect(entries.filter(({ level }) => level === 'error')).toEqual([{ ...differs, fields: about }]);
    entries.length = 0;
    await observePort('port-1', { port: next, request, rows: [row] }, double(pipeline));
    expect(entries.filter(({ level }) => level === 'error')).toEqual([]);
    await observePort('port-1', { request, rows: [row] }, double(pipeline));
    expect(entries.filter(({ level }) => level === 'error')).toMatchObject([differs]);
  });

  test('is no error once the port is as it was requested', async () => {
    const { log, entries } = startKeptLog();
    const known = { port: { ...port, concern: 'it has other rows' }, request, rows: [row] };
    expect(await observePort('port-1', known, double({ ...service(), log }))).toMatchObject({
      next: { status: 'Locked' },
    });
    expect(entries.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

// A port that belongs to no request of simporter is never adopted.
describe('of a port of no request', () => {
  const token = 'sim1-0123456789abcdef';
  const portWith = (name: string, ...numbers: readonly string[]) =>
    double<PortReading>({ name, rows: numbers.map((msisdn) => ({ msisdn, statusName: 'Submitted' })) });
  const sent = ['447700900001', '447700900002'];

  test.each<[string, boolean, readonly string[]]>([
    ['the same numbers in another order and form', true, ['07700900002', '447700900001']],
    ['one number more', false, [...sent, '447700900003']],
    ['one number less', false, ['447700900001']],
    ['another number', false, ['447700900001', '447700900003']],
  ])('a port with %s has exactly the numbers: %s', (_, expected, numbers) => {
    expect(hasExactly(sent, portWith('', ...numbers), '44')).toBe(expected);
  });

  test('a request without numbers has no port, not even an empty one', () => {
    expect(hasExactly([], portWith(''), '44')).toBe(false);
  });

  test('the token in the name decides, whatever the numbers are', () => {
    expect(isPortOf(token, portWith(`Group ${token}`, '447700900009'), sent, '44')).toBe(true);
    expect(isPortOf(token, portWith('Group sim1-fedcba9876543210', ...sent), sent, '44')).toBe(false);
  });

  test('a port whose name has no token belongs to the request with its numbers', () => {
    expect(isPortOf(token, portWith('Group', ...sent), sent, '44')).toBe(true);
    expect(isPortOf(token, portWith('Group', '447700900001'), sent, '44')).toBe(false);
  });

  test('a port whose name has no token is accepted where the plan has expired', () => {
    expect(isPortOf(token, portWith('Group', '447700900009'), undefined, '44')).toBe(true);
  });
});
