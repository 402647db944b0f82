// Whether a failure is isolated, case by case. Whole runs are in one-unreadable-port.test.ts.
import { beforeEach, describe, expect, test } from 'vitest';
import { createFailureClassifier, hasOwnFailure } from '#functions/sync/failure-classifier.ts';
import type { SyncPipeline } from '#functions/sync/run.ts';
import { UnreadableItem } from '#shared/row/issue.ts';
import {
  Ambiguous,
  CallDeferred,
  ContractBroken,
  CredentialsRejected,
  NotFound,
  NotSent,
  RateLimited,
  Unavailable,
} from '#shared/service/errors.ts';
import { silentLog } from '../../support/steps/test-pipeline.ts';

const call = 'GET /port';
const broke = new Unavailable('answered 500', { call, status: 500 });
const deferred = (cause?: unknown) => new CallDeferred('the service is down', 1_000, { call, cause });
const notFound = new NotFound({ message: 'no', fieldErrors: [], msisdns: [] }, { call, status: 404 });
const odd = new ContractBroken('answered 200, but oddly', { call, status: 200, body: '{"rows":1}' });
const webPage = new ContractBroken('answered 200, but oddly', { call, status: 200, body: '<html>' });
const lostItem = new UnreadableItem('port#p port', 'line: Invalid input');

/** The calls to the service and to the rate limiter, in order. */
let asked: string[];
let counted: string[];
let errors: unknown[];
let networks: () => Promise<never[]>;
let port: () => Promise<never>;
let run: ReturnType<typeof createFailureClassifier>;

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
  run = createFailureClassifier({
    client,
    rateLimiter: { probeNow: async () => void asked.push('probeNow') },
    metrics: { count: (name: string) => void counted.push(name) },
    log: { ...silentLog, error: (...told: unknown[]) => void errors.push(told) },
  } as unknown as SyncPipeline);
});

const isIsolatedFailure = (error: unknown) => run.failures.isIsolatedFailure(error);
const fails = () => Promise.reject(broke);

describe('a failure is isolated', () => {
  test.each([
    ['a refusal', notFound],
    ['an answer that nobody understands', odd],
    ['an item that cannot be read', lostItem],
  ])('without a call: %s', async (_what, error) => {
    networks = fails;
    expect(await isIsolatedFailure(error)).toBe(true);
    expect(asked).toEqual([]);
  });

  test.each([
    ['a read that came to nothing', broke],
    ['a change that came to nothing', new Ambiguous('answered 500', { call, status: 500 })],
    ['a web page', webPage],
    ['a read that was held back after it had failed', deferred(broke)],
  ])('when the service answers other calls: %s', async (_what, error) => {
    expect(await isIsolatedFailure(error)).toBe(true);
    expect(asked).toEqual(['probeNow', 'networks']);
  });
});

describe('a failure concerns the service', () => {
  test('when the service does not answer other calls either, and then it is not probed again', async () => {
    networks = fails;
    expect(await isIsolatedFailure(broke)).toBe(false);
    networks = async () => [];
    expect(await isIsolatedFailure(broke)).toBe(false);
    expect(asked).toEqual(['probeNow', 'networks']);
  });

  test.each([
    ['what was held back at once', deferred()],
    ['what was held back because the table did not answer', deferred(new Error('no table'))],
    ['what never left us', new NotSent('no connection', { call })],
    ['refused credentials', new CredentialsRejected('no', { call, status: 401 })],
    ['a wish for fewer calls', new RateLimited(1_000, { call, status: 429 })],
    ['a failure of our own', new Error('no table')],
  ])('without a call: %s', async (_what, error) => {
    expect(await isIsolatedFailure(error)).toBe(false);
    expect(hasOwnFailure(error)).toBe(false);
    expect(asked).toEqual([]);
  });

  test('from the sixth failed read in a row on', async () => {
    for (let count = 1; count <= 5; count += 1) {
      await run.failures.deferIsolated(broke);
    }
    await expect(run.failures.deferIsolated(broke)).rejects.toBe(broke);
    expect(await isIsolatedFailure(broke)).toBe(false);
    expect(await isIsolatedFailure(notFound)).toBe(true);
    expect(asked.filter((what) => what === 'networks')).toHaveLength(5);
  });

  test.each(['port', 'simServices'] as const)(
    'but a successful read between them (%s) starts a new row',
    async (read) => {
      for (let count = 1; count <= 5; count += 1) await run.failures.deferIsolated(broke);
      expect(await run.client[read]('it' as never)).toEqual({});
      expect(await isIsolatedFailure(broke)).toBe(true);
    },
  );

  test('a declined call, or an item that cannot be read, does not count for the row', async () => {
    for (let count = 1; count <= 5; count += 1) {
      for (const error of [notFound, odd, lostItem]) await run.failures.deferIsolated(error);
    }
    expect(await isIsolatedFailure(broke)).toBe(true);
  });
});

test('a failure without a call does not count as an answer of the service', async () => {
  networks = () => Promise.reject(new Error('no table'));
  await expect(isIsolatedFailure(broke)).rejects.toThrow('no table');
  networks = async () => [];
  expect(await isIsolatedFailure(broke)).toBe(true);
});

test('the service is probed after the reads in progress have ended, one probe after another', async () => {
  const reading = Promise.withResolvers<never>();
  port = () => reading.promise;
  const read = run.client.port('slow').catch(() => asked.push('ended'));
  const both = Promise.all([isIsolatedFailure(broke), isIsolatedFailure(broke)]);
  await new Promise(setImmediate);
  expect(asked).toEqual([]);
  reading.reject(broke);
  await read;
  expect(await both).toEqual([true, true]);
  expect(asked).toEqual(['ended', 'probeNow', 'networks', 'probeNow', 'networks']);
});

test('a read that has ended is not awaited any more, and its failure is thrown', async () => {
  port = fails;
  await expect(run.client.port('it')).rejects.toBe(broke);
  expect(await isIsolatedFailure(broke)).toBe(true);
});

test('what is deferred is counted, and an item that cannot be read has a separate count', async () => {
  for (const error of [broke, notFound, lostItem]) await run.failures.deferIsolated(error);
  expect(counted).toEqual(['deferred', 'deferred', 'unreadableItems']);
  expect(errors).toEqual([]);
});

test('an unreadable item is counted and named', () => {
  run.failures.noteUnreadable(lostItem);
  expect(counted).toEqual(['unreadableItems']);
  const message = 'an item of the table cannot be read, so nothing is done about it';
  expect(errors).toEqual([[message, { item: 'port#p port', error: lostItem }]]);
});

test('a call without an answer, or with an answer that cannot be read, is a failure of its subject', () => {
  for (const error of [broke, odd, webPage, deferred(broke)]) expect(hasOwnFailure(error)).toBe(true);
  expect(hasOwnFailure(notFound)).toBe(false);
});

test('the first failure of a step is the failure of the run', () => {
  expect(run.failures.serviceFailure()).toBeUndefined();
  run.failures.noteServiceFailure(broke);
  run.failures.noteServiceFailure(odd);
  expect(run.failures.serviceFailure()).toBe('GET /port: answered 500');
});
