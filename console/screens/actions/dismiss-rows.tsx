// Nobody will fix the declined or invalid rows of an import: the person gives the reason, and no action is required.
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import { useCommand } from '../../api/use-command.ts';
import { useMay } from '../../app/session.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { strings } from '../../strings.ts';

interface Props {
  readonly importId: string;
  readonly rows: 'declined' | 'rejected';
}

export function DismissRows(props: Props) {
  const [isOpen, setOpen] = useState(false);
  const mayDismiss = useMay('uploader');
  if (!mayDismiss) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{strings.actions.dismissal.button}</Button>
      {isOpen && <DismissDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function DismissDialog({ importId, rows, onClose }: Props & { readonly onClose: () => void }) {
  const [because, setBecause] = useState('');
  const texts = strings.actions.dismissal;
  const dismiss = useCommand('dismissRows', { failed: texts.failed, onSuccess: onClose, isInDialog: true });
  const run = () => dismiss.run({ path: { importId }, body: { rows, because: because.trim() } });
  return (
    <Dialog
      title={texts.title}
      onClose={onClose}
      problem={dismiss.problem}
      confirm={{ text: texts.button, run, isRunning: dismiss.isRunning, isDisabled: because.trim() === '' }}
    >
      <p>{texts.text}</p>
      <FormField label={texts.because}>
        <Input value={because} onChange={({ detail }) => setBecause(detail.value)} />
      </FormField>
    </Dialog>
  );
}
