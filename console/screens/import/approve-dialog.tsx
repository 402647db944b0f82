// Asks before numbers are sent. The approval names the plan that the person saw: another one is declined.
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import type { Answer, ImportDetails } from '../../api/types.ts';
import { useCommand } from '../../api/use-command.ts';
import { useNotices } from '../../app/notices.tsx';
import { useSession } from '../../app/session.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { strings } from '../../strings.ts';

interface Props {
  readonly item: ImportDetails;
  readonly plan: Answer<'getPlan'>;
  readonly onApproved: () => void;
  readonly onClose: () => void;
}

export function ApproveDialog({ item, plan, onApproved, onClose }: Props) {
  const [because, setBecause] = useState('');
  // What the person read when the dialog opened, whatever happens to the plan behind it.
  const [seen] = useState(plan);
  const { simulated } = useSession().environment;
  const { notify } = useNotices();
  const { approval } = strings.plan;
  const approve = useCommand('approveImport', {
    failed: approval.failed,
    onSuccess: ({ rows }) => {
      notify({ type: 'success', header: approval.done(rows) });
      onApproved();
      onClose();
    },
    isInDialog: true,
  });
  const { rejected: invalid = 0 } = item.outcomes;
  const run = () =>
    approve.run({
      path: { importId: item.importId },
      body: { planHash: seen.planHash ?? '', ...(because.trim() === '' ? {} : { because: because.trim() }) },
    });
  return (
    <Dialog
      title={approval.title(seen.rows)}
      onClose={onClose}
      problem={approve.problem}
      confirm={{ text: approval.confirm, run, isRunning: approve.isRunning }}
    >
      <SpaceBetween size="m">
        <div className="dialog-text">
          <div>
            {simulated ? approval.simulated(seen.rows, seen.requestCount) : approval.real(seen.rows, seen.requestCount)}
          </div>
          {invalid > 0 && <div>{approval.leavesOut(invalid)}</div>}
        </div>
        <FormField label={approval.because}>
          <Input value={because} onChange={({ detail }) => setBecause(detail.value.slice(0, 200))} />
        </FormField>
      </SpaceBetween>
    </Dialog>
  );
}
