// The context that Lambda passes to a handler.
import type { LambdaContext } from '#shared/runtime/step.ts';

/** For an invocation with this many milliseconds left. @default one minute */
export const lambdaContext = (
  getRemainingTimeInMillis: () => number = () => 60_000,
  awsRequestId = 'invocation-1',
): LambdaContext => ({ awsRequestId, getRemainingTimeInMillis });
