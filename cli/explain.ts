// Anything thrown, as one line that a person understands and one that says what to do. Stack traces only with DEBUG set.
import { type ExitCode, exitCodes } from './exit-code.ts';
import { Failure } from './failure.ts';
import { paintFor } from './output/paint.ts';
import { plain } from './output/text.ts';
import type { Surroundings } from './session.ts';

interface Explanation {
  readonly lines: readonly string[];
  readonly exitCode: ExitCode;
}

/** By the name that the AWS SDK and Node give to what went wrong outside. */
const knownAdvice: Readonly<Record<string, string>> = {
  CredentialsProviderError: 'Give AWS credentials the usual way: AWS_PROFILE, `aws sso login`, or AWS_ACCESS_KEY_ID.',
  ExpiredToken: 'Your AWS session has expired: log in again.',
  ExpiredTokenException: 'Your AWS session has expired: log in again.',
  AccessDenied: 'Your AWS credentials may not do this: ask for the permission, or use another profile.',
  AccessDeniedException: 'Your AWS credentials may not do this: ask for the permission, or use another profile.',
  ECONNREFUSED: 'Nothing answers there. If the local engine was stopped, start it again: npm start',
  ENOSPC: 'The disk is full: free some space and try again.',
};

export function explain(
  thrown: unknown,
  { env, stderr, signal }: Pick<Surroundings, 'env' | 'stderr' | 'signal'>,
): Explanation {
  const paint = paintFor(stderr, env);
  if (signal.aborted) return { lines: [paint('yellow', 'Stopped.')], exitCode: exitCodes.interrupted };
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const advice = error instanceof Failure ? error.advice : adviceFor(error);
  return {
    lines: [
      `${paint('red', 'error:')} ${plain(messageOf(error))}`,
      ...(advice === undefined ? [] : [`${paint('dim', '→')} ${advice}`]),
      ...(env.DEBUG && error.stack !== undefined ? [error.stack] : []),
    ],
    exitCode: error instanceof Failure ? error.exitCode : exitCodes.failure,
  };
}

function messageOf(error: Error): string {
  if (error.message !== '') return error.message;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return inner instanceof Error ? messageOf(inner) : error.name;
}

function adviceFor(error: Error): string {
  if (error.message === 'Region is missing') return 'Name the region of the stack: AWS_REGION, or AWS_PROFILE.';
  const codes = [error.name, 'code' in error ? String(error.code) : ''];
  for (const code of codes) {
    const advice = knownAdvice[code];
    if (advice !== undefined) return advice;
  }
  return 'Set DEBUG=1 to see where it happened.';
}
