// The function as Lambda calls it, with events over HTTP to the local EventBridge.
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { announcementOf, createAnnounceHandler, readChange } from '#functions/announce/handler.ts';
import { inputOf, messagesForPeople } from '#infra/constructs/messages.ts';
import { busEvent } from '#local/aws/event-bridge.ts';
import { createFilter } from '#local/stream/filter.ts';
import { type EventName, eventDetails } from '#shared/api/events.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { type ComparisonItem, newComparison } from '#shared/outcome/service-comparison.ts';
import type { LatestReading, NumberItem } from '#shared/request/number-claim.ts';
import { createEventBus, type EventBus } from '#shared/store/event-bus.ts';
import { type Served, serveEventBridge } from '../../support/emulator/services.ts';
import { resourcesOf } from '../../support/infra/checks/read-template.ts';
import {
  comparisonRecord,
  importRecord,
  numberRecord,
  partRecord,
  portEventOf,
  portEventRecord,
  portRecord,
  removedRecord,
  requestRecord,
  statusRecord,
} from '../../support/infra/stream-records.ts';
import { synthesise } from '../../support/infra/template.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { portItemOf, requestItemOf } from '../../support/steps/ledger-items.ts';
import { importItemOf } from '../../support/steps/submit-and-sync.ts';
import { silentLog } from '../../support/steps/test-pipeline.ts';

let eventBridge: Served;
let client: EventBridgeClient;
beforeEach(async () => {
  eventBridge = await serveEventBridge(() => 0);
  client = new EventBridgeClient({ endpoint: eventBridge.url });
});
afterEach(async () => {
  client.destroy();
  await eventBridge.stop();
});

const published = async () => {
  const text = await (await fetch(`${eventBridge.url}/events`)).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => busEvent.parse(JSON.parse(line)));
};
const announceOn = (bus: EventBus) => (Records: DynamoDBRecord[]) =>
  createAnnounceHandler({ bus, log: silentLog })({ Records }, lambdaContext());
const announce = (records: DynamoDBRecord[]) =>
  announceOn(createEventBus(client, { bus: 'simporter-prod', source: 'simporter.prod' }))(records);
const numberOf = (record: DynamoDBRecord | undefined) => ({ itemIdentifier: record?.dynamodb?.SequenceNumber });

const unreadable = (): DynamoDBRecord => portEventRecord([undefined, portEventOf({ importId: undefined })]);
const records = ['Submitted', 'Locked', 'Ported'].map(statusRecord);

describe('announce', () => {
  test('publishes every event with its time, source and type', async () => {
    expect(await announce(records)).toEqual({ batchItemFailures: [] });
    expect(await published()).toMatchObject(
      ['Submitted', 'Locked', 'Ported'].map((status) => ({
        source: 'simporter.prod',
        'detail-type': 'PortStatusChanged',
        time: '2026-07-06T12:00:00.000Z',
        detail: { version: 1, status },
      })),
    );
  });

  test('publishes a record that is delivered again with the same id', async () => {
    await announce(records);
    await announce(records);
    const ids = (await published()).map(({ detail }) => (detail as { id: string }).id);
    expect(ids).toHaveLength(6);
    expect(ids.slice(3)).toEqual(ids.slice(0, 3));
    expect(new Set(ids).size).toBe(3);
  });

  test('accepts any number of records, and publishes ten events a call', async () => {
    const many = Array.from({ length: 23 }, (_, index) => statusRecord(`Status ${index}`));
    await announce(many);
    expect(await published()).toHaveLength(23);
  });

  test('reports a record that it cannot read as failed, and publishes the others', async () => {
    const bad = unreadable();
    expect(await announce([statusRecord('Locked'), bad])).toEqual({ batchItemFailures: [numberOf(bad)] });
    expect(await published()).toHaveLength(1);
  });

  test('reports events that the bus did not take as failed', async () => {
    const quiet = portRecord([portItemOf(), portItemOf()]);
    const deaf: EventBus = { publish: async (events) => [events.length - 1] };
    const response = await announceOn(deaf)([quiet, ...records]);
    expect(response).toEqual({ batchItemFailures: [numberOf(records.at(-1))] });
  });

  test('fails as a whole when the bus takes no call', async () => {
    const away: EventBus = { publish: () => Promise.reject(new Error('no such bus')) };
    await expect(announceOn(away)(records)).rejects.toThrow('no such bus');
  });

  test('makes no call without events', async () => {
    const never: EventBus = { publish: () => Promise.reject(new Error('called')) };
    expect(await announceOn(never)([portRecord([portItemOf(), portItemOf()])])).toEqual({ batchItemFailures: [] });
  });
});

// Which change of an item is which event. Every event has its published schema, and its record passes the filter of the
// event source mapping: records that do not pass the filter cannot be events.
describe('events', () => {
  const mapping = resourcesOf(synthesise('prod'), 'AWS::Lambda::EventSourceMapping').find(
    ([, { FilterCriteria }]) => FilterCriteria !== undefined,
  )?.[1];
  const passes = createFilter(mapping?.FilterCriteria.Filters.map(({ Pattern }: { Pattern: string }) => Pattern));

  const announce = (record: DynamoDBRecord) => {
    const change = readChange(record);
    return change && announcementOf(change);
  };
  /** The event of the record, checked with its schema and with the filter. */
  const eventOf = (record: DynamoDBRecord) => {
    const announcement = announce(record);
    if (announcement === undefined) throw new Error('it makes no event');
    expect(passes(record)).toBe(true);
    const detail = eventDetails[announcement.name as EventName].strict().parse(announcement.detail);
    return { ...detail, name: announcement.name };
  };

  /** They end a JSON string, begin a mention or a link, or are another line. */
  const craftedNames = [
    'July "final".csv',
    'a\\.csv',
    '"}],"to":["x@example.net"],"y":[{"z":"',
    '<!channel> <https://example.net|here>.csv',
    'line\nother\u2028\u202e.csv',
  ];

  const importOf = (changes: Partial<ImportItem> = {}) => importItemOf('import-1', changes);

  describe('an import', () => {
    test('is planned: with the counts of its plan, and whether it waits for approval', () => {
      const planned = importOf({ state: 'planned', rows: 12, accepted: 10, rejected: 2, requestCount: 3 });
      expect(eventOf(importRecord([importOf({ state: 'planning' }), planned]))).toMatchObject({
        name: 'ImportPlanned',
        importId: 'import-1',
        at: planned.changedAt,
        operation: 'create-port',
        file: planned.key,
        rows: 12,
        accepted: 10,
        rejected: 2,
        requests: 3,
        waitsForApproval: false,
      });
      const waiting = importRecord([importOf({ state: 'planning' }), { ...planned, planOnly: true }]);
      expect(eventOf(waiting)).toMatchObject({ waitsForApproval: true });
    });

    test.each([
      ['planning', 'planned'],
      ['planning', 'rejected'],
      ['in-progress', 'finished'],
    ] as const)('that is a part of another one names it, from %s to %s', (before, state) => {
      const partOf = { importId: 'first', kind: 'move' } as const;
      const of = (changes: Partial<ImportItem>) =>
        eventOf(importRecord([importOf({ state: before }), importOf(changes)]));
      expect(of({ state, partOf })).toMatchObject({ importId: 'import-1', part: 'move', firstImportId: 'first' });
      expect(Object.keys(of({ state }))).not.toContain('part');
    });

    test('names its file without the numbers and codes in the name', () => {
      const planned = importOf({ state: 'planned', key: 'create-port/07700900123 ABC123456 july.csv' });
      const { file } = eventOf(importRecord([importOf({ state: 'planning' }), planned])) as { readonly file?: string };
      expect(file).toBe('create-port/number code july.csv');
    });

    test.each(Object.entries(messagesForPeople).filter(([, { event }]) => event.startsWith('Import')))(
      '%s is the message that its template writes, whatever the name of its file: EventBridge escapes nothing',
      (_name, message) => {
        fc.assert(
          fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...craftedNames)), (name) => {
            const finished = importOf({ state: 'finished', key: `create-port/${name}` });
            const detail: Record<string, unknown> = eventOf(
              importRecord([importOf({ state: 'in-progress' }), finished]),
            );
            const { inputPathsMap = {}, inputTemplate } = inputOf(message, (text) => ({ blocks: [{ text }] }));
            const written = Object.keys(inputPathsMap as object).reduce(
              (text, member) => text.replaceAll(`<${member}>`, () => String(detail[member])),
              inputTemplate,
            );
            const { text } = JSON.parse(written).blocks[0];
            expect(Object.keys(JSON.parse(written))).toEqual(['blocks']);
            expect(text).toContain(detail.file);
            expect(detail.file).toMatch(/^[\p{L}\p{M}\p{N} ._/()+,&=#~'-]*$/u);
          }),
        );
      },
    );

    test('is rejected: with the codes of its errors, each once, and at most ten', () => {
      const issue = (code: 'HEADER_MISSING_COLUMN' | 'FILE_GONE', severity: 'error' | 'warning' = 'error') => ({
        line: 0,
        column: null,
        code,
        severity,
        message: 'the PAC ABC123456 of 447700900001',
      });
      const issues = [issue('HEADER_MISSING_COLUMN'), issue('FILE_GONE', 'warning'), issue('HEADER_MISSING_COLUMN')];
      const record = importRecord([importOf({ state: 'planning' }), importOf({ state: 'rejected', issues })]);
      expect(eventOf(record)).toMatchObject({ name: 'ImportRejected', codes: ['HEADER_MISSING_COLUMN'] });
      expect(JSON.stringify(announce(record))).not.toMatch(/ABC123456|447700900001/);
    });

    test('whose plan expired while it waited for approval is rejected after it was planned', () => {
      const record = importRecord([importOf({ state: 'planned' }), importOf({ state: 'rejected' })]);
      expect(eventOf(record)).toMatchObject({ name: 'ImportRejected' });
    });

    test('is finished: with its counts', () => {
      const tallies = {
        requests: { created: 2, declined: 1 },
        ports: { Complete: 2 },
        actionRequired: 0,
        skippedRows: 4,
        progress: { outcomes: { complete: 2, declined: 3 } },
      };
      const record = importRecord([importOf({ state: 'in-progress' }), importOf({ state: 'finished', ...tallies })]);
      const { skippedRows, progress, ...told } = tallies;
      expect(eventOf(record)).toMatchObject({
        name: 'ImportFinished',
        ...told,
        skipped: 4,
        declined: progress.outcomes.declined,
      });
    });

    test.each(['planned', 'rejected', 'finished'] as const)('that was %s before causes no event', (state) => {
      const record = importRecord([importOf({ state }), importOf({ state, reported: 'x' })]);
      expect(announce(record)).toBeUndefined();
    });

    test.each(['planning', 'submitting', 'in-progress'] as const)('that is %s costs nothing', (state) => {
      const record = importRecord([importOf({ state: 'planning' }), importOf({ state })]);
      expect([announce(record), passes(record)]).toEqual([undefined, false]);
    });

    test('that finishes again, because of a late answer, is another event', () => {
      const completed = (changedAt: string) =>
        eventOf(importRecord([importOf({ state: 'in-progress' }), importOf({ state: 'finished', changedAt })])).id;
      const [noon, one] = ['2026-07-06T12:00:00.000Z', '2026-07-06T13:00:00.000Z'];
      expect(completed(noon)).not.toBe(completed(one));
      expect(completed(noon)).toBe(completed(noon));
    });

    test('that is deleted causes no event', () => {
      expect(announce(removedRecord(importOf({ state: 'finished' })))).toBeUndefined();
      expect(passes(removedRecord(importOf({ state: 'finished' })))).toBe(false);
    });
  });

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
