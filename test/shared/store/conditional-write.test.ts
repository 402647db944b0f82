import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { isConditionFailure, isItemRefused, wasWritten } from '#shared/store/table.ts';

const declined = new ConditionalCheckFailedException({ message: 'declined', $metadata: {} });
const cancelled = (...codes: readonly (string | undefined)[]) =>
  new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    ...(codes.length === 0 ? {} : { CancellationReasons: codes.map((Code) => ({ Code })) }),
  });

const met = new TransactionConflictException({ message: 'conflict', $metadata: {} });
/** A write that fails with these errors, one after another, and then succeeds; and its attempts. */
const failing = (...errors: readonly unknown[]) => {
  const left = [...errors];
  const tried = { times: 0, waits: [] as number[] };
  const write = async () => {
    tried.times += 1;
    if (left.length > 0) throw left.shift();
  };
  const backoff = { attempts: 3, pause: async (attempt: number) => void tried.waits.push(attempt) };
  return { tried, written: () => wasWritten(write, backoff) };
};

describe('a failed condition', () => {
  test.each([
    ['of a single write', declined],
    ['of one write of a transaction', cancelled('None', 'ConditionalCheckFailed')],
    ['of several', cancelled('ConditionalCheckFailed', 'ConditionalCheckFailed')],
    ['beside a write that met another', cancelled('TransactionConflict', 'ConditionalCheckFailed')],
  ])('%s is an answer', async (_, error) => {
    expect(isConditionFailure(error)).toBe(true);
    const { written, tried } = failing(error);
    expect(await written()).toBe(false);
    expect(tried).toEqual({ times: 1, waits: [] });
  });
});

describe('a write that failed for a temporary reason', () => {
  test.each([
    ['as its transaction met another', cancelled('None', 'TransactionConflict')],
    ['as there was no room for its transaction', cancelled('ProvisionedThroughputExceeded', 'ThrottlingError')],
    [
      'as its transaction met another, and nothing is said of its other writes',
      cancelled(undefined, 'TransactionConflict'),
    ],
    ['as it met a transaction', met],
  ])('%s is repeated', async (_, error) => {
    const { written, tried } = failing(error, error);
    expect(await written()).toBe(true);
    expect(tried).toEqual({ times: 3, waits: [1, 2] });
  });

  test('has the answer of its condition when it is repeated', async () => {
    expect(await failing(met, declined).written()).toBe(false);
  });

  test('throws the error after the last attempt', async () => {
    await expect(failing(met, met, met).written()).rejects.toBe(met);
  });
});

test.each([
  ['a transaction without a reason', cancelled()],
  ['a transaction with an item that is too large', cancelled('TransactionConflict', 'ValidationError')],
  ['a table that cannot be reached', new Error('down')],
  ['something that looks alike', { CancellationReasons: [{ Code: 'ConditionalCheckFailed' }] }],
])('%s is no answer: the error is thrown', async (_, error) => {
  expect(isConditionFailure(error)).toBe(false);
  const { written, tried } = failing(error);
  await expect(written()).rejects.toBe(error);
  expect(tried.times).toBe(1);
});

test.each([
  ['by itself', Object.assign(new Error('too large'), { name: 'ValidationException' }), true],
  ['in a transaction', cancelled('None', 'ValidationError'), true],
  ['that met another', cancelled('TransactionConflict'), false],
  ['to a table that cannot be reached', new Error('down'), false],
])('the error of an item that the table never takes is recognised: %s', (_, error, isRefused) => {
  expect(isItemRefused(error)).toBe(isRefused);
});

test('a successful write answers true', async () => {
  expect(await failing().written()).toBe(true);
});
