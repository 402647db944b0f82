// Edge cases of adopting a port and of its first reading: the plan, the lines that were sent, and simultaneous changes.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SyncPipeline } from '#functions/sync/run.ts';
import {
  adoptFoundPorts,
  readCreatedPort,
  sentRows,
  verifyPortRows,
} from '#functions/sync/unknown-outcomes/adopt-port.ts';
import type { PortItem, PortRowState } from '#shared/port/port.ts';
import type { SubmitMessage } from '#shared/request/messages.ts';
import type { NumberItem } from '#shared/request/number-claim.ts';
import type { PlannedRow, RequestItem } from '#shared/request/request.ts';
import { Ambiguous, NotFound, Rejected, Unavailable } from '#shared/service/errors.ts';
import { double } from '../../../support/double.ts';
import type { ResultsServices } from '../../../support/embedded/services.ts';
import { startTwinServices } from '../../../support/in-memory/services.ts';
import { minute } from '../../../support/service/simulator.ts';
import { iso, noon, portItemOf, requestItemOf } from '../../../support/steps/ledger-items.ts';
import { msisdnOf, plannedRowOf, portSummaryOf, type Rig, startRig } from '../../../support/steps/submit-and-sync.ts';
import { expiredPlans, silentLog } from '../../../support/steps/test-pipeline.ts';

let services: ResultsServices;
let rig: Rig;
/** The fields that were logged. */
let logged: unknown[];

beforeAll(async () => {
  services = await startTwinServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
  logged = [];
});

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
const about = { importId: 'import-a', request: 1 };
const noPlan = { plans: expiredPlans };

const parts = (changes: Partial<SyncPipeline> = {}): SyncPipeline => {
  const note = (_message: string, details?: object) => void logged.push(details);
  return rig.syncParts({ log: { ...silentLog, warn: note, error: note }, ...changes });
};

/** Submits, loses the answer after the port was created, and returns the id of the port. */
const makePort = async (message: SubmitMessage): Promise<string> => {
  const { client } = rig.submitParts();
  let made = '';
  const createPort = async (body: Parameters<typeof client.createPort>[0]) => {
    made = await client.createPort(body);
    throw new Ambiguous('reset', { call: 'POST /api/porting/1001' });
  };
  await rig.submit(message, { client: { ...client, createPort } });
  return made;
};

const unknownOutcome = async (planned: readonly PlannedRow[] = rows): Promise<readonly [RequestItem, string]> => {
  const portId = await makePort(await rig.planOne('import-a', planned));
  return [await rig.request('import-a'), portId];
};

describe('a port with the name of a request', () => {
  test('is adopted, followed from then on, and logged', async () => {
    const [item, portId] = await unknownOutcome();
    expect(await adoptFoundPorts(item, [portId], parts())).toBe('adopted');
    const request = await rig.request('import-a');
    expect(request).toMatchObject({ state: 'created', portId, portStatus: 'Created' });
    expect(request.dueAt).toBeUndefined();
    expect(await rig.ports.get(portId)).toMatchObject({ rowCount: 2, dueAt: expect.any(String) });
    expect(logged).toEqual([{ ...about, portId, duplicates: [] }]);
    expect(rig.counts).not.toHaveProperty('duplicates');
  });

  test('is compared with the lines that were sent, not with excluded ones', async () => {
    await rig.submit(await rig.planOne('import-b', [plannedRowOf(2, 2)]));
    const [item, portId] = await unknownOutcome();
    expect(item).toMatchObject({ lines: '2', excludedRows: [{ line: 3 }] });
    expect(await adoptFoundPorts(item, [portId], parts())).toBe('adopted');
    expect(await rig.ports.rows(portId)).toMatchObject([{ line: 2 }]);
  });

  test('is not adopted when the lines that were sent are unknown', async () => {
    const [item, portId] = await unknownOutcome();
    const { lines: _unknown, ...rest } = item;
    expect(await adoptFoundPorts(rest, [portId], parts())).toBe('actionRequired');
  });

  test('is adopted by the claims of its numbers once the plan has expired', async () => {
    const [item, portId] = await unknownOutcome();
    expect(await adoptFoundPorts(item, [portId], parts(noPlan))).toBe('adopted');
    expect(await rig.ports.rows(portId)).toMatchObject([{ line: 2 }, { line: 3 }]);
  });

  test.each([
    ['another import', { importId: 'import-b' }],
    ['another request', { request: 2 }],
    ['a line that was not sent', { line: 9 }],
    ['the line of another number', { line: 3 }],
  ])('requires action when a number is claimed for %s, once the plan has expired', async (_what, changes) => {
    const [item, portId] = await unknownOutcome();
    const get = async (number: string) => {
      const claim = await rig.numbers.get(number);
      return claim?.line === 2 ? { ...claim, ...changes } : claim;
    };
    expect(await adoptFoundPorts(item, [portId], parts({ ...noPlan, numbers: double({ get }) }))).toBe(
      'actionRequired',
    );
    const error = { message: expect.stringContaining('with other numbers') };
    expect(await rig.request('import-a')).toMatchObject({ state: 'action-required', error });
    expect(logged).toMatchObject([about]);
    expect(rig.counts).toMatchObject({ requestsUnresolved: 1 });
  });

  test('requires action when it lacks a claimed number, once the plan has expired', async () => {
    const [item, portId] = await unknownOutcome();
    const short = async (id: string) => {
      const detail = await rig.porting.port(id);
      return { ...detail, rows: detail.rows.slice(1) };
    };
    expect(await adoptFoundPorts(item, [portId], parts({ ...noPlan, client: { ...rig.porting, port: short } }))).toBe(
      'actionRequired',
    );
  });

  test('is left as it is when the request changed meanwhile', async () => {
    const [item, portId] = await unknownOutcome();
    await rig.requests.replace(item, { ...item, state: 'created', portId });
    const changed = await rig.request('import-a');
    expect(await adoptFoundPorts(item, [portId], parts())).toBeUndefined();
    expect(await adoptFoundPorts(item, [portId], parts(noPlan))).toBeUndefined();
    expect(await adoptFoundPorts(item, [], parts())).toBeUndefined();
    expect(await rig.request('import-a')).toEqual(changed);
  });
});

describe('the first reading of a port', () => {
  const created = async (): Promise<RequestItem> => {
    const { client } = rig.submitParts();
    const deaf = { ...client, port: () => Promise.reject(new Unavailable('503', { call: 'GET /port' })) };
    await rig.submit(await rig.planOne('import-a', rows), { client: deaf });
    return rig.request('import-a');
  };

  test('verifies the claims of its numbers once the plan has expired', async () => {
    const item = await created();
    expect(await readCreatedPort(item, parts(noPlan))).toBe(true);
    expect(await rig.ports.rows(item.portId ?? '')).toMatchObject([{ line: 2 }, { line: 3 }]);
  });

  test('requires action when the port has other numbers, once the plan has expired', async () => {
    const numbers = { get: async () => undefined };
    expect(await readCreatedPort(await created(), parts({ ...noPlan, numbers: double(numbers) }))).toBe(true);
    const error = { message: expect.stringContaining('the plan has expired') };
    expect(await rig.request('import-a')).toMatchObject({ state: 'action-required', error });
  });

  /** The service shows the port like this. */
  const showing = (changes: object) => ({
    client: { ...rig.porting, port: async (id: string) => ({ ...(await rig.porting.port(id)), ...changes }) },
  });
  const otherName = { name: 'Other sim1-fedcba9876543210' };

  test('of another request is logged, and the own port is searched', async () => {
    const item = await created();
    expect(await readCreatedPort(item, parts(showing(otherName)))).toBe(true);
    expect(logged).toMatchObject([{ ...about, id: item.portId }]);
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', search: { for: 'own-port' } });
    expect(await readCreatedPort(item, parts(showing(otherName)))).toBe(false);
  });

  test.each([{ importId: 'import-b' }, { request: 2 }])('does not use what is stored for %j', async (owner) => {
    const item = await created();
    const stored = { get: async () => portItemOf({ ...about, ...owner }), rows: async () => [] };
    const ports = { ...rig.ports, ...stored };
    expect(await readCreatedPort(item, parts({ ...showing(otherName), ports }))).toBe(true);
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', search: { for: 'own-port' } });
  });

  test('whose name has no token is that of the request if it has the same numbers', async () => {
    const item = await created();
    expect(await readCreatedPort(item, parts(showing({ name: 'Group' })))).toBe(true);
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', portStatus: 'Created' });
    expect(logged).toEqual([]);
  });

  test('that differs from the request is counted and logged, as when submit reads it', async () => {
    const item = await created();
    const short = async (id: string) => {
      const detail = await rig.porting.port(id);
      return { ...detail, rows: detail.rows.slice(1), rowCount: detail.rows.length - 1 };
    };
    const client = { ...rig.porting, port: short };
    expect(await readCreatedPort(item, parts({ client }))).toBe(true);
    const { concern } = (await rig.ports.get(item.portId ?? '')) ?? {};
    expect(concern).toEqual(expect.any(String));
    expect(rig.counts.actionRequired).toBeGreaterThan(0);
    expect(logged).toMatchObject([{ ...about, portId: item.portId, rowCount: 1 }]);
  });

  test('fault 48: changes nothing when a newer reading is known', async () => {
    const item = await created();
    expect(await readCreatedPort(item, parts())).toBe(true);
    const seen = (await rig.ports.get(item.portId ?? '')) as PortItem;
    const next = { ...seen, readAt: iso(rig.service.now() + 2 * minute) };
    await rig.ports.record({ seen, next, rows: (await rig.ports.rows(seen.portId)) ?? [] });
    expect(await readCreatedPort(item, parts())).toBe(false);
    expect(await rig.ports.get(seen.portId)).toEqual(next);
  });
});

describe('a further reading of a port', () => {
  const refusal = { message: 'not found', fieldErrors: [], msisdns: [] };
  const gone = new NotFound(refusal, { call: 'GET /port', status: 404 });
  const failing = (error: Error) => ({ client: { ...rig.porting, port: () => Promise.reject(error) } });
  const followed = async (): Promise<RequestItem> => {
    await rig.submit(await rig.planOne('import-a', rows));
    const item = await rig.request('import-a');
    await rig.requests.replace(item, { ...item, duplicatePortIds: ['another'], dueAt: item.changedAt });
    return rig.request('import-a');
  };

  test.each([gone, new Rejected(refusal, { call: 'GET /port', status: 400 })])(
    'fault 48: uses what is known when the service does not know the port any more: $status',
    async (answer) => {
      const item = await followed();
      expect(await readCreatedPort(item, parts(failing(answer)))).toBe(true);
      expect(await rig.ports.get(item.portId ?? '')).toMatchObject({ missingReads: 1, concern: expect.any(String) });
      expect(logged).toEqual([{ ...about, portId: item.portId }]);
    },
  );

  test('fault 48: changes nothing for a missing port when a newer reading is known', async () => {
    const item = await followed();
    rig.pass(-minute);
    expect(await readCreatedPort(item, parts(failing(gone)))).toBe(false);
    expect(await rig.ports.get(item.portId ?? '')).toMatchObject({ missingReads: 0 });
  });

  test.each(['get', 'rows'] as const)('is like a first reading when the table has no %s', async (lost) => {
    const item = await followed();
    const ports = { ...rig.ports, [lost]: async () => undefined };
    await expect(readCreatedPort(item, parts({ ...failing(gone), ports }))).rejects.toBe(gone);
  });

  test.each([{ importId: 'import-b' }, { request: 2 }])('does not use what is stored for %j', async (owner) => {
    const item = await followed();
    const ports = { ...rig.ports, get: async () => portItemOf({ ...about, ...owner }) };
    await expect(readCreatedPort(item, parts({ ...failing(gone), ports }))).rejects.toBe(gone);
  });

  test('changes nothing after any other failure', async () => {
    const failure = new Unavailable('503', { call: 'GET /port' });
    await expect(readCreatedPort(await followed(), parts(failing(failure)))).rejects.toBe(failure);
  });
});

// Which rows a request sent, and whether a port has them: by the plan, or by the claims once the plan has expired.
describe('the rows of the port', () => {
  const item = requestItemOf({ lines: '2-4' });
  const { lines: _lines, ...unsent } = item;
  /** The nth number is on line nth + 1. */
  const row = (nth: number): PortRowState => ({ line: nth + 1, msisdn: msisdnOf(nth), status: '' });
  const three = [row(1), row(2), row(3)];

  const portOf = (...numbers: readonly string[]) => ({
    ...portSummaryOf('port-1'),
    rows: numbers.map((msisdn) => ({ msisdn, statusName: 'Created' })),
  });
  const claimOf = (nth: number, changes: Partial<NumberItem> = {}): NumberItem => ({
    number: msisdnOf(nth),
    importId: item.importId,
    request: item.request,
    line: nth + 1,
    claimedAt: iso(noon),
    expiresAt: 1_850_000_000,
    ...changes,
  });

  /** `claims`: all claims of the table. */
  const witnesses = (...claims: readonly NumberItem[]) => ({
    settings: { callingCode: '44' },
    numbers: { get: async (msisdn: string) => claims.find((claim) => claim.number === msisdn) },
  });

  describe('the rows that were sent', () => {
    const planned = {
      ...item,
      head: {},
      rows: [1, 2, 3, 4].map((nth) => plannedRowOf(nth, nth + 1)),
    };
    const plans = { read: async () => planned };
    const rowsOf = (lines: string) => sentRows({ ...item, lines }, double({ plans }));

    test('are the rows of the plan on the lines of the last attempt, without a status', async () => {
      const sent = [1, 3, 4].map((nth) => ({ line: nth + 1, msisdn: msisdnOf(nth), status: '' }));
      expect(await rowsOf('2,4-5')).toEqual(sent);
    });

    test('are none before the first attempt', async () => {
      expect(await sentRows(unsent, double({ plans }))).toEqual([]);
    });

    test('are unknown once the plan has expired', async () => {
      expect(await sentRows(item, double({ plans: expiredPlans }))).toBeUndefined();
    });
  });

  describe('by the plan, a port belongs to the request', () => {
    const ownBy = (sent: readonly PortRowState[], ...numbers: readonly string[]) =>
      verifyPortRows(item, portOf(...numbers), sent, double(witnesses()));

    test('if it has exactly the numbers that were sent, in any order and format', async () => {
      expect(await ownBy(three, msisdnOf(3), '07700900001', `+${msisdnOf(2)}`)).toEqual(three);
    });

    test.each([
      ['one number less', [1, 2]],
      ['one number more', [1, 2, 3, 4]],
      ['one other number', [1, 2, 4]],
      ['nothing', []],
    ])('but not if it has %s', async (_what, held) => {
      expect(await ownBy(three, ...held.map(msisdnOf))).toBeUndefined();
    });

    test('but not if nothing was sent: a port without numbers proves nothing', async () => {
      expect(await ownBy([])).toBeUndefined();
    });
  });

  describe('by the claims, a port belongs to the request', () => {
    const all = [claimOf(1), claimOf(2), claimOf(3)];
    const ownBy = (claims: readonly NumberItem[], held: readonly number[], of: RequestItem = item) =>
      verifyPortRows(of, portOf(...held.map(msisdnOf)), undefined, double(witnesses(...claims)));

    test('if each of its numbers is claimed for a line that was sent, and its rows are in the order of their lines', async () => {
      expect(await ownBy(all, [2, 3, 1])).toEqual(three);
    });

    test('and a row of a correction keeps its line in the first file', async () => {
      const corrected = [claimOf(1, { firstLine: 31 }), ...all.slice(1)];
      expect(await ownBy(corrected, [1, 2, 3])).toEqual([{ ...row(1), firstLine: 31 }, row(2), row(3)]);
    });

    test.each([
      ['holds one number less', all, [1, 2]],
      ['holds one number more, which nobody claimed', all, [1, 2, 3, 4]],
      ['holds one number more, which is claimed for a line that was not sent', [...all, claimOf(4)], [1, 2, 3, 4]],
      ['holds a number that nobody claimed', [claimOf(1), claimOf(2)], [1, 2, 3]],
      ['holds a number of another import', [...all.slice(1), claimOf(1, { importId: 'import-b' })], [1, 2, 3]],
      ['holds a number of another request', [...all.slice(1), claimOf(1, { request: 2 })], [1, 2, 3]],
      ['holds a number of a line that was not sent', [...all.slice(1), claimOf(1, { line: 9 })], [1, 2, 3]],
      ['holds two numbers of one line', [...all.slice(1), claimOf(1, { line: 3 })], [1, 2, 3]],
    ])('but not if it %s', async (_what, claims, held) => {
      expect(await ownBy(claims, held)).toBeUndefined();
    });

    test('but not if it is unknown what was sent: a port without numbers proves nothing', async () => {
      expect(await ownBy(all, [], unsent)).toBeUndefined();
      expect(await ownBy(all, [1, 2, 3], unsent)).toBeUndefined();
    });

    test('and the claims are read a few at a time', async () => {
      let [reading, most] = [0, 0];
      const get = async (msisdn: string) => {
        reading += 1;
        most = Math.max(most, reading);
        await Promise.resolve();
        reading -= 1;
        return claimOf(Number(msisdn.slice(-1)));
      };
      const held = [1, 2, 3, 4, 5, 6, 7, 8];
      const port = portOf(...held.map(msisdnOf));
      const parts = { ...witnesses(), numbers: { get } };
      expect(await verifyPortRows({ ...item, lines: '2-9' }, port, undefined, double(parts))).toEqual(held.map(row));
      expect(most).toBe(4);
    });
  });
});
