// How files with a certain header are read, as people saved it: their names, and what they say.
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { useState } from 'react';
import { columnLabel } from '#shared/text/wording.ts';
import type { Saved } from '../../api/answers.ts';
import { useCommand, useRead } from '../../api/queries.ts';
import { useMay, useSession } from '../../app/session.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { useFittingColumns } from '../../components/fitting-columns.tsx';
import { Empty, Loaded, Screen } from '../../components/screen.tsx';
import { formatInstant } from '../../text/format.ts';
import { dateOrderNames, formatNames, onlyVisibleRows, operations } from '../../text/words.ts';

export default function SavedScreen() {
  const read = useRead('listSavedSettings', {});
  return (
    <Screen
      title="Saved settings"
      description="How files with a certain header are read. The next file with this header is read in the same way, also for your colleagues."
      above={[{ text: 'Imports', href: '#/' }]}
    >
      <Loaded read={read}>{({ saved }) => <SavedTable items={saved} />}</Loaded>
    </Screen>
  );
}

const renameOf = (name: string) => `Rename "${name}"`;

function SavedTable({ items }: { readonly items: readonly Saved[] }) {
  const { zone } = useSession().environment;
  const mayChange = useMay('uploader');
  const [open, setOpen] = useState<{ readonly action: 'rename' | 'delete'; readonly saved: Saved }>();
  const close = () => setOpen(undefined);
  const actionsOf = (saved: Saved) => (
    <SpaceBetween direction="horizontal" size="m">
      <Button
        variant="inline-link"
        ariaLabel={renameOf(saved.name)}
        onClick={() => setOpen({ action: 'rename', saved })}
      >
        Rename
      </Button>
      <Button
        variant="inline-link"
        ariaLabel={`Delete "${saved.name}"`}
        onClick={() => setOpen({ action: 'delete', saved })}
      >
        Delete
      </Button>
    </SpaceBetween>
  );
  return (
    <>
      <Table
        variant="container"
        wrapLines
        items={items}
        trackBy="savedId"
        empty={
          <Empty
            title="No saved settings"
            text='When you read a file again in "Columns and formats", its settings are saved here.'
          />
        }
        columnDefinitions={useFittingColumns<Saved>([
          {
            id: 'name',
            header: 'Name',
            cell: ({ name }) => <span className="cell-text">{name}</span>,
            isRowHeader: true,
            minWidth: 160,
          },
          { id: 'operation', header: 'Operation', cell: ({ operation }) => operations[operation].label },
          { id: 'columns', header: 'Columns', cell: describe, minWidth: 240 },
          { id: 'by', header: 'Saved by', cell: ({ by }) => by },
          { id: 'at', header: 'Saved', cell: ({ savedAt }) => formatInstant(savedAt, zone) },
          ...(mayChange ? [{ id: 'act', header: 'Actions', cell: actionsOf }] : []),
        ])}
      />
      {open?.action === 'rename' && <RenameSaved saved={open.saved} onClose={close} />}
      {open?.action === 'delete' && <DeleteSaved saved={open.saved} onClose={close} />}
    </>
  );
}

/** What differs from how the file would be read by itself. */
function describe({ settings }: Saved): string {
  const { mapping = {}, columnValues = {}, meanings = {} } = settings;
  const { sheet, otherSheets = [], headerRow, visibleRowsOnly } = settings;
  const { dateOrder, separator, encoding } = settings;
  return [
    ...Object.entries(mapping).map(
      ([header, name]) => `"${header}": ${name === '' ? 'My own column' : columnLabel(name)}`,
    ),
    ...Object.entries(columnValues).map(([name, value]) => `${columnLabel(name)} "${value}" for all rows`),
    ...Object.entries(meanings).flatMap(([column, values]) =>
      Object.entries(values).map(([value, means]) => `${columnLabel(column)}: "${value}" is ${means}`),
    ),
    sheet && `Sheet ${[sheet, ...otherSheets].join(', ')}`,
    headerRow && `Header in row ${headerRow}`,
    visibleRowsOnly && onlyVisibleRows,
    dateOrder && dateOrderNames[dateOrder],
    separator && formatNames.separator[separator],
    encoding && formatNames.encoding[encoding],
  ]
    .filter(Boolean)
    .join(' · ');
}

interface Props {
  readonly saved: Saved;
  readonly onClose: () => void;
}

/** Renames and deletes saved settings. */
function RenameSaved({ saved: { savedId, operation, name, settings }, onClose }: Props) {
  const [newName, setNewName] = useState(name);
  const save = useCommand('saveSettings', {
    failed: 'The saved settings were not renamed',
    onSuccess: onClose,
    isInDialog: true,
  });
  const rename = () => save.run({ path: { savedId }, body: { operation, settings, name: newName.trim() } });
  const isDisabled = newName.trim() === '';
  const confirm = { text: 'Rename', run: rename, isRunning: save.isRunning, isDisabled };
  return (
    <Dialog title={renameOf(name)} confirm={confirm} problem={save.problem} onClose={onClose}>
      <FormField label="New name">
        <Input value={newName} onChange={({ detail }) => setNewName(detail.value)} />
      </FormField>
    </Dialog>
  );
}

function DeleteSaved({ saved: { savedId, name }, onClose }: Props) {
  const remove = useCommand('deleteSettings', {
    failed: 'The saved settings were not deleted',
    onSuccess: onClose,
    isInDialog: true,
  });
  const run = () => remove.run({ path: { savedId } });
  const confirm = { text: 'Delete', run, isRunning: remove.isRunning };
  return (
    <Dialog title={`Delete the saved settings "${name}"?`} confirm={confirm} problem={remove.problem} onClose={onClose}>
      The next file with this header is read as detected. Files that were read already do not change.
    </Dialog>
  );
}
