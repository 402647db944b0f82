import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { isConditionFailure, isItemRefused, whetherWritten } from '#shared/aws/conditional.ts';

const refused = new ConditionalCheckFailedException({ message: 'refused', $metadata: {} });
const cancelled = (...codes: readonly (string | undefined)[]) =>
  new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    ...(codes.length === 0 ? {} : { CancellationReasons: codes.map((Code) => ({ Code })) }),
  });

const met = new TransactionConflictException({ message: 'conflict', $metadata: {} });
/** A write that fails like this, time after time, and is then made; and how often it was tried. */
const failing = (...errors: readonly unknown[]) => {
  const left = [...errors];
  const tried = { times: 0, waits: [] as number[] };
  const write = async () => {
    tried.times += 1;
    if (left.length > 0) throw left.shift();
  };
  const backoff = { attempts: 3, pause: async (attempt: number) => void tried.waits.push(attempt) };
  return { tried, written: () => whetherWritten(write, backoff) };
};

describe('a condition that did not hold', () => {
  test.each([
    ['of a single write', refused],
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

describe('a write that could be made the next moment', () => {
  test.each([
    ['as its transaction met another', cancelled('None', 'TransactionConflict')],
    ['as there was no room for its transaction', cancelled('ProvisionedThroughputExceeded', 'ThrottlingError')],
    [
      'as its transaction met another, and nothing is said of its other writes',
      cancelled(undefined, 'TransactionConflict'),
    ],
    ['as it met a transaction', met],
  ])('%s is made again', async (_, error) => {
    const { written, tried } = failing(error, error);
    expect(await written()).toBe(true);
    expect(tried).toEqual({ times: 3, waits: [1, 2] });
  });

  test('and finds that its condition does not hold any more is answered so', async () => {
    expect(await failing(met, refused).written()).toBe(false);
  });

  test('but never is, is thrown on in the end', async () => {
    await expect(failing(met, met, met).written()).rejects.toBe(met);
  });
});

test.each([
  ['a transaction without a reason', cancelled()],
  ['a transaction with an item that is too large', cancelled('TransactionConflict', 'ValidationError')],
  ['a table that cannot be reached', new Error('down')],
  ['something that looks alike', { CancellationReasons: [{ Code: 'ConditionalCheckFailed' }] }],
])('%s is no answer: it is thrown on', async (_, error) => {
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
])('an item that the table never takes is known by its error: %s', (_, error, isRefused) => {
  expect(isItemRefused(error)).toBe(isRefused);
});

test('a write that was made is told so', async () => {
  expect(await failing().written()).toBe(true);
});
