// Which change of a port, a row, a request or the services of a SIM is which event.
import { describe, expect, test } from 'vitest';
import { type ComparisonItem, newComparison } from '#shared/outcome/service-comparison.ts';
import type { LatestReading, NumberItem } from '#shared/request/number-claim.ts';
import { announce, eventOf, passes } from '../../../support/infra/announced-events.ts';
import {
  comparisonRecord,
  numberRecord,
  partRecord,
  portEventOf,
  portEventRecord,
  portRecord,
  requestRecord,
  statusRecord,
} from '../../../support/infra/stream-records.ts';
import { portItemOf, requestItemOf } from '../../../support/steps/ledger-items.ts';

describe('events', () => {
  describe('the status of a port', () => {
    test('of a new port has no former status', () => {
      const event = eventOf(statusRecord('Submitted'));
      expect(event).toMatchObject({ name: 'PortStatusChanged', portId: 'port-1', request: 1, status: 'Submitted' });
      expect(event).toMatchObject({ ended: false });
      expect(event).not.toHaveProperty('was');
    });

    test.each([
      ['Locked', false],
      ['Complete', true],
      ['Cancelled', true],
      ['A word nobody knows', false],
    ])('%s is terminal: %s', (status, ended) => {
      const record = portEventRecord([undefined, portEventOf({ status, was: 'Submitted' })]);
      expect(eventOf(record)).toMatchObject({ status, was: 'Submitted', ended });
    });

    test('that is written again causes no event', () => {
      const record = portEventRecord([portEventOf(), portEventOf()]);
      expect([announce(record), passes(record)]).toEqual([undefined, false]);
    });

    test('has a different id for every port and every change', () => {
      const ids = [
        portEventOf(),
        portEventOf({ portId: 'port-2' }),
        portEventOf({ status: 'Locked' }),
        portEventOf({ at: '2026-07-06T12:00:01.000Z' }),
      ].map((event) => eventOf(portEventRecord([undefined, event])).id);
      expect(new Set(ids).size).toBe(4);
    });

    test('without its import cannot be read', () => {
      expect(() => announce(portEventRecord([undefined, portEventOf({ importId: undefined })]))).toThrow(/importId/);
    });
  });

  const readAt = '2026-07-06T12:00:00.000Z';
  const told = (changes: Partial<LatestReading> = {}): LatestReading => ({
    portId: 'port-1',
    status: 'PacInvalid',
    message: 'PAC ABC123456 is wrong',
    readAt,
    ended: false,
    ...changes,
  });
  const claim: NumberItem = {
    number: '447700900001',
    importId: 'import-1',
    request: 1,
    line: 7,
    claimedAt: readAt,
    expiresAt: 1_850_000_000,
  };

  describe('a row', () => {
    test('that requires action is named by its line, without number, PAC or message of the service', () => {
      const record = numberRecord([claim, { ...claim, latest: told() }]);
      expect(eventOf(record)).toMatchObject({
        name: 'ActionRequired',
        scope: 'row',
        rows: 1,
        line: 7,
        request: 1,
        portId: 'port-1',
        status: 'PacInvalid',
        whatToDo: 'Get a new PAC and amend the row, or cancel the row',
      });
      expect(JSON.stringify(announce(record))).not.toMatch(/447700900001|ABC123456|is wrong/);
    });

    test('that its port does not have requires action as well', () => {
      const record = numberRecord([claim, { ...claim, latest: told({ status: 'Not In Port' }) }]);
      expect(eventOf(record)).toMatchObject({ whatToDo: expect.stringContaining('Contact the service operator') });
    });

    test('that is recorded again without a change causes no event', () => {
      const later = told({ readAt: '2026-07-06T13:00:00.000Z', message: 'other words' });
      expect(
        announce(
          numberRecord([
            { ...claim, latest: told() },
            { ...claim, latest: later },
          ]),
        ),
      ).toBeUndefined();
    });

    test.each([
      ['has another trouble', told({ status: 'PacInvalidDate' })],
      ['is in another port', told({ portId: 'port-2' })],
    ])('that %s than before is an event again', (_, next) => {
      expect(
        eventOf(
          numberRecord([
            { ...claim, latest: told() },
            { ...claim, latest: next },
          ]),
        ),
      ).toBeDefined();
    });

    test('of another import than the former claim is an event, whatever was recorded before', () => {
      const former = { ...claim, importId: 'import-0', latest: told() };
      expect(eventOf(numberRecord([former, { ...claim, latest: told() }]))).toMatchObject({ importId: 'import-1' });
    });

    test('that requires no action any more causes no event', () => {
      const amended = { ...claim, latest: told({ status: 'Amended' }) };
      expect(announce(numberRecord([{ ...claim, latest: told() }, amended]))).toBeUndefined();
    });

    test.each([
      ['was claimed', [undefined, claim]],
      ['has ended', [claim, { ...claim, latest: told({ status: 'Complete', ended: true }) }]],
    ] as const)('that %s costs nothing', (_, pair) => {
      const record = numberRecord(pair);
      expect([announce(record), passes(record)]).toEqual([undefined, false]);
    });
  });

  describe('a port', () => {
    const fine = portItemOf();
    const stopped = portItemOf({ status: 'Error', actionRequired: 2 });

    test('that requires action as a whole is an event with all its rows', () => {
      expect(eventOf(portRecord([fine, stopped]))).toMatchObject({
        name: 'ActionRequired',
        scope: 'port',
        rows: 2,
        portId: fine.portId,
        status: 'Error',
        whatToDo: expect.stringContaining('service operator'),
      });
    });

    test('that differs from the request is an event, even if no row requires action', () => {
      const odd = portItemOf({ concern: 'The port contains 447700900009, which was not sent' });
      const record = portRecord([undefined, odd]);
      expect(eventOf(record)).toMatchObject({ scope: 'port', rows: 1 });
      expect(JSON.stringify(announce(record))).not.toContain('447700900009');
      expect(eventOf(portRecord([odd, { ...odd, concern: 'something else' }]))).toBeDefined();
    });

    test('that does not change causes no event', () => {
      expect(announce(portRecord([stopped, { ...stopped, readAt }]))).toBeUndefined();
    });

    test('whose rows require action causes no event: its rows do', () => {
      const held = portItemOf({ status: 'Pac Check Failed', actionRequired: 1, blockingRows: 1 });
      expect(announce(portRecord([fine, held]))).toBeUndefined();
    });

    test('that is read and requires no action costs nothing', () => {
      const record = portRecord([fine, { ...fine, readAt }]);
      expect([announce(record), passes(record)]).toEqual([undefined, false]);
    });
  });

  describe('a request', () => {
    const unknown = requestItemOf({ state: 'unknown' });
    const left = requestItemOf({ state: 'action-required', rowCount: 5 });

    test('that requires action is an event with all its rows', () => {
      expect(eventOf(requestRecord([unknown, left]))).toMatchObject({
        name: 'ActionRequired',
        scope: 'request',
        rows: 5,
        request: left.request,
        whatToDo: `Check in the service portal whether the service executed it, then resolve request ${left.importId}/${left.request}`,
      });
    });

    test('that already requires action causes no event', () => {
      expect(announce(requestRecord([left, { ...left, revision: 9 }]))).toBeUndefined();
    });

    test('in progress costs nothing', () => {
      const record = requestRecord([unknown, requestItemOf({ state: 'created' })]);
      expect([announce(record), passes(record)]).toEqual([undefined, false]);
    });
  });

  describe('the services of SIMs', () => {
    const place = {
      importId: 'import-1',
      request: 1,
      account: '1001@service',
      portId: 'ticket',
      expiresAt: 1_850_000_000,
    };
    const due = newComparison(place, Date.parse('2026-07-06T12:00:00.000Z'));
    const services = [{ name: 'Roaming', type: 'Service', requested: 'false', actual: null }];
    const withSims = (...lines: readonly number[]): ComparisonItem => ({
      ...due,
      state: 'found',
      revision: 1,
      sims: lines.map((line) => ({ line, msisdn: '', serialNumber: '89440010110010000104', services })),
    });

    test('that differ from those requested are an event with the rows that are new', () => {
      const whatToDo = 'Import mismatches-bar-service-config.csv of this import to set the services again';
      const expected = { name: 'ActionRequired', scope: 'request', request: 1, rows: 2, whatToDo };
      expect(eventOf(comparisonRecord([due, withSims(2, 3)]))).toMatchObject(expected);
      expect(eventOf(comparisonRecord([withSims(2), withSims(2, 3)]))).toMatchObject({ ...expected, rows: 1 });
    });

    test('that differed before, or are as requested, cause no event', () => {
      expect(announce(comparisonRecord([withSims(2, 3), withSims(3)]))).toBeUndefined();
      const equal = comparisonRecord([due, { ...due, state: 'none' }]);
      expect([announce(equal), passes(equal)]).toEqual([undefined, false]);
    });
  });

  test('other items cause no event', () => {
    expect([announce(partRecord()), passes(partRecord())]).toEqual([undefined, false]);
  });
});
