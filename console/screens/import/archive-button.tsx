// Leaves an import out of the list, and shows it there again.
import Button from '@cloudscape-design/components/button';
import { isArchivable } from '#shared/import/import-state.ts';
import type { ImportSummary } from '../../api/types.ts';
import { useCommand } from '../../api/use-command.ts';
import { useNotices } from '../../app/notices.tsx';
import { useMay } from '../../app/session.tsx';
import { strings } from '../../strings.ts';

export function ArchiveButton({ item, isInList }: { readonly item: ImportSummary; readonly isInList?: true }) {
  const { importId, isArchived, file } = item;
  const mayArchive = useMay('uploader');
  const { notify } = useNotices();
  const texts = strings.archive;
  const archive = useCommand('archiveImport', {
    failed: isArchived ? texts.undoFailed : texts.failed,
    onSuccess: () => isArchived || notify({ type: 'success', header: texts.done(file) }),
  });
  if (!mayArchive || !(isArchived || isArchivable(item))) return null;
  return (
    <Button
      {...(isInList && { variant: 'inline-link' })}
      {...(!isArchived && { ariaLabel: texts.of(file) })}
      loading={archive.isRunning}
      onClick={() => archive.run({ path: { importId }, body: { undo: isArchived } })}
    >
      {isArchived ? texts.undo : texts.button}
    </Button>
  );
}
