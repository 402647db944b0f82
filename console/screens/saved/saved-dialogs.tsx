// Renames and deletes saved settings.
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import { useState } from 'react';
import type { Saved } from '../../api/types.ts';
import { useCommand } from '../../api/use-command.ts';
import { Dialog } from '../../components/dialog.tsx';
import { strings } from '../../strings.ts';

interface Props {
  readonly saved: Saved;
  readonly onClose: () => void;
}

export function RenameSaved({ saved: { savedId, operation, name, settings }, onClose }: Props) {
  const [newName, setNewName] = useState(name);
  const texts = strings.saved;
  const save = useCommand('saveSettings', { failed: texts.notRenamed, onSuccess: onClose });
  const rename = () => save.run({ path: { savedId }, body: { operation, settings, name: newName.trim() } });
  const confirm = (
    <Button variant="primary" disabled={newName.trim() === ''} loading={save.isRunning} onClick={rename}>
      {texts.rename}
    </Button>
  );
  return (
    <Dialog title={texts.renameOf(name)} confirm={confirm} onClose={onClose}>
      <FormField label={texts.newName}>
        <Input value={newName} onChange={({ detail }) => setNewName(detail.value)} />
      </FormField>
    </Dialog>
  );
}

export function DeleteSaved({ saved: { savedId, name }, onClose }: Props) {
  const texts = strings.saved;
  const remove = useCommand('deleteSettings', { failed: texts.notDeleted, onSuccess: onClose });
  const confirm = (
    <Button variant="primary" loading={remove.isRunning} onClick={() => remove.run({ path: { savedId } })}>
      {texts.delete}
    </Button>
  );
  return (
    <Dialog title={texts.deleteTitle(name)} confirm={confirm} onClose={onClose}>
      {texts.deleteText}
    </Dialog>
  );
}
