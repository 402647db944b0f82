import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { isConditionFailure, whetherWritten } from '#shared/aws/conditional.ts';

const refused = new ConditionalCheckFailedException({ message: 'refused', $metadata: {} });
const cancelled = (...codes: readonly string[]) =>
  new TransactionCanceledException({
    message: 'cancelled',
    $metadata: {},
    ...(codes.length === 0 ? {} : { CancellationReasons: codes.map((Code) => ({ Code })) }),
  });

describe('a condition that did not hold', () => {
  test.each([
    ['of a single write', refused],
    ['of one write of a transaction', cancelled('None', 'ConditionalCheckFailed')],
    ['of several', cancelled('ConditionalCheckFailed', 'ConditionalCheckFailed')],
  ])('%s is an answer', async (_, error) => {
    expect(isConditionFailure(error)).toBe(true);
    expect(await whetherWritten(Promise.reject(error))).toBe(false);
  });
});

test.each([
  ['a transaction that met another one', cancelled('None', 'TransactionConflict')],
  ['a transaction without a reason', cancelled()],
  ['a table that cannot be reached', new Error('down')],
  ['something that looks alike', { CancellationReasons: [{ Code: 'ConditionalCheckFailed' }] }],
])('%s is no answer: it is thrown on', async (_, error) => {
  expect(isConditionFailure(error)).toBe(false);
  await expect(whetherWritten(Promise.reject(error))).rejects.toBe(error);
});

test('a write that was made is told so', async () => {
  expect(await whetherWritten(Promise.resolve({}))).toBe(true);
});
