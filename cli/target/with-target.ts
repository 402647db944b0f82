// Opens the target that the options name, runs a command with it, and closes it; and calls sync once it is idle.
import { installation } from '#installation';
import { type CliContext, resolveDirectory, waitFor } from '../context/cli-context.ts';
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
  const { eraseDeletedBytes, runningEmulator, isEmulatorPaused, syncRunsOnDisk } = await import('./emulator.ts');
  const emulator = await runningEmulator(context);
  if (emulator === undefined) return undefined;
  const ofFolder = { isPaused: () => isEmulatorPaused(context), eraseDeletedBytes: () => eraseDeletedBytes(context) };
  const target = emulatorTarget('emulator', emulator);
  const directory = resolveDirectory(context);
  const syncRuns = { get: async () => syncRunsOnDisk(directory, await target.syncRuns.get()) };
  return { ...target, ...ofFolder, syncRuns };
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

// Sync runs once at a time: a command calls it once its current run has ended.

const retryMs = 2_000;
const timeoutMs = 120_000;

/** A run of sync did not end while the command waited for it. */
export class SyncBusy extends CliError {}

/** @throws SyncBusy after two minutes */
export const whenIdle = <Answer>(context: CliContext, call: () => Promise<Answer | 'busy'>): Promise<Answer> =>
  waitFor(
    context,
    async () => {
      const answer = await call();
      return answer === 'busy' ? undefined : answer;
    },
    { firstMs: retryMs },
    { withinMs: timeoutMs, tooLate: sayBusy },
  );

const sayBusy = (): Error =>
  new SyncBusy('Nothing was changed: a run of sync has been in progress for two minutes.', {
    advice: 'Run the same command again in a few minutes.',
  });
