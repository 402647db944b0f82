// The table of moves itself: what no history of a port may ever break.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromWireDate } from '#shared/row/calendar-date.ts';
import { type CreatePortBody, portTypeNames } from '#shared/service/contract.ts';
import { createCalendar } from '#simulator/calendar.ts';
import { advancePort, cancelPort, canUpdateRow, nextMove, resolvePort } from '#simulator/ports/advance-port.ts';
import { checkPac } from '#simulator/ports/check-pac.ts';
import { portMoves, rowMoves } from '#simulator/ports/lifecycle.ts';
import { isEnded, type Port, portStatusIds, type Row, rowStatusIds } from '#simulator/ports/port.ts';
import {
  createPort,
  day,
  hour,
  minute,
  monday,
  portPath,
  portRow,
  readPort,
  startTestSimulator,
  type TestSimulator,
} from '../../support/service/simulator.ts';

const calendar = createCalendar('uk', 'Europe/London');

const letters = fc.constantFrom('ABC', 'INV', 'EXP', 'REJ', 'SLO', 'ERR', 'SWE');
const serials = fc.constantFrom('8944110000000000001', '8999010000000000001', '8999020000000000001', null);

const rowOf = (portTypeName: Port['portTypeName'], pac: string, serialNo: string | null, index: number): Row => {
  const number = `4477009000${String(index).padStart(2, '0')}`;
  const { status, message } = checkPac({ pac, number }, portTypeName);
  return {
    id: `row-${index}`,
    msisdn: number,
    number,
    serialNo,
    pac,
    status,
    since: monday,
    message,
    groupName: 'g',
    boltOns: [],
    tariffId: 2001,
    esim: false,
    provisioningOrder: 1,
    provisioningOrderName: null,
    services: index % 2 === 0 ? [{ name: 'Roaming', value: 'true' }] : null,
  };
};

const portOf = (portTypeName: Port['portTypeName'], rows: readonly Row[], connectionDate: string): Port => ({
  id: 'port',
  accountId: 1001,
  version: 1,
  name: 'p',
  targetNetworkId: 11,
  sourceNetworkId: 1,
  portTypeName,
  connectionDate: fromWireDate(connectionDate),
  status: 'Created',
  since: monday,
  cancelRequestedAt: null,
  lockedAt: null,
  resolvedAt: null,
  history: [{ status: 'Created', at: monday }],
  rows,
});

const ports = fc
  .record({
    portTypeName: fc.constantFrom(...portTypeNames),
    rows: fc.array(fc.tuple(letters, serials), { minLength: 1, maxLength: 5 }),
    connectionDate: fc.constantFrom('2026-07-07', '2026-07-08', '2026-07-13', '2026-08-28'),
  })
  .map(({ portTypeName, rows, connectionDate }) =>
    portOf(
      portTypeName,
      rows.map(([letter, serial], index) => rowOf(portTypeName, `${letter}123456`, serial, index)),
      connectionDate,
    ),
  );

type Action = {
  readonly wait: number;
  readonly does: 'nothing' | 'cancel' | 'resolve' | 'amend' | 'drop';
  readonly row: number;
};
const actions = fc.array(
  fc.record({
    wait: fc.constantFrom(0, minute, 10 * minute, hour, 7 * hour, day),
    does: fc.constantFrom('nothing', 'cancel', 'resolve', 'amend', 'drop'),
    row: fc.nat(4),
  }) as fc.Arbitrary<Action>,
  { maxLength: 25 },
);

/** Every state a port passes through, one move at a time. */
function* steps(port: Port, until: number): Generator<Port> {
  let current = port;
  for (;;) {
    const next = nextMove(current, calendar);
    if (next === null || next.at > until) return;
    current = next.make();
    yield current;
  }
}

function act(port: Port, { does, row }: Action, now: number): Port {
  if (does === 'cancel') return cancelPort(port, now) ?? port;
  if (does === 'resolve') return resolvePort(port, now) ?? port;
  const to = does === 'amend' ? 'Amended' : 'CancellationRequested';
  const changed = port.rows[row];
  if (does === 'nothing' || changed === undefined || !canUpdateRow(changed, port, to)) return port;
  const rows = port.rows.map((each) =>
    each === changed ? ({ ...each, status: to, since: now, pac: 'NEW123456' } as Row) : each,
  );
  const isEmpty = rows.every(({ status }) => status === 'Cancelled' || status === 'CancellationRequested');
  return isEmpty ? port : { ...port, rows };
}

/** Plays a whole story; `look` sees each state with the one before it, whatever moved it. */
function play(start: Port, story: readonly Action[], look: (before: Port, after: Port) => void): Port {
  let now = monday;
  let port = start;
  const see = (after: Port): void => {
    look(port, after);
    port = after;
  };
  for (const action of story) {
    now += action.wait;
    for (const state of steps(port, now)) see(state);
    see(act(port, action, now));
  }
  for (const state of steps(port, now + 60 * day)) see(state);
  return port;
}

const inTable = new Set(portMoves.map(({ from, to }) => `${from} > ${to}`));
const rowTargets = new Set([
  ...rowMoves.map(({ from, to }) => `${from} > ${to}`),
  ...['PacValid', 'PacInvalid', 'PacInvalidDate', 'Submitted', 'Amended', 'CancellationRequested'].flatMap((from) => [
    `${from} > Cancelled`,
    `${from} > CancellationRequested`,
  ]),
  'PacValid > Submitted',
]);

test('no move is made that is not in the table, of a port or of a row', () => {
  fc.assert(
    fc.property(ports, actions, (port, story) => {
      play(port, story, (before, after) => {
        if (before.status !== after.status) expect(inTable).toContain(`${before.status} > ${after.status}`);
        for (const [index, row] of after.rows.entries()) {
          const earlier = before.rows[index]?.status;
          if (earlier !== row.status) expect(rowTargets).toContain(`${earlier} > ${row.status}`);
        }
      });
    }),
  );
});

test('the gate never leaks: a port goes to the network only with every row PacValid or Cancelled', () => {
  fc.assert(
    fc.property(ports, actions, (port, story) => {
      play(port, story, (before, after) => {
        if (after.status !== 'Submitted' || before.status === 'Submitted' || before.status === 'SubmittedWithErrors')
          return;
        expect(before.rows.every(({ status }) => status === 'PacValid' || status === 'Cancelled')).toBe(true);
        expect(after.rows.every(({ status }) => status === 'Submitted' || status === 'Cancelled')).toBe(true);
      });
    }),
  );
});

test('a port that is Complete or Cancelled stays as it is', () => {
  fc.assert(
    fc.property(ports, actions, (port, story) => {
      play(port, story, (before, after) => {
        if (isEnded(before)) expect(after).toEqual(before);
      });
    }),
  );
});

test('a cancelled row stays cancelled', () => {
  fc.assert(
    fc.property(ports, actions, (port, story) => {
      play(port, story, (before, after) => {
        for (const [index, row] of before.rows.entries()) {
          if (row.status === 'Cancelled') expect(after.rows[index]?.status).toBe('Cancelled');
        }
      });
    }),
  );
});

test('nothing is cancelled from Locked on', () => {
  fc.assert(
    fc.property(ports, actions, (port, story) => {
      play(port, story, (before, after) => {
        if (before.lockedAt !== null) expect(after.status).not.toBe('Cancelled');
      });
    }),
  );
});

test('one jump of the clock leaves the same port as many small steps', () => {
  fc.assert(
    fc.property(ports, fc.array(fc.integer({ min: 0, max: 2 * day }), { maxLength: 20 }), (port, waits) => {
      let now = monday;
      let stepped = port;
      for (const wait of waits) {
        now += wait;
        stepped = advancePort(stepped, now, calendar);
      }
      expect(advancePort(port, now, calendar)).toEqual(stepped);
    }),
  );
});

test('a port whose hour to lock has passed locks when the row that blocks it is cancelled, not before', () => {
  const rows = [rowOf('Port', 'REJ123456', null, 0), rowOf('Port', 'ABC123456', null, 1)];
  const late: Port = { ...portOf('Port', rows, '2026-07-07'), since: monday + day };
  const now = monday + day + hour;
  const dropped = act(advancePort(late, now, calendar), { wait: 0, does: 'drop', row: 0 }, now);
  expect(nextMove(dropped, calendar)?.at).toBe(now);
});

test('moves are made in the order of their times, those of rows and those of the port', () => {
  fc.assert(
    fc.property(ports, actions, (start, story) => {
      let [now, port] = [monday, start];
      for (const action of [...story, { wait: 60 * day, does: 'nothing', row: 0 } as const]) {
        let latest = now;
        now += action.wait;
        for (let next = nextMove(port, calendar); next !== null && next.at <= now; next = nextMove(port, calendar)) {
          expect(next.at).toBeGreaterThanOrEqual(latest);
          latest = next.at;
          port = next.make();
        }
        port = act(port, action, now);
      }
    }),
    { numRuns: 500 },
  );
});

test('times in the history never go back', () => {
  fc.assert(
    fc.property(ports, actions, (port, story) => {
      const { history } = play(port, story, () => {});
      expect(history).toEqual(history.toSorted((left, right) => left.at - right.at));
    }),
  );
});

test('left alone, every port ends, or waits for a client or the operator', () => {
  fc.assert(
    fc.property(ports, (port) => {
      const { status } = play(port, [], () => {});
      expect([
        'Complete',
        'Cancelled',
        'Pac Check Failed',
        'Network Rejected',
        'Error',
        'SubmittedWithErrors',
      ]).toContain(status);
    }),
  );
});

test('every status of the spec is in the table', () => {
  const reached = new Set([...portMoves.flatMap(({ from, to }) => [from, to])]);
  expect([...reached].sort()).toEqual(Object.keys(portStatusIds).sort());
  expect(new Set(rowMoves.flatMap(({ from, to }) => [from, to]))).toEqual(new Set(Object.keys(rowStatusIds)));
});

// The life of a port, seen over HTTP on a clock that the test moves (spec "States and transitions").
describe('over HTTP', () => {
  /** Every status of a port after the clock has jumped: each one entered on the way, by the service's own history. */
  async function lived(service: TestSimulator, id: string, jump: number): Promise<string[]> {
    service.pass(jump);
    const { ports } = (await service.call('GET', '/_sandbox/dump')).body;
    const port = ports.find((each: { id: string }) => each.id === id);
    return port.history.map(({ status }: { status: string }) => status);
  }

  const life = async (changes: Partial<CreatePortBody>, jump = 20 * day): Promise<string[]> => {
    const service = await startTestSimulator({ sandbox: true });
    return lived(service, await createPort(service, changes), jump);
  };

  const services = [{ name: 'Roaming', value: 'true' }];
  const keep: Partial<CreatePortBody> = { portType: 'MigrateInKeep', connectionDate: '2026-07-13' };

  test('a port without services goes from Created to Complete', async () => {
    expect(await life({})).toEqual([
      'Created',
      'Submitted',
      'Locked',
      'Ported',
      'Create RA',
      'Awaiting RA',
      'Complete',
    ]);
  });

  test('a port with services is also configured', async () => {
    expect((await life({ rows: [portRow(1, { services })] })).slice(3)).toEqual([
      'Ported',
      'Create RA',
      'Awaiting RA',
      'Create Configuration',
      'Awaiting Configuration',
      'Complete',
    ]);
  });

  test('a MigrateIn lives like a Port', async () => {
    expect(await life({ portType: 'MigrateIn' })).toEqual([
      'Created',
      'Submitted',
      'Locked',
      'Ported',
      'Create RA',
      'Awaiting RA',
      'Complete',
    ]);
  });

  test('a MigrateInKeep is checked by the network first', async () => {
    expect((await life(keep)).slice(0, 3)).toEqual(['Created', 'Network Validating', 'Submitted']);
  });

  test('a MigrateInKeep without a serial awaits it, and then shows it', async () => {
    const service = await startTestSimulator({ sandbox: true });
    const id = await createPort(service, { ...keep, rows: [portRow(1, { serialNo: null })] });
    expect(await lived(service, id, 20 * day)).toEqual([
      'Created',
      'Network Validating',
      'Submitted',
      'Locked',
      'Ported',
      'Awaiting Serial',
      'Create RA',
      'Awaiting RA',
      'Complete',
    ]);
    expect((await readPort(service, id)).rows[0]?.serialNo).toMatch(/^89\d{17,18}$/);
  });

  test('a SIM of 899902 makes the network take its time with the serial', async () => {
    const rows = [portRow(1, { serialNo: '8999020000000000001' })];
    expect(await life({ ...keep, rows })).toContain('Awaiting Serial');
  });

  test('a SIM of 899901 is not kept by the network', async () => {
    const rows = [portRow(1, { serialNo: '8999010000000000001' })];
    expect(await life({ ...keep, rows }, day)).toEqual(['Created', 'Network Validating', 'Network Rejected']);
  });

  test.each(['INV123456', 'EXP123456', 'ABC12345', '123456ABC'])('a PAC %s fails the check', async (pac) => {
    expect(await life({ rows: [portRow(1, { pac })] }, day)).toEqual(['Created', 'Pac Check Failed']);
  });

  test('no row is submitted while one is neither PacValid nor Cancelled', async () => {
    const service = await startTestSimulator();
    const id = await createPort(service, { rows: [portRow(1), portRow(2, { pac: 'EXP123456' }), portRow(3)] });
    service.pass(3 * day);
    const port = await readPort(service, id);
    expect([port.statusName, ...port.rows.map(({ statusName }) => statusName)]).toEqual([
      'Pac Check Failed',
      'PacValid',
      'PacInvalidDate',
      'PacValid',
    ]);
  });

  test('a REJ PAC is rejected by the source network: the port is Cancelled, the reason in the message of the row', async () => {
    const service = await startTestSimulator({ sandbox: true });
    const id = await createPort(service, { rows: [portRow(1), portRow(2, { pac: 'REJ123456' })] });
    expect(await lived(service, id, 20 * day)).toEqual(['Created', 'Submitted', 'Cancelled']);
    const { rows } = await readPort(service, id);
    expect(rows.map(({ statusName, message }) => [statusName, message])).toEqual([
      ['Cancelled', null],
      ['Cancelled', 'Rejected by the source network: the PAC belongs to another account.'],
    ]);
  });

  test('an ERR PAC ends in Error, a SWE PAC in SubmittedWithErrors', async () => {
    expect(await life({ rows: [portRow(1, { pac: 'ERR123456' })] }, day)).toEqual(['Created', 'Error']);
    expect(await life({ rows: [portRow(1, { pac: 'SWE123456' })] }, day)).toEqual([
      'Created',
      'Submitted',
      'SubmittedWithErrors',
    ]);
  });

  test('what is due first happens first: a PAC amended during the check is checked after it', async () => {
    const service = await startTestSimulator({ sandbox: true });
    const id = await createPort(service, { rows: [portRow(1, { pac: 'INV123456' })] });
    service.pass(2 * minute);
    const body = { Rows: [{ Msisdn: '07700900001', Pac: 'NEW123456', PortRowStatus: 'Amended' }] };
    await service.call('PATCH', `/api/porting/1001/port/${id}`, { body });
    expect(await lived(service, id, hour)).toEqual(['Created', 'Pac Check Failed', 'Submitted']);
  });

  test('a SLO PAC takes hours to be checked', async () => {
    const service = await startTestSimulator();
    const id = await createPort(service, { rows: [portRow(1, { pac: 'SLO123456' })] });
    service.pass(5 * hour);
    expect((await readPort(service, id)).statusName).toBe('Created');
    service.pass(2 * hour);
    expect((await readPort(service, id)).statusName).toBe('Submitted');
  });

  test('a port is locked on the evening of the working day before its date', async () => {
    const service = await startTestSimulator();
    const id = await createPort(service, { connectionDate: '2026-07-13' });
    service.moveTo('2026-07-10T16:59:59Z');
    expect((await readPort(service, id)).statusName).toBe('Submitted');
    service.moveTo('2026-07-10T17:00:00Z');
    expect((await readPort(service, id)).statusName).toBe('Locked');
  });

  test('a port is complete within a day of its date', async () => {
    const service = await startTestSimulator();
    const rows = [portRow(1, { services, serialNo: null })];
    const id = await createPort(service, { ...keep, rows });
    service.moveTo('2026-07-13T23:00:00Z');
    expect((await readPort(service, id)).statusName).toBe('Complete');
  });

  test('a port whose PAC came right too late is moved on the working day after its lock', async () => {
    const service = await startTestSimulator();
    const id = await createPort(service, { rows: [portRow(1, { pac: 'INV123456' }), portRow(2)] });
    service.moveTo('2026-07-10T12:00:00Z');
    const body = { Rows: [{ Msisdn: '07700900001', Pac: 'NEW123456', PortRowStatus: 'Amended' }] };
    await service.call('PATCH', `/api/porting/1001/port/${id}`, { body });
    service.pass(hour);
    expect((await readPort(service, id)).statusName).toBe('Locked');
    service.moveTo('2026-07-13T06:59:00Z');
    expect((await readPort(service, id)).statusName).toBe('Locked');
    service.moveTo('2026-07-13T07:00:00Z');
    expect((await readPort(service, id)).statusName).toBe('Ported');
  });

  test('a RIO of a French number is checked by its key', async () => {
    const french = { portType: 'Port', targetNetworkId: 15, sourceNetworkId: 5, connectionDate: '2026-07-13' };
    const row = { tariffId: 4001, provisioningOrder: 5004, msisdn: '33612345678' };
    expect((await life({ ...french, rows: [portRow(1, { ...row, pac: '03P123456559' })] }, day))[1]).toBe('Submitted');
    expect((await life({ ...french, rows: [portRow(1, { ...row, pac: '03P123456558' })] }, day))[1]).toBe(
      'Pac Check Failed',
    );
  });

  describe('a magic PAC that Update Port brings', () => {
    /** The port after its PAC check failed and the PAC of its row was replaced. */
    async function amended(service: TestSimulator, pac: string): Promise<string> {
      const id = await createPort(service, {
        connectionDate: '2026-07-20T00:00:00',
        rows: [portRow(1, { pac: 'INV000001' }), portRow(2)],
      });
      service.pass(5 * minute);
      const body = { Rows: [{ Msisdn: portRow(1).msisdn, Pac: pac, PortRowStatus: 'Amended' }] };
      expect((await service.call('PATCH', portPath(service, id), { body })).status).toBe(202);
      return id;
    }

    test.each([
      ['ERR000001', 10 * minute, 'Error'],
      ['SWE000001', hour, 'SubmittedWithErrors'],
      ['REJ000001', 3 * hour, 'Cancelled'],
      ['INV000009', 10 * minute, 'Pac Check Failed'],
      ['EXP000009', 10 * minute, 'Pac Check Failed'],
      ['ABC000009', 10 * minute, 'Submitted'],
    ])('%s has its effect: after %i ms the port is %s', async (pac, milliseconds, status) => {
      const service = await startTestSimulator();
      const id = await amended(service, pac);
      service.pass(milliseconds);
      expect((await readPort(service, id)).statusName).toBe(status);
    });

    test('SLO makes the new check take six hours', async () => {
      const service = await startTestSimulator();
      const id = await amended(service, 'SLO000001');
      service.pass(5 * hour);
      expect((await readPort(service, id)).statusName).toBe('Pac Check Failed');
      service.pass(2 * hour);
      expect((await readPort(service, id)).statusName).toBe('Submitted');
    });
  });

  describe('a magic PAC after Network Rejected', () => {
    async function afterRejection(service: TestSimulator, pac: string): Promise<string> {
      const id = await createPort(service, {
        portType: 'MigrateInKeep',
        connectionDate: '2026-07-20T00:00:00',
        rows: [portRow(1, { serialNo: '8999010000000000001' }), portRow(2, { pac })],
      });
      service.pass(5 * minute);
      expect((await readPort(service, id)).statusName).toBe('Network Rejected');
      const body = { Rows: [{ Msisdn: portRow(1).msisdn, PortRowStatus: 'CancellationRequested' }] };
      expect((await service.call('PATCH', portPath(service, id), { body })).status).toBe(202);
      return id;
    }

    test.each([
      ['ERR000001', 10 * minute, 'Error'],
      ['SLO000001', 10 * minute, 'Network Rejected'],
      ['SLO000001', 7 * hour, 'Submitted'],
      ['ABC000001', 10 * minute, 'Submitted'],
      ['INV000001', 10 * minute, 'Pac Check Failed'],
    ])('%s: after %i ms the port is %s', async (pac, milliseconds, status) => {
      const service = await startTestSimulator();
      const id = await afterRejection(service, pac);
      service.pass(milliseconds);
      expect((await readPort(service, id)).statusName).toBe(status);
    });
  });
});
