// What a command says when it cannot do what was asked: one line that names the cause, one that says what to do.
import { type ExitCode, exitCodes } from './exit-code.ts';

export class Failure extends Error {
  readonly advice: string | undefined;
  readonly exitCode: ExitCode;

  constructor(message: string, options: { advice?: string; exitCode?: ExitCode; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'Failure';
    this.advice = options.advice;
    this.exitCode = options.exitCode ?? exitCodes.failure;
  }
}

/** The command line itself was wrong: a value, a name, a file that is not there. */
export const usageFailure = (message: string, advice?: string): Failure =>
  new Failure(message, { exitCode: exitCodes.usage, ...(advice === undefined ? {} : { advice }) });
