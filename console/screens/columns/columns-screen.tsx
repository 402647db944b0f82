// How a file was read: its sheet, header, columns and dates. Until its numbers are sent, it can be read again otherwise.
import Alert from '@cloudscape-design/components/alert';
import { useState } from 'react';
import { useRead } from '../../api/queries.ts';
import type { ImportDetails } from '../../api/types.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Screen } from '../../components/screen.tsx';
import { strings } from '../../strings.ts';
import { ColumnsForm } from './columns-form.tsx';
import { HeaderPlace, type Place } from './header-place.tsx';

export default function ColumnsScreen({ params: { importId } }: { readonly params: { readonly importId: string } }) {
  const read = useRead('getImport', { path: { importId } });
  return <Loaded read={read}>{(item) => <Columns item={item} />}</Loaded>;
}

function Columns({ item }: { readonly item: ImportDetails }) {
  const { importId } = item;
  const [place, setPlace] = useState<Place>({});
  const { sheet, headerRow } = place;
  const query = { ...(sheet && { sheet }), ...(headerRow && { headerRow: String(headerRow) }) };
  const read = useRead('previewImport', { path: { importId }, query });
  const texts = strings.columns;
  return (
    <Screen
      title={texts.title}
      above={[
        { text: strings.imports.title, href: '#/' },
        { text: item.file, href: `#/imports/${importId}` },
      ]}
      description={texts.description}
    >
      <Loaded read={read}>
        {(preview) => (
          <>
            {preview.problem !== null && <Alert type="error">{preview.problem}</Alert>}
            <HeaderPlace key={`${preview.sheet}:${preview.headerRow}`} preview={preview} onChange={setPlace} />
            {/* Another header has other columns. */}
            <ColumnsForm key={JSON.stringify([place, preview.columns])} {...{ item, preview, place }} />
          </>
        )}
      </Loaded>
    </Screen>
  );
}
