// Any error as two lines, or with --json as one line of JSON: what happened, and what to do. The stack trace is added
// only when DEBUG is set.
import { installation } from '#installation';
import { paintFor } from '../output/terminal.ts';
import { plain } from '../output/text.ts';
import { type CliProcess, otherDirectory } from './cli-context.ts';
import { CliError } from './cli-error.ts';
import { type ExitCode, exitCodes } from './command.ts';

interface ExplainedError {
  readonly error: Error;
  readonly message: string;
  readonly advice: string | undefined;
}

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
  EACCES: 'Check who may use it, or name another path.',
  EPERM: 'Check who may use it, or name another path.',
  EROFS: 'Name a path on a disk that can be written.',
  ENOENT: 'Check the path: a folder in it may be missing, or on a disk that cannot be written.',
  ENOTDIR: 'A folder in this path is a file: name another path.',
  ENOSPC: 'Free some space and try again: what was written before is kept.',
  EDQUOT: 'Free some space and try again: what was written before is kept.',
  InsufficientStorage: 'Free some space, and try again: what was written before is kept.',
  EMFILE: 'Close other programs, or raise the limit of open files: ulimit -n',
};

/** Why a file or folder cannot be used, by the code of Node. */
const fileProblems: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'its disk is read-only',
  ENOENT: 'it does not exist',
  ENOTDIR: 'a folder in its path is a file',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of this user is used up',
  EMFILE: 'this program has too many open files',
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
  const { error, message, advice } = explainError(thrown);
  const stack = env.DEBUG && error.stack !== undefined ? [error.stack] : [];
  const text = [
    `${paint('red', 'error:')} ${plain(message)}`,
    ...(advice === undefined ? [] : [`${paint('dim', '→')} ${plain(advice)}`]),
  ];
  return {
    lines: json ? [...stack, toErrorLine(codeOf(error), message, advice)] : [...text, ...stack],
    exitCode: error instanceof CliError && error.isUsage ? exitCodes.usage : exitCodes.failure,
  };
}

/** What happened, and what a person does about it. */
function explainError(thrown: unknown): ExplainedError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const advice = error instanceof CliError ? error.advice : adviceFor(error);
  return { error, message: messageOf(error), advice };
}

/** Of an examination that an error ended, as `doctor` lists it. */
export function toFinding<State extends string>(thrown: unknown, state: State) {
  const { message: answer, advice } = explainError(thrown);
  return { state, answer, ...(advice !== undefined && { advice }) };
}

/** What --json writes to standard error, as its last line. */
const toErrorLine = (code: string, message: string, advice?: string): string =>
  JSON.stringify({
    error: { code, message: plain(message), advice: advice === undefined ? undefined : plain(advice) },
  });

/** The same for a wrong option or argument; the message is that of commander. */
export const formatUsageError = (message: string): string =>
  toErrorLine('usage', message.replace(/^error: /u, ''), 'simporter --help lists every command.');

/** The code of an error of simporter; the name that AWS or Node gives another error. */
function codeOf(error: Error): string {
  if (error instanceof CliError) return error.code;
  if (error.name !== 'Error') return error.name;
  return 'code' in error ? String(error.code) : 'failure';
}

function messageOf(error: Error): string {
  return describeFileError(error) ?? ownMessage(error);
}

/** Node says `EROFS: read-only file system, open '/a/b'`. */
function describeFileError(error: Error): string | undefined {
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  const problem = syscall === undefined ? undefined : fileProblems[code ?? ''];
  if (problem === undefined) return undefined;
  if (path === undefined) return `A file cannot be written or read: ${problem}.`;
  return syscall === 'mkdir' && code === 'ENOENT'
    ? `The folder ${path} cannot be created.`
    : `${path} cannot be used: ${problem}.`;
}

function ownMessage(error: Error): string {
  if (error.message !== '') return error.message;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return inner instanceof Error ? messageOf(inner) : error.name;
}

function adviceFor(error: Error): string {
  if (error.message === 'Region is missing') return 'Name the region of the stack: AWS_REGION, or AWS_PROFILE.';
  const code = 'code' in error ? String(error.code) : '';
  return knownAdvice[error.name] ?? knownAdvice[code] ?? 'Set DEBUG=1 to see where it happened.';
}
