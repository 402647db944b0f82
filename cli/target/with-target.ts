// Opens the target that the options name, runs a command with it, and closes it.
import { installation } from '#installation';
import type { CliContext } from '../context/cli-context.ts';
import { CliError, usageError } from '../context/cli-error.ts';
import { createSession, type Session, type Target } from './target.ts';

/** @throws CliError when neither a stack is named nor an emulator is running */
export async function withTarget<Result>(
  context: CliContext,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  const result = await withOptionalTarget(context, use);
  if (result !== undefined) return result;
  throw new CliError(`No emulator is running in ${context.options.directory}.`, {
    code: 'not-running',
    advice: `Start one in another terminal: ${installation.startCommand}. Or name a deployed stack: --stack NAME`,
  });
}

/** Returns undefined when neither a stack is named nor an emulator is running. */
export async function withOptionalTarget<Result>(
  context: CliContext,
  use: (session: Session) => Promise<Result>,
): Promise<Result | undefined> {
  const target = await findTarget(context);
  if (target === undefined) return undefined;
  try {
    return await use(createSession(context, target));
  } finally {
    target.close();
  }
}

async function findTarget(context: CliContext): Promise<Target | undefined> {
  const { emulatorTarget, stackTarget } = await import('./aws-target.ts');
  if (context.options.stack !== undefined) return stackTarget(context.options.stack, context.env);
  const { eraseDeletedBytes, runningEmulator, isEmulatorPaused } = await import('./emulator.ts');
  const emulator = await runningEmulator(context);
  if (emulator === undefined) return undefined;
  const ofFolder = { isPaused: () => isEmulatorPaused(context), eraseDeletedBytes: () => eraseDeletedBytes(context) };
  return { ...emulatorTarget('emulator', emulator), ...ofFolder };
}

/** Uses an emulator with a simulator that ends with the command. */
export async function withTemporaryEmulator<Result>(
  context: CliContext,
  speed: number,
  use: (session: Session) => Promise<Result>,
): Promise<Result> {
  if (context.explicitStack) {
    throw usageError('--simulate and --stack exclude each other.', 'Leave one of them out.');
  }
  const { runEmulator } = await import('./emulator.ts');
  return runEmulator(context, { speed }, use);
}
