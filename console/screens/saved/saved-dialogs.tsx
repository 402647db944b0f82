// Renames and deletes saved settings.
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
  const save = useCommand('saveSettings', { failed: texts.notRenamed, onSuccess: onClose, isInDialog: true });
  const rename = () => save.run({ path: { savedId }, body: { operation, settings, name: newName.trim() } });
  const isDisabled = newName.trim() === '';
  const confirm = { text: texts.rename, run: rename, isRunning: save.isRunning, isDisabled };
  return (
    <Dialog title={texts.renameOf(name)} confirm={confirm} problem={save.problem} onClose={onClose}>
      <FormField label={texts.newName}>
        <Input value={newName} onChange={({ detail }) => setNewName(detail.value)} />
      </FormField>
    </Dialog>
  );
}

export function DeleteSaved({ saved: { savedId, name }, onClose }: Props) {
  const texts = strings.saved;
  const remove = useCommand('deleteSettings', { failed: texts.notDeleted, onSuccess: onClose, isInDialog: true });
  const run = () => remove.run({ path: { savedId } });
  const confirm = { text: texts.delete, run, isRunning: remove.isRunning };
  return (
    <Dialog title={texts.deleteTitle(name)} confirm={confirm} problem={remove.problem} onClose={onClose}>
      {texts.deleteText}
    </Dialog>
  );
}
