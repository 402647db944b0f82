// The table of moves itself: what no history of a port may ever break.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromWireDate } from '#shared/row/calendar-date.ts';
import { portTypeNames } from '#shared/service/contract.ts';
import { createCalendar } from '#simulator/calendar.ts';
import { advancePort, cancelPort, canUpdateRow, nextMove, resolvePort } from '#simulator/ports/advance-port.ts';
import { checkPac } from '#simulator/ports/check-pac.ts';
import { portMoves, rowMoves } from '#simulator/ports/lifecycle.ts';
import { isEnded, type Port, portStatusIds, type Row, rowStatusIds } from '#simulator/ports/port.ts';
import { day, hour, minute, monday } from '../../support/service/simulator.ts';

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
