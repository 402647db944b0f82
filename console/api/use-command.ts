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
}

export interface Command<Name extends EndpointName> {
  readonly run: (input: Omit<CallInput<Name>, 'signal'>) => void;
  readonly isRunning: boolean;
}

export function useCommand<Name extends EndpointName>(
  name: Name,
  { failed, onSuccess, onError }: Options<Name>,
): Command<Name> {
  const client = useQueryClient();
  const { notifyError } = useNotices();
  const mutation = useMutation({
    mutationFn: async (input: Omit<CallInput<Name>, 'signal'>) =>
      (await call(name, input as CallInput<Name>)) as Answer<Name>,
    onSuccess: (answer) => onSuccess?.(answer),
    onError: (error) => {
      notifyError(failed, error);
      onError?.(error);
    },
    onSettled: () => refresh(client),
  });
  return { run: mutation.mutate, isRunning: mutation.isPending };
}
