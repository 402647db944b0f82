// The ledger as the table holds it, over the twin: what is due, what is held, and that nobody overwrites what he has not seen.
import { beforeEach, describe, expect, test } from 'vitest';
import { createRequests, type Requests, storedRequest, unchangedSince } from '#shared/aws/requests.ts';
import { iso, noon, requestItemOf } from '../../support/results-ledger.ts';
import { createTableTwin, type TableTwin } from '../../support/twin-table.ts';

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
const due = async (at = soon) => (await requests.due(at, 100)).map(({ request }) => request).sort();
const lost = async (at = soon) => (await requests.lost(at, 100)).map(({ request }) => request).sort();

describe('a planned request', () => {
  test('stands there once, under its key, at revision 0, due when its message must have been lost', async () => {
    await requests.plan([item(1)]);
    await requests.plan([item(1, { label: 'other' }), item(2)]);
    expect(await requests.get('import-a', 1)).toEqual({ ...item(1), revision: 0, dueAt: soon });
    expect(await requests.get('import-a', 3)).toBeUndefined();
    expect(table.items().map(({ pk, sk }) => [pk, sk])).toEqual([
      ['import#import-a', 'request#0000001'],
      ['import#import-a', 'request#0000002'],
    ]);
  });

  test('that says when it is due, or at which revision it is, is left as it is', async () => {
    await requests.plan([item(1, { dueAt: iso(noon), revision: 4 })]);
    expect(await requests.get('import-a', 1)).toMatchObject({ dueAt: iso(noon), revision: 4 });
  });

  test('is among those of its import, in their order and no other import’s', async () => {
    await requests.plan([item(3), item(1), item(2), item(1, { importId: 'import-b' })]);
    const found = await Array.fromAsync(requests.ofImport('import-a'));
    expect(found.map(({ request }) => request)).toEqual([1, 2, 3]);
    const rest = await Array.fromAsync(requests.ofImport('import-a', 1));
    expect(rest.map(({ request }) => request)).toEqual([2, 3]);
  });
});

test('a request, and those of an import, are read as they stand now', async () => {
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

describe('a request is replaced', () => {
  test('by who saw it as it stands, and counted up', async () => {
    await requests.plan([item(1)]);
    const seen = (await requests.get('import-a', 1)) ?? item(1);
    expect(await requests.replace(seen, { ...seen, label: 'first' })).toBe(true);
    expect(await requests.replace(seen, { ...seen, label: 'second' })).toBe(false);
    expect(await requests.get('import-a', 1)).toMatchObject({ label: 'first', revision: 1 });
  });

  test('without a revision only where none stands', async () => {
    expect(await requests.replace(item(1), item(1))).toBe(true);
    expect(await requests.replace(item(1), item(1))).toBe(false);
    expect(unchangedSince(item(1))).toEqual({ ConditionExpression: 'attribute_not_exists(revision)' });
    expect(unchangedSince(item(1, { revision: 0 }))).toEqual({
      ConditionExpression: 'revision = :revision',
      ExpressionAttributeValues: { ':revision': 0 },
    });
  });
});

describe('what is due', () => {
  test('is what has a due time that has come, whichever partition it stands in', async () => {
    await requests.plan([1, 2, 3, 4, 5].map((request) => item(request)));
    expect(await lost()).toEqual([1, 2, 3, 4, 5]);
    expect(await lost(iso(noon))).toEqual([]);
    const seen = (await requests.get('import-a', 2)) ?? item(2);
    await requests.replace(seen, { ...seen, dueAt: undefined });
    expect(await lost()).toEqual([1, 3, 4, 5]);
  });

  test('is read apart from what waits for submit, however much that is', async () => {
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

  test('is apart from what is held for a port', async () => {
    await requests.plan([
      item(1),
      item(2, { replaces }),
      item(3, { replaces: { ...replaces, cancelledAt: iso(noon) } }),
    ]);
    expect(await lost()).toEqual([1, 3]);
    expect((await requests.held(soon, 100)).map(({ request }) => request)).toEqual([2]);
    expect(await requests.held(iso(noon), 100)).toEqual([]);
    expect(storedRequest(item(2, { replaces, dueAt: soon })).dueQueue).toBe('held');
    expect(storedRequest(item(1)).dueQueue).toBeUndefined();
  });
});

test('a request is listed while it is left to people, the longest first, whatever its import; a decision ends that', async () => {
  const left = (request: number, changedAt: string) =>
    item(request, { state: 'needs-human', changedAt, importId: `import-${request}` });
  await requests.plan([item(4)]);
  for (const one of [left(1, iso(noon + 2)), left(2, iso(noon)), left(3, iso(noon + 1))]) {
    const planned = { ...one, state: 'planned' as const };
    await requests.plan([planned]);
    const seen = (await requests.get(one.importId, one.request)) ?? planned;
    await requests.replace(seen, { ...one, dueAt: undefined });
  }
  const listed = async (limit = 10) => (await requests.leftToPeople(limit)).map(({ request }) => request);
  expect(await listed()).toEqual([2, 3, 1]);
  expect(await listed(2)).toEqual([2, 3]);
  const seen = (await requests.get('import-3', 3)) ?? item(3);
  await requests.replace(seen, { ...seen, state: 'refused', changedAt: iso(noon + 5) });
  expect(await listed()).toEqual([2, 1]);
});
