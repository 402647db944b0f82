// Who gives a command, and why: what ingest and sync keep of it.
import type { Asking } from '#shared/domain/person.ts';
import type { Session } from './session.ts';

export const becauseOption = ['--because <text>', 'kept with it, for those who come later'] as const;

export const askingIn = (
  { env: { USER, USERNAME } }: Session,
  because: string | undefined,
): Asking & { by: string } => ({
  by: USER ?? USERNAME ?? 'unknown',
  ...(because === undefined ? {} : { because }),
});
