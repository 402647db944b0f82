// Conditional writes: a condition that fails is a result, not an error. A write that conflicts with another transaction
// is repeated.
import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { type Backoff, defaultBackoff } from '#shared/store/backoff.ts';
import { temporaryCodes } from '#shared/store/batch-statements.ts';

/** A condition of the write, or of any write of the transaction, failed. */
export const isConditionFailure = (error: unknown): boolean =>
  error instanceof ConditionalCheckFailedException || reasonsOf(error).includes('ConditionalCheckFailed');

/** DynamoDB will never accept this item, for example because it is too large. Other items can be written. */
export const isItemRefused = (error: unknown): boolean =>
  (error instanceof Error && error.name === 'ValidationException') || reasonsOf(error).includes('ValidationError');

/** Nothing was written, but the same write can succeed the next moment. */
function isTemporary(error: unknown): boolean {
  if (error instanceof TransactionConflictException) return true;
  const reasons = reasonsOf(error);
  return reasons.length > 0 && reasons.every((reason) => temporaryCodes.includes(reason));
}

/** Why each write of a transaction failed, without those that did not fail. */
const reasonsOf = (error: unknown): readonly string[] =>
  error instanceof TransactionCanceledException
    ? (error.CancellationReasons ?? []).flatMap(({ Code = 'None' }) => (Code === 'None' ? [] : [Code]))
    : [];

/** Returns whether the write was made. The SDK does not repeat a cancelled transaction, so this does. */
export async function wasWritten(write: () => Promise<unknown>, backoff: Backoff = defaultBackoff): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await write();
      return true;
    } catch (error) {
      if (isConditionFailure(error)) return false;
      if (!isTemporary(error) || attempt >= backoff.attempts) throw error;
      await backoff.pause(attempt);
    }
  }
}
