// The item of a number and the result of its row are about the same port: whatever the service shows, and whichever
// port of its request a person keeps, they agree.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type KnownPort, snapshotOf } from '#shared/outcome/port-snapshot.ts';
import { blockingLinesOf, rowResult } from '#shared/outcome/row-result.ts';
import type { PortItem, PortRowState } from '#shared/port/port.ts';
import { notInPort, portStatus, portStatusNames } from '#shared/port/port-status.ts';
import { type NumberItem, predictNumber } from '#shared/request/number-claim.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { closeDuplicates, keepPort } from '#shared/request/request-state.ts';
import { iso, noon, portRowsOf, requestItemOf } from '../../support/steps/ledger-items.ts';

const ports = ['port-1', 'port-2'] as const;
const minute = 60_000;
const anyRow = fc.record({
  status: fc.constantFrom('PacValid', 'PacInvalid', 'Submitted', 'Amended', 'CancellationRequested', 'Cancelled'),
  message: fc.option(fc.constant('the account is barred'), { nil: undefined }),
  isMissing: fc.boolean(),
});
const anyReading = fc.record({
  status: fc.constantFrom(...portStatusNames),
  rows: fc.tuple(anyRow, anyRow),
});
const anyStep = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('read' as const), reading: anyReading }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('keep' as const), reading: anyReading }) },
);
type Reading = typeof anyReading extends fc.Arbitrary<infer Value> ? Value : never;

/** A request with two ports, its numbers and the readings of its ports, as sync stores them. */
function createLedger() {
  let request: RequestItem = requestItemOf({ state: 'created', portId: ports[0], duplicatePortIds: [ports[1]] });
  const sent = portRowsOf('', '');
  const stored = new Map<string, { port: PortItem; rows: readonly PortRowState[] }>();
  const claims = new Map(
    sent.map(({ msisdn, line }): [string, NumberItem] => [
      msisdn,
      {
        number: msisdn,
        importId: request.importId,
        request: request.request,
        line,
        claimedAt: iso(noon),
        expiresAt: 1_850_000_000,
      },
    ]),
  );
  let now = noon;
  const read = ({ status, rows }: Reading): void => {
    // An end with a missing number is believed of a second reading, a quarter of an hour later.
    now += 15 * minute;
    const id = request.portId ?? '';
    const known: KnownPort = { request, port: stored.get(id)?.port, rows: stored.get(id)?.rows ?? sent };
    const shown = sent.flatMap(({ msisdn }, place) => {
      const row = rows[place];
      if (row === undefined || row.isMissing) return [];
      return [{ msisdn, statusName: row.status, message: row.message }];
    });
    const reading = { id, name: 'n', statusName: status, connectionDate: '2026-07-20', rowCount: 2, rows: shown };
    const context = { account: '1001@service', zone: 'Europe/London', callingCode: '44', readAt: now };
    const snapshot = snapshotOf(known, reading, context);
    if (snapshot === undefined) throw new Error('the reading is outdated');
    stored.set(id, { port: snapshot.next, rows: snapshot.rows ?? known.rows });
    request = snapshot.request?.next ?? request;
    for (const { number, importId: _, request: __, ...latest } of snapshot.numberUpdates) {
      const claim = claims.get(number);
      if (claim !== undefined) claims.set(number, { ...claim, latest });
    }
  };
  return {
    read,
    keepOther: (reading: Reading): void => {
      const other = ports.find((id) => id !== request.portId) ?? '';
      const own = request.portId ?? '';
      const resolution = { what: 'keep', by: 'Sam', at: iso(now) } as const;
      const open = { ...request, duplicatePortIds: [other], formerPortIds: undefined };
      request = closeDuplicates(keepPort(open, other, resolution, now), [own], now);
      read(reading);
    },
    isOver: () => request.endedAt !== undefined,
    rows: () =>
      (stored.get(request.portId ?? '')?.rows ?? []).map((row) => ({
        row,
        claim: claims.get(row.msisdn) as NumberItem,
        result: rowResult(request, row, blockingLinesOf(request, sent)),
        request,
      })),
  };
}

type Followed = ReturnType<ReturnType<typeof createLedger>['rows']>[number];

function checkRow({ row, claim, result, request }: Followed): void {
  const prediction = predictNumber(claim, request)?.kind;
  const isMissing = row.status === notInPort;
  // The second port may port the number as well, until a person has chosen one.
  if (request.duplicatePortIds !== undefined) {
    expect(prediction).toBe('in-progress');
    return;
  }
  expect(prediction === 'ported').toBe(result.outcome === 'complete');
  if (isMissing) expect(result.outcome).not.toBe('complete');
  const isByPerson = result.outcome === 'cancelled' && !isMissing && (row.message ?? '') === '';
  expect(prediction === 'cancelled').toBe(isByPerson);
  const isOver = ['complete', 'cancelled'].includes(result.outcome) || portStatus(request.portStatus ?? '').terminal;
  expect(prediction === 'in-progress').toBe(!isOver);
}

test('fault 57: a number is ported, cancelled or in progress exactly if the result of its row is', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 1, maxLength: 8 }), (steps) => {
      const ledger = createLedger();
      for (const { kind, reading } of steps) {
        // A person keeps a port while the request is in progress, and an ended port is not read again.
        if (ledger.isOver()) return;
        if (kind === 'read') ledger.read(reading);
        else ledger.keepOther(reading);
        for (const followed of ledger.rows()) checkRow(followed);
      }
    }),
    { numRuns: 500 },
  );
});
