// Sends new PACs as a file of the operation update-port: uploaded, planned and approved like any other.

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Action } from '../../api/types.ts';
import { useNotices } from '../../app/notices.tsx';
import { strings } from '../../strings.ts';
import { importRows } from '../../upload/import-rows.ts';

export interface NewPac {
  readonly msisdn: string;
  readonly pac: string;
}

export function useSendPacs({ id }: Action) {
  const client = useQueryClient();
  const { notifyError } = useNotices();
  const [sent, setSent] = useState<string>();
  const mutation = useMutation({
    mutationFn: (pacs: readonly NewPac[]) =>
      importRows({
        operation: 'update-port',
        fileName: `new-pacs-${id.slice(0, 8)}.csv`,
        rows: pacs.map(({ msisdn, pac }) => ({ msisdn: `+${msisdn}`, portId: id, pac })),
        because: strings.pacs.because,
      }),
    onSuccess: ({ isApproved }, { length }) =>
      setSent(isApproved ? strings.pacs.sent(length) : strings.pacs.waiting(length)),
    onError: (error) => notifyError(strings.pacs.failed, error),
    onSettled: () => client.invalidateQueries(),
  });
  return { send: mutation.mutate, isSending: mutation.isPending, sent };
}
