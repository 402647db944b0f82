// How files with a certain header are read, as people saved it: their names, and what they say.

import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { useState } from 'react';
import { columnLabel } from '#shared/text/wording.ts';
import { useRead } from '../../api/queries.ts';
import type { Saved } from '../../api/types.ts';
import { useMay, useSession } from '../../app/session.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Screen } from '../../components/screen.tsx';
import { strings } from '../../strings.ts';
import { formatInstant } from '../../text/format.ts';
import { DeleteSaved, RenameSaved } from './saved-dialogs.tsx';

export default function SavedScreen() {
  const read = useRead('listSavedSettings', {});
  const { title, description } = strings.saved;
  return (
    <Screen title={title} description={description} above={[{ text: strings.imports.title, href: '#/' }]}>
      <Loaded read={read}>{({ saved }) => <SavedTable items={saved} />}</Loaded>
    </Screen>
  );
}

function SavedTable({ items }: { readonly items: readonly Saved[] }) {
  const { zone } = useSession().environment;
  const mayChange = useMay('uploader');
  const [open, setOpen] = useState<{ readonly action: 'rename' | 'delete'; readonly saved: Saved }>();
  const { columns, empty, ...texts } = strings.saved;
  const close = () => setOpen(undefined);
  const actionsOf = (saved: Saved) => (
    <SpaceBetween direction="horizontal" size="m">
      <Button
        variant="inline-link"
        ariaLabel={texts.renameOf(saved.name)}
        onClick={() => setOpen({ action: 'rename', saved })}
      >
        {texts.rename}
      </Button>
      <Button
        variant="inline-link"
        ariaLabel={texts.deleteOf(saved.name)}
        onClick={() => setOpen({ action: 'delete', saved })}
      >
        {texts.delete}
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
        empty={<Empty {...empty} />}
        columnDefinitions={[
          { id: 'name', header: columns.name, cell: ({ name }) => name, isRowHeader: true },
          { id: 'operation', header: columns.operation, cell: ({ operation }) => strings.operations[operation].label },
          { id: 'columns', header: columns.columns, cell: describe, minWidth: 240 },
          { id: 'by', header: columns.by, cell: ({ by }) => by },
          { id: 'at', header: columns.at, cell: ({ savedAt }) => formatInstant(savedAt, zone) },
          ...(mayChange ? [{ id: 'act', header: columns.act, cell: actionsOf }] : []),
        ]}
      />
      {open?.action === 'rename' && <RenameSaved saved={open.saved} onClose={close} />}
      {open?.action === 'delete' && <DeleteSaved saved={open.saved} onClose={close} />}
    </>
  );
}

/** What differs from how the file would be read by itself. */
function describe({ settings }: Saved): string {
  const { isColumn, isValue, sheet: ofSheets, headerRow: ofRow } = strings.saved;
  const { formats, table } = strings.columns;
  const { mapping = {}, columnValues = {}, sheet, otherSheets = [], headerRow, visibleRowsOnly } = settings;
  const { dateOrder, separator, encoding } = settings;
  return [
    ...Object.entries(mapping).map(([header, name]) => isColumn(header, name === '' ? table.own : columnLabel(name))),
    ...Object.entries(columnValues).map(([name, value]) => isValue(columnLabel(name), value)),
    sheet && ofSheets([sheet, ...otherSheets].join(', ')),
    headerRow && ofRow(headerRow),
    visibleRowsOnly && formats.visibleRowsOnly,
    dateOrder && formats.choices.dateOrder[dateOrder],
    separator && formats.choices.separator[separator],
    encoding && formats.choices.encoding[encoding],
  ]
    .filter(Boolean)
    .join(' · ');
}
