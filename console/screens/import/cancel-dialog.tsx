// Plans the cancellation of the selected numbers. The plan is approved like any other.

import Button from '@cloudscape-design/components/button';
import { useLocation } from 'wouter';
import type { ImportDetails } from '../../api/types.ts';
import { useCommand } from '../../api/use-command.ts';
import { useNotices } from '../../app/notices.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { strings } from '../../strings.ts';

interface Props {
  readonly item: ImportDetails;
  readonly lines: readonly number[];
  readonly onClose: () => void;
}

export function CancelDialog({ item, lines, onClose }: Props) {
  const [, navigate] = useLocation();
  const { notify } = useNotices();
  const { cancellation } = strings;
  const cancel = useCommand('cancelRows', {
    failed: cancellation.failed,
    onSuccess: ({ importId, rows, notCancellable }) => {
      notify({ type: 'info', header: cancellation.planned(rows), text: cancellation.left(notCancellable.length) });
      onClose();
      navigate(`/imports/${importId}`);
    },
    onError: onClose,
  });
  return (
    <Dialog
      title={cancellation.title(lines.length)}
      onClose={onClose}
      confirm={
        <Button
          variant="primary"
          loading={cancel.isRunning}
          onClick={() => cancel.run({ path: { importId: item.importId }, body: { lines: [...lines] } })}
        >
          {cancellation.confirm}
        </Button>
      }
    >
      {cancellation.text}
    </Dialog>
  );
}
