// Any error as two lines, or with --json as one line of JSON: what happened, and what to do. The stack trace is added
// only when DEBUG is set.
import { installation } from '#installation';
import { paintFor } from '../output/paint.ts';
import { plain } from '../output/text.ts';
import { type CliProcess, otherDirectory } from './cli-context.ts';
import { CliError } from './cli-error.ts';
import { type ExitCode, exitCodes } from './command.ts';

interface FormattedError {
  readonly lines: readonly string[];
  readonly exitCode: ExitCode;
}

const unknownName =
  'The name of the host is not known: check the network, AWS_REGION, and the address if you gave one.';
const noAnswer = 'Nothing answers: check the network, the proxy and the firewall.';
const wrongKeys = 'AWS does not accept these credentials: check the access key and its secret, or log in again.';
const wrongClock = 'AWS declines requests of another time: set the clock of this computer.';

/** By the name that the AWS SDK, or the code that Node, gives an error. */
const knownAdvice: Readonly<Record<string, string>> = {
  CredentialsProviderError: 'Give AWS credentials the usual way: AWS_PROFILE, `aws sso login`, or AWS_ACCESS_KEY_ID.',
  ExpiredToken: 'Your AWS session has expired: log in again.',
  ExpiredTokenException: 'Your AWS session has expired: log in again.',
  AccessDenied: 'Your AWS credentials may not do this: ask for the permission, or use another profile.',
  AccessDeniedException: 'Your AWS credentials may not do this: ask for the permission, or use another profile.',
  ECONNREFUSED: `Nothing answers there. If the local emulator was stopped, start it again: ${installation.startCommand}`,
  InvalidAccessKeyId: wrongKeys,
  InvalidClientTokenId: wrongKeys,
  InvalidSignatureException: wrongKeys,
  SignatureDoesNotMatch: wrongKeys,
  UnrecognizedClientException: wrongKeys,
  RequestExpired: wrongClock,
  RequestTimeTooSkewed: wrongClock,
  EAI_AGAIN: unknownName,
  ENOTFOUND: unknownName,
  ETIMEDOUT: noAnswer,
  TimeoutError: noAnswer,
  DirectoryInUseError: `Stop that emulator, or use another folder: --directory ${otherDirectory}`,
  EACCES: 'This user has no permission: check who may use the file or folder, or name another one.',
  ENOTDIR: 'A folder in this path is a file: name another path.',
  ENOSPC: 'The disk is full: free some space and try again.',
};

export function formatError(
  thrown: unknown,
  { env, stderr, signal }: Pick<CliProcess, 'env' | 'stderr' | 'signal'>,
  { json = false }: { json?: boolean } = {},
): FormattedError {
  const paint = paintFor(stderr, env);
  if (signal.aborted) {
    const stopped = json ? toErrorLine('interrupted', 'Stopped') : paint('yellow', 'Stopped.');
    return { lines: [stopped], exitCode: exitCodes.interrupted };
  }
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const advice = error instanceof CliError ? error.advice : adviceFor(error);
  const stack = env.DEBUG && error.stack !== undefined ? [error.stack] : [];
  const text = [
    `${paint('red', 'error:')} ${plain(messageOf(error))}`,
    ...(advice === undefined ? [] : [`${paint('dim', '→')} ${plain(advice)}`]),
  ];
  return {
    lines: json ? [...stack, toErrorLine(codeOf(error), messageOf(error), advice)] : [...text, ...stack],
    exitCode: error instanceof CliError && error.isUsage ? exitCodes.usage : exitCodes.failure,
  };
}

/** What --json writes to standard error, as its last line. */
const toErrorLine = (code: string, message: string, advice?: string): string =>
  JSON.stringify({
    error: { code, message: plain(message), advice: advice === undefined ? undefined : plain(advice) },
  });

/** The same for a wrong option or argument; the message is that of commander. */
export const formatUsageError = (message: string): string =>
  toErrorLine('usage', message.replace(/^error: /u, ''), 'simporter --help lists every command.');

/** Of simporter's own errors their code, of others the name that AWS or Node gives them. */
function codeOf(error: Error): string {
  if (error instanceof CliError) return error.code;
  if (error.name !== 'Error') return error.name;
  return 'code' in error ? String(error.code) : 'failure';
}

function messageOf(error: Error): string {
  if (error.message !== '') return error.message;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return inner instanceof Error ? messageOf(inner) : error.name;
}

function adviceFor(error: Error): string {
  if (error.message === 'Region is missing') return 'Name the region of the stack: AWS_REGION, or AWS_PROFILE.';
  const code = 'code' in error ? String(error.code) : '';
  return knownAdvice[error.name] ?? knownAdvice[code] ?? 'Set DEBUG=1 to see where it happened.';
}
