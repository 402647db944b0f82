// Imports an example file into the simulator, then opens it.
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { call } from '../../api/call.ts';
import { useNotices } from '../../app/notices.tsx';
import { strings } from '../../strings.ts';

export function useLoadExample(): { readonly load: () => void; readonly isLoading: boolean } {
  const [, navigate] = useLocation();
  const { notifyError } = useNotices();
  const mutation = useMutation({
    mutationFn: () => call('loadExample', { body: { name: 'create-port.csv' } }),
    onSuccess: ({ importId }) => navigate(`/imports/${importId}`),
    onError: (error) => notifyError(strings.simulator.exampleFailed, error),
  });
  return { load: () => mutation.mutate(), isLoading: mutation.isPending };
}
