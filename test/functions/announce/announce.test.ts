// Which change of which item is which event, and which is none. Every event has the shape that is published, and its record
// passes the filter of the mapping: what the filter keeps away can be no event.
import type { DynamoDBRecord } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { announcementOf } from '#functions/announce/announce.ts';
import { resourcesOf } from '#infra/checks/template.ts';
import { createFilter } from '#local/stream/filter.ts';
import { readChange } from '#shared/aws/stream-records.ts';
import type { ImportItem, NumberItem, NumberTold } from '#shared/domain/ledger.ts';
import { type EventName, eventDetails } from '#shared/events/events.ts';
import {
  driftRecord,
  importRecord,
  numberRecord,
  portEventOf,
  portEventRecord,
  portRecord,
  removedRecord,
  requestRecord,
  statusRecord,
} from '../../support/events-records.ts';
import { synthesise } from '../../support/infra-template.ts';
import { portItemOf, requestItemOf } from '../../support/results-ledger.ts';
import { importItemOf } from '../../support/results-rig.ts';

const mapping = resourcesOf(synthesise('prod'), 'AWS::Lambda::EventSourceMapping').find(
  ([, { FilterCriteria }]) => FilterCriteria !== undefined,
)?.[1];
const passes = createFilter(mapping?.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => Pattern));

const announce = (record: DynamoDBRecord) => {
  const change = readChange(record);
  return change && announcementOf(change);
};
/** The event of the record, held against its schema and against the filter. */
const eventOf = (record: DynamoDBRecord) => {
  const announcement = announce(record);
  if (announcement === undefined) throw new Error('it makes no event');
  expect(passes(record)).toBe(true);
  const detail = eventDetails[announcement.name as EventName].strict().parse(announcement.detail);
  return { ...detail, name: announcement.name };
};

const importOf = (changes: Partial<ImportItem> = {}) => importItemOf('import-1', changes);

describe('an import', () => {
  test('is planned: with the counts of its plan, and whether it waits for a person', () => {
    const planned = importOf({ state: 'planned', rows: 12, accepted: 10, rejected: 2, requestCount: 3 });
    expect(eventOf(importRecord([importOf({ state: 'planning' }), planned]))).toMatchObject({
      name: 'ImportPlanned',
      importId: 'import-1',
      at: planned.changedAt,
      ...{ operation: 'create-port', file: planned.key, rows: 12, accepted: 10, rejected: 2, requests: 3 },
      waitsForApproval: false,
    });
    const waiting = importRecord([importOf({ state: 'planning' }), { ...planned, planOnly: true }]);
    expect(eventOf(waiting)).toMatchObject({ waitsForApproval: true });
  });

  test('is rejected: with the codes of its errors, each once, at most ten', () => {
    const issue = (code: 'HEADER_MISSING_COLUMN' | 'FILE_GONE', severity: 'error' | 'warning' = 'error') => ({
      ...{ line: 0, column: null, code, severity },
      message: 'the PAC ABC123456 of 447700900001',
    });
    const issues = [issue('HEADER_MISSING_COLUMN'), issue('FILE_GONE', 'warning'), issue('HEADER_MISSING_COLUMN')];
    const record = importRecord([importOf({ state: 'planning' }), importOf({ state: 'refused', issues })]);
    expect(eventOf(record)).toMatchObject({ name: 'ImportRejected', codes: ['HEADER_MISSING_COLUMN'] });
    expect(JSON.stringify(announce(record))).not.toMatch(/ABC123456|447700900001/);
  });

  test('whose plan expired while it waited for approval is rejected after it was planned', () => {
    const record = importRecord([importOf({ state: 'planned' }), importOf({ state: 'refused' })]);
    expect(eventOf(record)).toMatchObject({ name: 'ImportRejected' });
  });

  test('is completed: with its tallies', () => {
    const tallies = { requests: { created: 2, refused: 1 }, ports: { Complete: 2 }, attention: 0, withdrawnRows: 4 };
    const record = importRecord([importOf({ state: 'following' }), importOf({ state: 'completed', ...tallies })]);
    const { withdrawnRows, ...told } = tallies;
    expect(eventOf(record)).toMatchObject({ name: 'ImportCompleted', ...told, withdrawn: 4 });
  });

  test.each(['planned', 'refused', 'completed'] as const)('that was %s before is no news', (state) => {
    const record = importRecord([importOf({ state }), importOf({ state, reported: 'x' })]);
    expect(announce(record)).toBeUndefined();
  });

  test.each(['planning', 'submitting', 'following'] as const)('that is %s costs nothing', (state) => {
    const record = importRecord([importOf({ state: 'planning' }), importOf({ state })]);
    expect([announce(record), passes(record)]).toEqual([undefined, false]);
  });

  test('that completes once more, because something came late, is another event', () => {
    const completed = (changedAt: string) =>
      eventOf(importRecord([importOf({ state: 'following' }), importOf({ state: 'completed', changedAt })])).id;
    const [noon, one] = ['2026-07-06T12:00:00.000Z', '2026-07-06T13:00:00.000Z'];
    expect(completed(noon)).not.toBe(completed(one));
    expect(completed(noon)).toBe(completed(noon));
  });

  test('that is deleted says nothing', () => {
    expect(announce(removedRecord(importOf({ state: 'completed' })))).toBeUndefined();
    expect(passes(removedRecord(importOf({ state: 'completed' })))).toBe(false);
  });
});

describe('the status of a port', () => {
  test('that is new has none before it', () => {
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
  ])('%s ends the port: %s', (status, ended) => {
    const record = portEventRecord([undefined, portEventOf({ status, was: 'Submitted' })]);
    expect(eventOf(record)).toMatchObject({ status, was: 'Submitted', ended });
  });

  test('that is written once more is no event', () => {
    const record = portEventRecord([portEventOf(), portEventOf()]);
    expect([announce(record), passes(record)]).toEqual([undefined, false]);
  });

  test('of every port and of every change has an id of its own', () => {
    const ids = [
      portEventOf(),
      portEventOf({ portId: 'port-2' }),
      portEventOf({ status: 'Locked' }),
      portEventOf({ at: '2026-07-06T12:00:01.000Z' }),
    ].map((event) => eventOf(portEventRecord([undefined, event])).id);
    expect(new Set(ids).size).toBe(4);
  });

  test('without the import that it belongs to is not understood', () => {
    expect(() => announce(portEventRecord([undefined, portEventOf({ importId: undefined })]))).toThrow(/importId/);
  });
});

const lookedAt = '2026-07-06T12:00:00.000Z';
const told = (changes: Partial<NumberTold> = {}): NumberTold => ({
  ...{ portId: 'port-1', status: 'PacInvalid', message: 'PAC ABC123456 is wrong', lookedAt, ended: false },
  ...changes,
});
const claim: NumberItem = { number: '447700900001', importId: 'import-1', request: 1, line: 7, claimedAt: lookedAt };

describe('a row', () => {
  test('that begins to need a person is named by its line, without number, PAC or words of the service', () => {
    const record = numberRecord([claim, { ...claim, told: told() }]);
    expect(eventOf(record)).toMatchObject({
      ...{ name: 'RowNeedsAttention', scope: 'row', rows: 1, line: 7, request: 1, portId: 'port-1' },
      ...{ status: 'PacInvalid', whatToDo: 'get a new PAC and amend the line, or cancel it' },
    });
    expect(JSON.stringify(announce(record))).not.toMatch(/447700900001|ABC123456|is wrong/);
  });

  test('that its port does not hold needs a person too', () => {
    const record = numberRecord([claim, { ...claim, told: told({ status: 'Not In Port' }) }]);
    expect(eventOf(record)).toMatchObject({ whatToDo: expect.stringContaining('ask the service operator') });
  });

  test('that is told the same again is no news', () => {
    const later = told({ lookedAt: '2026-07-06T13:00:00.000Z', message: 'other words' });
    expect(
      announce(
        numberRecord([
          { ...claim, told: told() },
          { ...claim, told: later },
        ]),
      ),
    ).toBeUndefined();
  });

  test.each([
    ['has another trouble', told({ status: 'PacInvalidDate' })],
    ['is in another port', told({ portId: 'port-2' })],
  ])('that %s than before is told again', (_, next) => {
    expect(
      eventOf(
        numberRecord([
          { ...claim, told: told() },
          { ...claim, told: next },
        ]),
      ),
    ).toBeDefined();
  });

  test('of another import than the claim before it is told, whatever that was told', () => {
    const former = { ...claim, importId: 'import-0', told: told() };
    expect(eventOf(numberRecord([former, { ...claim, told: told() }]))).toMatchObject({ importId: 'import-1' });
  });

  test('that ceases to need a person is no event', () => {
    const amended = { ...claim, told: told({ status: 'Amended' }) };
    expect(announce(numberRecord([{ ...claim, told: told() }, amended]))).toBeUndefined();
  });

  test.each([
    ['was claimed', [undefined, claim]],
    ['has ended', [claim, { ...claim, told: told({ status: 'Complete', ended: true }) }]],
  ] as const)('that %s costs nothing', (_, pair) => {
    const record = numberRecord(pair);
    expect([announce(record), passes(record)]).toEqual([undefined, false]);
  });
});

describe('a port', () => {
  const fine = portItemOf();
  const stopped = portItemOf({ status: 'Error', attention: 2 });

  test('that stops as a whole is told with all its rows', () => {
    expect(eventOf(portRecord([fine, stopped]))).toMatchObject({
      ...{ name: 'RowNeedsAttention', scope: 'port', rows: 2, portId: fine.portId, status: 'Error' },
      whatToDo: expect.stringContaining('service operator'),
    });
  });

  test('that is not what was sent is told, if no row needs anybody yet', () => {
    const odd = portItemOf({ concern: 'the port holds 447700900009 that nobody sent' });
    const record = portRecord([undefined, odd]);
    expect(eventOf(record)).toMatchObject({ scope: 'port', rows: 1 });
    expect(JSON.stringify(announce(record))).not.toContain('447700900009');
    expect(eventOf(portRecord([odd, { ...odd, concern: 'something else' }]))).toBeDefined();
  });

  test('that stays as it is, is no news', () => {
    expect(announce(portRecord([stopped, { ...stopped, lookedAt }]))).toBeUndefined();
  });

  test('whose rows are to blame is told of by its rows', () => {
    const held = portItemOf({ status: 'Pac Check Failed', attention: 1, badLines: 1 });
    expect(announce(portRecord([fine, held]))).toBeUndefined();
  });

  test('that is looked at and needs nobody costs nothing', () => {
    const record = portRecord([fine, { ...fine, lookedAt }]);
    expect([announce(record), passes(record)]).toEqual([undefined, false]);
  });
});

describe('a request', () => {
  const unknown = requestItemOf({ state: 'unknown' });
  const left = requestItemOf({ state: 'needs-human', rowCount: 5 });

  test('that only a person can settle is told with all its rows', () => {
    expect(eventOf(requestRecord([unknown, left]))).toMatchObject({
      ...{ name: 'RowNeedsAttention', scope: 'request', rows: 5, request: left.request },
      whatToDo: `look for it at the service, then decide: simporter decide ${left.importId}/${left.request}`,
    });
  });

  test('that waits for a person already is no news', () => {
    expect(announce(requestRecord([left, { ...left, revision: 9 }]))).toBeUndefined();
  });

  test('on its way costs nothing', () => {
    const record = requestRecord([unknown, requestItemOf({ state: 'created' })]);
    expect([announce(record), passes(record)]).toEqual([undefined, false]);
  });
});

test('other items are nobody’s business', () => {
  expect([announce(driftRecord()), passes(driftRecord())]).toEqual([undefined, false]);
});
