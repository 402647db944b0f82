// Files that name ports are planned from the readings of sync. The calls are counted.
import { expect, test } from 'vitest';
import { createCatalogue, type NumberLookups } from '#shared/operations/catalogue.ts';
import type { PortRowState } from '#shared/port/port.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { double } from '../../../support/double.ts';
import { countedLookups } from '../../../support/ingest/catalogue.ts';
import { ingestBench } from '../../../support/ingest/ingest.ts';
import { iso, noon, portItemOf, requestItemOf } from '../../../support/steps/ledger-items.ts';

const rows = 4_000;
const numberOf = (index: number): string => `4477${String(10_000_000 + index * 7)}`;
const portIdOf = (index: number): string => `0f8fad5b-d9cb-469f-a165-${String(index).padStart(12, '0')}`;
const indexOf = (portId: string): number => Number(portId.slice(-12));

interface Account {
  /** The status of a row as sync has read it; undefined: the table does not know the port. */
  readonly stored: (index: number) => string | undefined;
  /** As the service shows it now. */
  readonly now: (index: number) => string;
  /** @default each request has created its port */
  readonly request?: Partial<RequestItem>;
}

/** What a row that is read alone would cost. */
function counted(calls: { table: number }): NumberLookups {
  const one = async () => {
    calls.table += 1;
    return undefined;
  };
  return { findPortByNumber: one, findScheduled: one };
}

/** Each number has a separate port. Counts the calls, and how many are made at the same time. */
function benchOf({ stored, now, request: state }: Account) {
  const calls = { service: 0, atOnce: 0, most: 0, table: 0 };
  const states = (index: number, statusName: string): PortRowState[] => [
    { line: 2, msisdn: numberOf(index), status: statusName },
  ];
  const port = async (portId: string) => {
    calls.service += 1;
    calls.atOnce += 1;
    calls.most = Math.max(calls.most, calls.atOnce);
    await new Promise(setImmediate);
    calls.atOnce -= 1;
    const statusName = now(indexOf(portId));
    const shown = { id: portId, name: 'July', statusName: 'Pac Check Failed' };
    return double({ ...shown, rows: [{ msisdn: numberOf(indexOf(portId)), statusName, pac: 'OLD123456' }] });
  };
  const known = (portIds: readonly string[]) => portIds.filter((portId) => stored(indexOf(portId)) !== undefined);
  const bench = ingestBench();
  Object.assign(bench.dependencies, {
    settings: { ...bench.dependencies.settings, callsAtOnce: 10 },
    limits: { ...bench.dependencies.limits, maxFileRows: rows },
    openCatalogue: () => ({ ...createCatalogue(countedLookups(), { numbers: counted(calls) }), port, knownPort: port }),
    numbers: double({
      getMany: async (numbers: readonly string[]) => {
        calls.table += 1;
        return numbers.map((number) => ({
          number,
          importId: 'earlier',
          request: (Number(number.slice(4)) - 10_000_000) / 7 + 1,
          line: 2,
          claimedAt: iso(noon),
        }));
      },
    }),
    requests: {
      ...bench.dependencies.requests,
      get: async (importId: string, request: number) =>
        requestItemOf({ importId, request, ...(state ?? { state: 'created', portId: portIdOf(request - 1) }) }),
    },
    ports: {
      itemsOf: async function* (portIds: readonly string[]) {
        calls.table += 1;
        for (const portId of known(portIds))
          yield portItemOf({ portId, status: 'Pac Check Failed', readAt: iso(noon + indexOf(portId)) });
      },
      rowsOf: async function* (portIds: readonly string[]) {
        calls.table += 1;
        for (const portId of known(portIds))
          yield { portId, rows: states(indexOf(portId), stored(indexOf(portId)) ?? '') };
      },
    },
  });
  const file = ['msisdn,pac', ...Array.from({ length: rows }, (_, index) => `+${numberOf(index)},NEW123456`)].join(
    '\n',
  );
  return {
    calls,
    plan: (operation = 'update-port') => bench.upload(`${file}\n`, { key: `plan/${operation}/x.csv` }),
  };
}

test('4,000 rows whose ports the table knows are planned without a call, and the plan states how old it is', async () => {
  const { calls, plan } = benchOf({ stored: () => 'PacInvalid', now: () => 'PacInvalid' });
  const item = await plan();
  expect(item).toMatchObject({ state: 'planned', rows, accepted: rows, rejected: 0 });
  expect(calls.service).toBe(0);
  expect(calls.table).toBeLessThan(rows / 20);
  const message = expect.stringContaining(
    `4,000 of 4,000 ports were checked as sync has read them, the oldest at ${iso(noon)}`,
  );
  expect(item?.issues).toMatchObject([{ code: 'FILE_PORTS_READ_EARLIER', message, severity: 'notice' }]);
});

test('ports that the table does not know are read from the service, as many at a time as the rate allows', async () => {
  const { calls, plan } = benchOf({
    stored: (index) => (index < 200 ? undefined : 'PacInvalid'),
    now: () => 'PacInvalid',
  });
  expect(await plan()).toMatchObject({ accepted: rows, rejected: 0 });
  expect(calls).toMatchObject({ service: 200, most: 10 });
});

test('an old reading rejects no row: what it would reject is read from the service first', async () => {
  const { calls, plan } = benchOf({
    stored: (index) => (index < 20 ? 'PacValid' : 'PacInvalid'),
    now: (index) => (index < 10 ? 'PacInvalid' : 'PacValid'),
  });
  const item = await plan();
  expect(item).toMatchObject({ accepted: rows - 10, rejected: 10 });
  expect(item?.issues.at(-1)).toMatchObject({ code: 'LINE_NOT_CHANGEABLE', line: 21 });
  expect(calls.service).toBe(20);
});

test('cancellations are planned without a call where the port can be cancelled, whatever the status of the row', async () => {
  const { calls, plan } = benchOf({ stored: () => 'PacValid', now: () => 'PacValid' });
  const item = await plan('cancel-port');
  expect(item).toMatchObject({ state: 'planned', rows, accepted: rows, rejected: 0 });
  expect(calls.service).toBe(0);
});

test('4,000 numbers that wait for their day are named with their requests, without a read for each', async () => {
  const request = { state: 'scheduled', sendOn: '2026-08-03' } as const;
  const { calls, plan } = benchOf({ stored: () => undefined, now: () => '', request });
  const item = await plan('cancel-port');
  expect(item).toMatchObject({ rows, accepted: 0, rejected: rows });
  const message = expect.stringContaining('request earlier/1 sends it on 2026-08-03');
  expect(item?.issues).toContainEqual(expect.objectContaining({ code: 'PORT_UNKNOWN', message }));
  expect([calls.service, calls.table < rows / 20]).toEqual([0, true]);
});
