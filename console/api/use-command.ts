// Writes of the API. Afterwards, successful or not, everything on the screen is read again.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { EndpointName } from '#functions/api/contract.ts';
import { useNotices } from '../app/notices.tsx';
import { type CallInput, call } from './call.ts';
import { refresh } from './queries.ts';
import type { Answer } from './types.ts';

interface Options<Name extends EndpointName> {
  /** The heading of the notice when the command fails. */
  readonly failed: string;
  readonly onSuccess?: (answer: Answer<Name>) => void;
  readonly onError?: (error: Error) => void;
  /** The dialog that confirms the command shows why it failed, and keeps what was typed. @default a notice */
  readonly isInDialog?: true;
}

export interface CommandProblem {
  readonly header: string;
  readonly error: Error;
}

export interface Command<Name extends EndpointName> {
  readonly run: (input: Omit<CallInput<Name>, 'signal'>) => void;
  readonly isRunning: boolean;
  readonly problem: CommandProblem | undefined;
}

export function useCommand<Name extends EndpointName>(
  name: Name,
  { failed, onSuccess, onError, isInDialog }: Options<Name>,
): Command<Name> {
  const client = useQueryClient();
  const { notifyError } = useNotices();
  const mutation = useMutation({
    mutationFn: async (input: Omit<CallInput<Name>, 'signal'>) =>
      (await call(name, input as CallInput<Name>)) as Answer<Name>,
    onSuccess: (answer) => onSuccess?.(answer),
    onError: (error) => {
      if (!isInDialog) notifyError(failed, error);
      onError?.(error);
    },
    // A failure is shown at once, a success together with what it changed.
    onSettled: (_answer, error) => {
      const refreshed = refresh(client);
      return error === null ? refreshed : undefined;
    },
  });
  const problem = mutation.error === null ? undefined : { header: failed, error: mutation.error };
  return { run: mutation.mutate, isRunning: mutation.isPending, problem };
}
