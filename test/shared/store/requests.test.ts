// The ledger in the in-memory table: what is due, what is held, and that nothing is overwritten unread.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import type { RequestItem } from '#shared/request/request.ts';
import { stoppedError } from '#shared/request/request-state.ts';
import { storedRequest } from '#shared/request/waiting-request.ts';
import { createRequests, createUnfinishedSince, type Requests, replacementOf } from '#shared/store/requests.ts';
import { double } from '../../support/double.ts';
import { createTableTwin, type TableTwin } from '../../support/in-memory/table.ts';
import { iso, noon, requestItemOf } from '../../support/steps/ledger-items.ts';

let table: TableTwin;
let requests: Requests;
beforeEach(() => {
  table = createTableTwin({ now: () => noon, pageSize: 2 });
  requests = createRequests(table as never, 'results');
});

const soon = iso(noon + 15 * 60_000);
const replaces = { importId: 'import-0', request: 1, portId: 'p0' };
const item = (request: number, changes = {}) =>
  requestItemOf({ request, token: `sim1-000000000000000${request}`, ...changes });
const due = async (at = soon) => (await requests.due('1001@service', at, 100)).map(({ request }) => request).sort();
const lost = async (at = soon) => (await requests.lost('1001@service', at, 100)).map(({ request }) => request).sort();

describe('a planned request', () => {
  test('is written once, at revision 0, and is due when its message must be lost', async () => {
    await requests.plan([item(1)]);
    await requests.plan([item(1, { label: 'other' }), item(2)]);
    const stored = { ...item(1), revision: 0, dueAt: soon, unfinishedSince: iso(noon) };
    expect(await requests.get('import-a', 1)).toEqual(stored);
    expect(await requests.get('import-a', 3)).toBeUndefined();
    expect(table.items().map(({ pk, sk }) => [pk, sk])).toEqual([
      ['import#import-a', 'request#0000001'],
      ['import#import-a', 'request#0000002'],
    ]);
  });

  test('keeps its due time and its revision', async () => {
    await requests.plan([item(1, { dueAt: iso(noon), revision: 4 })]);
    expect(await requests.get('import-a', 1)).toMatchObject({ dueAt: iso(noon), revision: 4 });
  });

  test('is listed with the requests of its import, in their order', async () => {
    await requests.plan([item(3), item(1), item(2), item(1, { importId: 'import-b' })]);
    const found = await Array.fromAsync(requests.ofImport('import-a'));
    expect(found.map(({ request }) => request)).toEqual([1, 2, 3]);
    const rest = await Array.fromAsync(requests.ofImport('import-a', 1));
    expect(rest.map(({ request }) => request)).toEqual([2, 3]);
  });
});

test('a request, and the requests of an import, are read strongly consistent', async () => {
  const reads: unknown[] = [];
  const noting = {
    send: (command: { input: { ConsistentRead?: unknown } }) => {
      reads.push(command.input.ConsistentRead);
      return table.send(command);
    },
  };
  const watched = createRequests(noting as never, 'results');
  await watched.get('import-a', 1);
  await Array.fromAsync(watched.ofImport('import-a'));
  expect(reads).toEqual([true, true]);
});

describe('fault 58: a write whose answer was lost, and which the SDK repeats', () => {
  /** Sends each write of a request twice; something else may happen in between. */
  const twice = (between: () => Promise<unknown> = async () => {}) =>
    createRequests(
      double({
        send: async (command: Parameters<TableTwin['send']>[0]) => {
          if (!(command instanceof PutCommand)) return table.send(command);
          await table.send(command);
          await between();
          return table.send(command);
        },
      }),
      'results',
    );

  test('is recognised', async () => {
    await requests.plan([item(1)]);
    const seen = (await requests.get('import-a', 1)) ?? item(1);
    expect(await twice().replace(seen, { ...seen, label: 'first' })).toMatchObject({ label: 'first', revision: 1 });
    expect(await twice().replace(seen, { ...seen, label: 'first' })).toBeUndefined();
  });

  test('is not, once another writer has changed the request, also one that keeps the text', async () => {
    await requests.plan([item(1)]);
    const seen = (await requests.get('import-a', 1)) ?? item(1);
    const change = async () => {
      const stored = (await requests.get('import-a', 1)) ?? item(1);
      const { item: other } = replacementOf(stored, { ...stored, label: 'other' });
      await table.send(new PutCommand({ TableName: 'results', Item: other }));
    };
    expect(await twice(change).replace(seen, { ...seen, label: 'first' })).toBeUndefined();
    expect(await requests.get('import-a', 1)).toMatchObject({ label: 'other', revision: 2 });
  });
});

describe('a request is replaced', () => {
  test.each([
    [0, 1],
    [6, 7],
  ])('revision %s by revision %s', (revision, next) => {
    expect(replacementOf(item(1, { revision }), item(1, { label: 'next' })).replaced).toEqual(
      item(1, { label: 'next', revision: next }),
    );
  });

  test('by a caller who has read it, and gets the next revision', async () => {
    await requests.plan([item(1)]);
    const seen = (await requests.get('import-a', 1)) ?? item(1);
    expect(await requests.replace(seen, { ...seen, label: 'first' })).toMatchObject({ label: 'first', revision: 1 });
    expect(await requests.replace(seen, { ...seen, label: 'second' })).toBeUndefined();
    expect(await requests.get('import-a', 1)).toMatchObject({ label: 'first', revision: 1 });
  });

  test('only at the revision that was read', () => {
    expect(replacementOf(item(1, { revision: 4 }), item(1)).condition).toEqual({
      ConditionExpression: 'revision = :revision',
      ExpressionAttributeValues: { ':revision': 4 },
    });
  });
});

describe('the oldest unfinished request', () => {
  const unfinishedSince = () => createUnfinishedSince(table as never, 'results', '1001@service')(1_000);
  const change = async (request: number, changes: Partial<RequestItem>) => {
    const seen = (await requests.get('import-a', request)) ?? item(request);
    await requests.replace(seen, { ...seen, ...changes });
  };

  test('is known since its plan, however often it is sent, changed or due again', async () => {
    expect(await unfinishedSince()).toBeUndefined();
    await requests.plan([item(1)]);
    await requests.plan([2, 3, 4, 5].map((request) => item(request, { changedAt: iso(noon + 1) })));
    for (const state of ['in-flight', 'unknown', 'planned', 'in-flight', 'created'] as const) {
      await change(1, { state, changedAt: soon, dueAt: iso(noon + 90 * 60_000) });
      expect([state, await unfinishedSince()]).toEqual([state, iso(noon)]);
    }
    await change(1, { dueAt: undefined });
    expect(await unfinishedSince()).toBe(iso(noon + 1));
  });

  test('is none that waits for its day, for a cancellation or for a person', async () => {
    await requests.plan([item(1), item(2, { replaces }), item(3), item(4)]);
    await change(1, { state: 'scheduled', dueAt: soon });
    await change(3, { state: 'action-required', dueAt: undefined });
    await change(4, { error: stoppedError, dueAt: undefined });
    expect(await unfinishedSince()).toBeUndefined();
    await change(1, { state: 'planned', changedAt: soon });
    expect(await unfinishedSince()).toBe(soon);
  });
});

describe('a due request', () => {
  test('has a due time that has passed, in whichever partition', async () => {
    await requests.plan([1, 2, 3, 4, 5].map((request) => item(request)));
    expect(await lost()).toEqual([1, 2, 3, 4, 5]);
    expect(await lost(iso(noon))).toEqual([]);
    const seen = (await requests.get('import-a', 2)) ?? item(2);
    await requests.replace(seen, { ...seen, dueAt: undefined });
    expect(await lost()).toEqual([1, 3, 4, 5]);
  });

  test('is not delayed by requests that wait for submit, however many', async () => {
    await requests.plan([1, 2, 3, 4, 5].map((request) => item(request, { dueAt: iso(noon) })));
    const doubtful = [6, 7, 8, 9].map((request) => item(request, { state: 'unknown', dueAt: iso(noon + 1) }));
    await requests.plan(doubtful);
    expect(await due()).toEqual([6, 7, 8, 9]);
    expect(await lost()).toEqual([1, 2, 3, 4, 5]);
    const seen = (await requests.get('import-a', 6)) ?? item(6);
    await requests.replace(seen, { ...seen, state: 'planned' });
    expect([await due(), await lost()]).toEqual([
      [7, 8, 9],
      [1, 2, 3, 4, 5, 6],
    ]);
  });

  test('is separate from requests that wait for a cancellation', async () => {
    await requests.plan([
      item(1),
      item(2, { replaces }),
      item(3, { replaces: { ...replaces, cancelledAt: iso(noon) } }),
    ]);
    expect(await lost()).toEqual([1, 3]);
    expect((await requests.held('1001@service', soon, 100)).map(({ request }) => request)).toEqual([2]);
    expect(await requests.held('1001@service', iso(noon), 100)).toEqual([]);
    expect(storedRequest(item(2, { replaces, dueAt: soon })).dueQueue).toBe('held#1001@service');
    expect(storedRequest(item(1)).dueQueue).toBeUndefined();
  });
});

test('a request is listed while action is required, the longest first, for all imports, until it is resolved', async () => {
  const left = (request: number, changedAt: string) =>
    item(request, { state: 'action-required', changedAt, importId: `import-${request}` });
  await requests.plan([item(4)]);
  for (const one of [left(1, iso(noon + 2)), left(2, iso(noon)), left(3, iso(noon + 1))]) {
    const planned = { ...one, state: 'planned' as const };
    await requests.plan([planned]);
    const seen = (await requests.get(one.importId, one.request)) ?? planned;
    await requests.replace(seen, { ...one, dueAt: undefined });
  }
  const listed = async (limit = 10) => (await requests.actionRequired(limit)).map(({ request }) => request);
  expect(await listed()).toEqual([2, 3, 1]);
  expect(await listed(2)).toEqual([2, 3]);
  const seen = (await requests.get('import-3', 3)) ?? item(3);
  await requests.replace(seen, { ...seen, state: 'declined', changedAt: iso(noon + 5) });
  expect(await listed()).toEqual([2, 1]);
});
