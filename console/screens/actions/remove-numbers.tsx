// Removes the numbers that block a port, so that the others continue.

import Button from '@cloudscape-design/components/button';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Action } from '../../api/types.ts';
import { useNotices } from '../../app/notices.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { strings } from '../../strings.ts';
import { importRows } from '../../upload/import-rows.ts';

export function RemoveNumbers({ action, onClose }: { readonly action: Action; readonly onClose: () => void }) {
  const client = useQueryClient();
  const { notify, notifyError } = useNotices();
  const { removal } = strings.pacs;
  const { id, numbers, blockedRows } = action;
  const remove = useMutation({
    mutationFn: () =>
      importRows({
        operation: 'cancel-port',
        fileName: `remove-${id.slice(0, 8)}.csv`,
        rows: numbers.map(({ msisdn }) => ({ msisdn: `+${msisdn}`, portId: id })),
        because: removal.because,
      }),
    onSuccess: ({ isApproved }) => {
      const header = isApproved ? removal.done(numbers.length, blockedRows) : removal.waiting(numbers.length);
      notify({ type: isApproved ? 'success' : 'info', header });
    },
    onError: (error) => notifyError(removal.failed, error),
    onSettled: () => {
      onClose();
      return client.invalidateQueries();
    },
  });
  return (
    <Dialog
      title={removal.title(numbers.length)}
      onClose={onClose}
      confirm={
        <Button variant="primary" loading={remove.isPending} onClick={() => remove.mutate()}>
          {removal.confirm}
        </Button>
      }
    >
      {removal.text(numbers.length, blockedRows)}
    </Dialog>
  );
}
