// A conditional write that was refused is an answer, not a failure; one that met another is made again.
import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { type Backoff, defaultBackoff } from './backoff.ts';
import { passingCodes } from './statements.ts';

/** True when a condition of the write, or of any write of the transaction, did not hold. */
export const isConditionFailure = (error: unknown): boolean =>
  error instanceof ConditionalCheckFailedException || reasonsOf(error).includes('ConditionalCheckFailed');

/** The table will never take this item, however often it is told: it is too large, for one. Others are not concerned. */
export const isItemRefused = (error: unknown): boolean =>
  (error instanceof Error && error.name === 'ValidationException') || reasonsOf(error).includes('ValidationError');

/** Nothing was written, and nothing is wrong with it: another transaction was at the same item, or there was no room. */
function isPassing(error: unknown): boolean {
  if (error instanceof TransactionConflictException) return true;
  const reasons = reasonsOf(error);
  return reasons.length > 0 && reasons.every((reason) => passingCodes.includes(reason));
}

/** Why each write of a transaction kept it from being made, without those that did not. */
const reasonsOf = (error: unknown): readonly string[] =>
  error instanceof TransactionCanceledException
    ? (error.CancellationReasons ?? []).flatMap(({ Code = 'None' }) => (Code === 'None' ? [] : [Code]))
    : [];

/** Answers whether the write was made. The SDK does not repeat a transaction that was cancelled, so that is done here. */
export async function whetherWritten(
  write: () => Promise<unknown>,
  backoff: Backoff = defaultBackoff,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await write();
      return true;
    } catch (error) {
      if (isConditionFailure(error)) return false;
      if (!isPassing(error) || attempt >= backoff.attempts) throw error;
      await backoff.pause(attempt);
    }
  }
}
