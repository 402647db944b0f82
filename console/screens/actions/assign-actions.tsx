// Who works on the actions of an import: one click to take them, or the address of another person.
import Autosuggest from '@cloudscape-design/components/autosuggest';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import type { Action } from '../../api/types.ts';
import { useCommand } from '../../api/use-command.ts';
import { useMay } from '../../app/session.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { strings } from '../../strings.ts';

export function AssignActions({ action: { importId, assignedTo } }: { readonly action: Action }) {
  const [isOpen, setOpen] = useState(false);
  const mayAssign = useMay('uploader');
  const texts = strings.actions.assignment;
  const close = () => setOpen(false);
  const assign = useCommand('assignActions', { failed: texts.failed, onSuccess: close, onError: close });
  const run = (to: string | null) => assign.run({ path: { importId }, body: { to } });
  const button = (text: string, onClick: () => void) => (
    <Button variant="inline-link" disabled={assign.isRunning} onClick={onClick}>
      {text}
    </Button>
  );
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <span>{assignedTo === null ? texts.nobody : texts.to(assignedTo)}</span>
      {mayAssign && (assignedTo === null ? button(texts.toMe, () => run('me')) : button(texts.undo, () => run(null)))}
      {mayAssign && button(texts.toOther, () => setOpen(true))}
      {isOpen && <AssignDialog isRunning={assign.isRunning} onAssign={run} onClose={close} />}
    </SpaceBetween>
  );
}

interface DialogProps {
  readonly isRunning: boolean;
  readonly onAssign: (to: string) => void;
  readonly onClose: () => void;
}

/** Suggests whoever uploaded one of the last imports. */
function AssignDialog({ isRunning, onAssign, onClose }: DialogProps) {
  const [to, setTo] = useState('');
  const { data } = useRead('listImports', { query: { limit: '200' } });
  const people = new Set((data?.imports ?? []).flatMap(({ uploadedBy }) => uploadedBy?.by ?? []));
  const texts = strings.actions.assignment;
  return (
    <Dialog
      title={texts.title}
      onClose={onClose}
      confirm={
        <Button variant="primary" disabled={to.trim() === ''} loading={isRunning} onClick={() => onAssign(to.trim())}>
          {texts.confirm}
        </Button>
      }
    >
      <p>{texts.text}</p>
      <FormField label={texts.person}>
        <Autosuggest
          value={to}
          options={[...people].map((value) => ({ value }))}
          enteredTextLabel={texts.use}
          onChange={({ detail }) => setTo(detail.value)}
        />
      </FormField>
    </Dialog>
  );
}
