// Who gives a command, and why: ingest and sync record both.
import type { ActorOptions } from '#shared/domain/imports/actor.ts';
import type { CliContext } from '../context/cli-context.ts';

export const becauseOption = ['--because <text>', 'the reason: it is recorded and shown'] as const;

export const readActor = (
  { env: { USER, USERNAME } }: CliContext,
  because: string | undefined,
): ActorOptions & { by: string } => ({
  by: USER ?? USERNAME ?? 'unknown',
  ...(because === undefined ? {} : { because }),
});
