// Reading and recording a port, with a service and a table in memory.
import { expect, test } from 'vitest';
import type { PortSnapshot } from '#shared/domain/ports/port-snapshot.ts';
import { findKnownPort, observePort, readPort } from '#shared/ledger/observe-port.ts';
import { iso, noon, portItemOf, requestItemOf } from '../../support/results-ledger.ts';
import { portSummaryOf, silentLog } from '../../support/results-rig.ts';

const request = requestItemOf({ state: 'created', portId: 'port-1', lines: '2' });
const row = { line: 2, msisdn: '447700900001', status: 'PacValid' };
const port = portItemOf({ portId: 'port-1', readAt: iso(noon - 60_000) });
const detail = {
  ...portSummaryOf('port-1', { statusName: 'Locked' }),
  ...{ targetNetworkId: 1, targetNetworkName: 'A', sourceNetworkId: 2, sourceNetworkName: 'B' },
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
    settings: { account: 1001, zone: 'Europe/London', callingCode: '44', lockingHour: 15 },
    clocks: { calendar: () => now },
    snapshots: { record: async (snapshot: PortSnapshot) => written.push(snapshot) > 0 },
    metrics: { count: () => {} },
    log: silentLog,
  };
}

test('the time of a reading is the time at which the call began, and its account is known', async () => {
  const dependencies = service();
  const { context } = await readPort('port-1', dependencies);
  expect(context).toEqual({ ...dependencies.settings, readAt: noon });
});

test('what changed is written and returned', async () => {
  const dependencies = service();
  const recorded = await observePort('port-1', { port, request, rows: [row] }, dependencies);
  expect(recorded).toMatchObject({ seen: port, next: { status: 'Locked', readAt: iso(noon) } });
  expect(dependencies.written).toEqual([recorded]);
});

test('a reading that is older than the known one is outdated, and nothing is written', async () => {
  const dependencies = service();
  const newer = { ...port, readAt: iso(noon + 1) };
  expect(await observePort('port-1', { port: newer, request, rows: [row] }, dependencies)).toBe('outdated');
  expect(dependencies.written).toEqual([]);
});

test('a write that loses to another one is a conflict', async () => {
  const dependencies = { ...service(), snapshots: { record: async () => false } };
  expect(await observePort('port-1', { port, request, rows: [row] }, dependencies)).toBe('conflict');
});

test.each([
  ['port', { port: undefined }],
  ['request', { request: undefined }],
  ['rows', { rows: undefined }],
])('a port is known only with its %s', async (_missing, changes) => {
  const known = { port, request, rows: [row] };
  const tables = (stored: { [Name in keyof typeof known]: (typeof known)[Name] | undefined }) => ({
    ports: { get: async () => stored.port, rows: async () => stored.rows },
    requests: { get: async () => stored.request },
  });
  expect(await findKnownPort('port-1', tables(known))).toEqual(known);
  expect(await findKnownPort('port-1', tables({ ...known, ...changes }))).toBeUndefined();
});
