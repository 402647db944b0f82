// Stops an import, resumes it, ends it for good, and plans the cancellation of what it has sent.

import Button from '@cloudscape-design/components/button';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { ImportDetails } from '../../api/types.ts';
import { useCommand } from '../../api/use-command.ts';
import { useNotices } from '../../app/notices.tsx';
import { useMay } from '../../app/session.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { strings } from '../../strings.ts';

type Action = 'stop' | 'resume' | 'end' | 'undo';

/** In the order of their buttons. */
function actionsOf({ state, stop, operation }: ImportDetails): readonly Action[] {
  if (state === 'submitting' || state === 'scheduled') return stop === null ? ['stop'] : [];
  if (state === 'stopped') return ['resume', 'end'];
  return state === 'in-progress' && operation === 'create-port' ? ['undo'] : [];
}

export function StopActions({ item }: { readonly item: ImportDetails }) {
  const [action, setAction] = useState<Action>();
  const mayStop = useMay('approver');
  if (!mayStop) return null;
  return (
    <>
      {actionsOf(item).map((name) => (
        <Button key={name} onClick={() => setAction(name)}>
          {strings.stopping[name].button}
        </Button>
      ))}
      {action && <ConfirmAction item={item} action={action} onClose={() => setAction(undefined)} />}
    </>
  );
}

function ConfirmAction({
  item,
  action,
  onClose,
}: {
  readonly item: ImportDetails;
  readonly action: Action;
  readonly onClose: () => void;
}) {
  const [, navigate] = useLocation();
  const { notify } = useNotices();
  const { title, text, button, failed } = strings.stopping[action];
  const ending = { failed, onSuccess: onClose, isInDialog: true as const };
  const stop = useCommand('stopImport', ending);
  const resume = useCommand('resumeImport', ending);
  const cancel = useCommand('cancelRows', {
    ...ending,
    onSuccess: (plan) => {
      const { unknownRequests } = plan;
      if (unknownRequests > 0) notify({ type: 'warning', header: strings.stopping.unknownRequests(unknownRequests) });
      navigate(`/imports/${plan.importId}`);
    },
  });
  const path = { importId: item.importId };
  const run = {
    stop: () => stop.run({ path, body: {} }),
    resume: () => resume.run({ path, body: {} }),
    end: () => stop.run({ path, body: { end: true } }),
    undo: () => cancel.run({ path, body: {} }),
  }[action];
  const isRunning = stop.isRunning || resume.isRunning || cancel.isRunning;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      problem={stop.problem ?? resume.problem ?? cancel.problem}
      // Nothing is cancelled yet.
      confirm={{ text: action === 'undo' ? strings.cancellation.confirm : button, run, isRunning }}
    >
      {text}
    </Dialog>
  );
}
