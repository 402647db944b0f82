// Whose trouble it is, decision by decision; whole runs are in one-bad-port.test.ts.
import { beforeEach, describe, expect, test } from 'vitest';
import type { SyncParts } from '#functions/sync/parts.ts';
import { beginRun, hasFailedItself, type RunParts } from '#functions/sync/trouble.ts';
import { UnreadableItem } from '#shared/domain/unreadable-item.ts';
import {
  Ambiguous,
  ContractBroken,
  CredentialsRefused,
  HeldBack,
  NotFound,
  NotSent,
  RateLimited,
  Unavailable,
} from '#shared/porting/errors.ts';
import { silentLog } from '../../support/results-rig.ts';

const call = 'GET /port';
const broke = new Unavailable('answered 500', { call, status: 500 });
const heldBack = (cause?: unknown) => new HeldBack('the service is down', 1_000, { call, cause });
const notFound = new NotFound({ message: 'no', fieldErrors: [], msisdns: [] }, { call, status: 404 });
const odd = new ContractBroken('answered 200, but oddly', { call, status: 200, body: '{"rows":1}' });
const webPage = new ContractBroken('answered 200, but oddly', { call, status: 200, body: '<html>' });
const lostItem = new UnreadableItem('port#p port', 'line: Invalid input');

/** What was asked of the service and of the pace, in order. */
let asked: string[];
let counted: string[];
let errors: unknown[];
let networks: () => Promise<never[]>;
let port: () => Promise<never>;
let parts: RunParts;

beforeEach(() => {
  [asked, counted, errors] = [[], [], []];
  networks = async () => [];
  port = async () => ({}) as never;
  const client = {
    networks: () => {
      asked.push('networks');
      return networks();
    },
    port: () => port(),
    simServices: () => port(),
  };
  parts = beginRun({
    client,
    pace: { probeNow: async () => void asked.push('probeNow') },
    metrics: { count: (name: string) => void counted.push(name) },
    log: { ...silentLog, error: (...told: unknown[]) => void errors.push(told) },
  } as unknown as SyncParts);
});

const concernsOnlyIt = (error: unknown) => parts.trouble.concernsOnlyIt(error);
const fails = () => Promise.reject(broke);

describe('is that of one thing', () => {
  test.each([
    ['a refusal', notFound],
    ['an answer that nobody understands', odd],
    ['an item that cannot be read', lostItem],
  ])('without a call: %s', async (_what, error) => {
    networks = fails;
    expect(await concernsOnlyIt(error)).toBe(true);
    expect(asked).toEqual([]);
  });

  test.each([
    ['a read that came to nothing', broke],
    ['a change that came to nothing', new Ambiguous('answered 500', { call, status: 500 })],
    ['a web page', webPage],
    ['a read that was held back after it had failed', heldBack(broke)],
  ])('when the service answers otherwise: %s', async (_what, error) => {
    expect(await concernsOnlyIt(error)).toBe(true);
    expect(asked).toEqual(['probeNow', 'networks']);
  });
});

describe('is that of the service', () => {
  test('when it does not answer otherwise either, and then it is not asked again', async () => {
    networks = fails;
    expect(await concernsOnlyIt(broke)).toBe(false);
    networks = async () => [];
    expect(await concernsOnlyIt(broke)).toBe(false);
    expect(asked).toEqual(['probeNow', 'networks']);
  });

  test.each([
    ['what was held back at once', heldBack()],
    ['what was held back because the table did not answer', heldBack(new Error('no table'))],
    ['what never left us', new NotSent('no connection', { call })],
    ['refused credentials', new CredentialsRefused('no', { call, status: 401 })],
    ['a wish for fewer calls', new RateLimited(1_000, { call, status: 429 })],
    ['a failure of our own', new Error('no table')],
  ])('without a call: %s', async (_what, error) => {
    expect(await concernsOnlyIt(error)).toBe(false);
    expect(hasFailedItself(error)).toBe(false);
    expect(asked).toEqual([]);
  });

  test('from the sixth in a row on, that it fails to show', async () => {
    for (let count = 1; count <= 5; count += 1) {
      expect(await concernsOnlyIt(broke)).toBe(true);
      parts.trouble.noteLeft(broke);
    }
    expect(await concernsOnlyIt(broke)).toBe(false);
    expect(await concernsOnlyIt(notFound)).toBe(true);
    expect(asked.filter((what) => what === 'networks')).toHaveLength(5);
  });

  test.each(['port', 'simServices'] as const)(
    'but one that it shows between them (%s) begins a new row',
    async (read) => {
      for (let count = 1; count <= 5; count += 1) parts.trouble.noteLeft(broke);
      expect(await parts.client[read]('it' as never)).toEqual({});
      expect(await concernsOnlyIt(broke)).toBe(true);
    },
  );

  test('a refusal, or an item that cannot be read, counts for no row', async () => {
    for (let count = 1; count <= 5; count += 1) {
      for (const error of [notFound, odd, lostItem]) parts.trouble.noteLeft(error);
    }
    expect(await concernsOnlyIt(broke)).toBe(true);
  });
});

test('a failure of our own in between is no answer of the service', async () => {
  networks = () => Promise.reject(new Error('no table'));
  await expect(concernsOnlyIt(broke)).rejects.toThrow('no table');
  networks = async () => [];
  expect(await concernsOnlyIt(broke)).toBe(true);
});

test('the service is asked once the reads under way have ended, and one after the other', async () => {
  const reading = Promise.withResolvers<never>();
  port = () => reading.promise;
  const read = parts.client.port('slow').catch(() => asked.push('ended'));
  const both = Promise.all([concernsOnlyIt(broke), concernsOnlyIt(broke)]);
  await new Promise(setImmediate);
  expect(asked).toEqual([]);
  reading.reject(broke);
  await read;
  expect(await both).toEqual([true, true]);
  expect(asked).toEqual(['ended', 'probeNow', 'networks', 'probeNow', 'networks']);
});

test('a read that has ended is not waited for any more, and fails as it failed', async () => {
  port = fails;
  await expect(parts.client.port('it')).rejects.toBe(broke);
  expect(await concernsOnlyIt(broke)).toBe(true);
});

test('what is left for later is counted, an item that cannot be read by a name of its own', () => {
  for (const error of [broke, notFound, lostItem]) parts.trouble.noteLeft(error);
  expect(counted).toEqual(['leftForLater', 'leftForLater', 'unreadableItems']);
  expect(errors).toEqual([]);
});

test('an item that is left out of what is due is counted and named', () => {
  parts.trouble.noteUnreadable(lostItem);
  expect(counted).toEqual(['unreadableItems']);
  const message = 'an item of the table cannot be read, so nobody looks after it';
  expect(errors).toEqual([[message, { item: 'port#p port', error: lostItem }]]);
});

test('a thing has failed itself where a call about it came to nothing, or to nothing that anybody understands', () => {
  for (const error of [broke, odd, webPage, heldBack(broke)]) expect(hasFailedItself(error)).toBe(true);
  expect(hasFailedItself(notFound)).toBe(false);
});

test('of the failures that end the steps of a run the first is told', () => {
  expect(parts.trouble.serviceFailure()).toBeUndefined();
  parts.trouble.noteServiceFailure(broke);
  parts.trouble.noteServiceFailure(odd);
  expect(parts.trouble.serviceFailure()).toBe('GET /port: answered 500');
});
