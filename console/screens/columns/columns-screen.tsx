// How a file was read: its sheet, header, columns and dates. Until its numbers are sent, it can be read again otherwise.
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { useState } from 'react';
import { fitSheets } from '#shared/import/import-state.ts';
import { useRead } from '../../api/queries.ts';
import type { ImportDetails, Saved } from '../../api/types.ts';
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
  const { importId, file } = item;
  const detected = useRead('previewImport', { path: { importId }, query: {} });
  const read = useRead('listSavedSettings', {});
  const texts = strings.columns;
  return (
    <Screen
      title={texts.title}
      above={[
        { text: strings.imports.title, href: '#/' },
        { text: file, href: `#/imports/${importId}` },
      ]}
      description={texts.description}
      actions={<Button href="#/saved">{strings.saved.title}</Button>}
    >
      <Loaded read={read}>
        {({ saved }) => (
          <Loaded read={detected}>
            {({ headerId, sheets }) => (
              <ReadFile
                item={item}
                headerId={headerId}
                sheets={sheets}
                found={saved.find(({ savedId }) => savedId === headerId)}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Screen>
  );
}

interface FileProps {
  readonly item: ImportDetails;
  readonly headerId: string | null;
  /** Of the workbook. */
  readonly sheets: readonly string[];
  /** The saved settings of the header. */
  readonly found: Saved | undefined;
}

function ReadFile({ item, headerId, sheets, found }: FileProps) {
  const { importId } = item;
  // Settings that others save meanwhile do not change the form.
  const [saved] = useState(() => forSheets(found, sheets));
  const [place, setPlace] = useState<Place>(() => placeOf(saved?.settings));
  const { sheet, otherSheets = [], headerRow } = place;
  const query = {
    ...(sheet && { sheet }),
    // No name of a sheet contains a slash.
    ...(otherSheets.length > 0 && { otherSheets: otherSheets.join('/') }),
    ...(headerRow && { headerRow: String(headerRow) }),
  };
  const read = useRead('previewImport', { path: { importId }, query });
  return (
    <Loaded read={read}>
      {(preview) => (
        <>
          {preview.problem !== null && <Alert type="error">{preview.problem}</Alert>}
          <HeaderPlace
            key={JSON.stringify([place, preview.headerRow])}
            preview={preview}
            sheets={sheets}
            place={place}
            onChange={setPlace}
          />
          {/* Another header has other columns. */}
          <ColumnsForm
            key={JSON.stringify([place, preview.columns])}
            item={item}
            preview={preview}
            place={place}
            headerId={headerId}
            saved={saved}
          />
        </>
      )}
    </Loaded>
  );
}

function forSheets(saved: Saved | undefined, sheets: readonly string[]): Saved | undefined {
  if (saved === undefined || fitSheets(saved.settings, sheets)) return saved;
  const { sheet: _, otherSheets: __, headerRow: ___, ...settings } = saved.settings;
  return { ...saved, settings };
}

const placeOf = ({ sheet, otherSheets = [], headerRow }: Saved['settings'] = {}): Place => ({
  ...(sheet !== undefined && { sheet, otherSheets }),
  ...(headerRow !== undefined && { headerRow }),
});
