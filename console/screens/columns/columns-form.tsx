// Which column is which, values for all rows, and formats; then the file is read again as a new import.
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useRead } from '../../api/queries.ts';
import type { Answer, ImportDetails, Saved } from '../../api/types.ts';
import { useCommand } from '../../api/use-command.ts';
import { useSession } from '../../app/session.tsx';
import { ColumnValues } from '../../components/column-values.tsx';
import { strings } from '../../strings.ts';
import { formatInstant } from '../../text/format.ts';
import { ColumnTable } from './column-table.tsx';
import type { Place } from './header-place.tsx';
import { answersOf, changesOf, type Mapping, mappingOf, withSaved } from './mapping.ts';
import { ReadingFormats } from './reading-formats.tsx';
import { RequiredColumns } from './required-columns.tsx';

type Settings = Answer<'previewImport'>['settings'];

interface Props {
  readonly item: ImportDetails;
  readonly preview: Answer<'previewImport'>;
  readonly place: Place;
  /** Under it, the settings are saved. */
  readonly headerId: string | null;
  /** Those of this header. */
  readonly saved: Saved | undefined;
}

export function ColumnsForm({ item, preview, place, headerId, saved }: Props) {
  const { importId } = item;
  const operation = item.operation ?? 'create-port';
  const detected = mappingOf(preview.columns);
  const [settings, setSettings] = useState(() => settingsWith(saved, preview.settings));
  const [mapping, setMapping] = useState<Mapping>(() => withSaved(detected, settings.mapping));
  const [name, setName] = useState(() => saved?.name ?? item.file.replace(/\.\w+$/, '').slice(0, 100));
  const { data } = useRead('listOperations', {});
  const [, navigate] = useLocation();
  const columns = data?.operations.find(({ name }) => name === operation)?.columns ?? [];
  const texts = strings.columns;
  const replan = useCommand('replanImport', {
    failed: texts.failed,
    onSuccess: (answer) => navigate(`/imports/${answer.importId}`),
  });
  const chosen = { ...settings.mapping, ...changesOf(mapping, detected), ...answersOf(mapping, item.issues) };
  // What is done with the rows is not saved with how they are read.
  const { tolerate, maxRowsPerPort, onInvalidPac, perDay, separateExpiringPacs, ...formats } = settings;
  const reading = { ...formats, ...place, mapping: chosen };
  const body = { ...reading, tolerate, maxRowsPerPort, onInvalidPac, perDay, separateExpiringPacs };
  const readAgain = () => replan.run({ path: { importId }, body });
  const save = useCommand('saveSettings', { failed: strings.saved.failed, onSuccess: readAgain, onError: readAgain });
  const saveAndRead = () => {
    if (headerId === null || name.trim() === '') return readAgain();
    save.run({ path: { savedId: headerId }, body: { operation, name: name.trim(), settings: reading } });
  };
  return (
    <>
      {saved !== undefined && <SavedNote {...saved} />}
      <RequiredColumns
        columns={columns}
        mapping={mapping}
        values={settings.columnValues ?? {}}
        onEnterValue={(name) => setSettings({ ...settings, columnValues: { ...settings.columnValues, [name]: '' } })}
      />
      <ColumnTable preview={preview} columns={columns} mapping={mapping} onChange={setMapping} />
      <Container
        header={
          <Header variant="h2" description={strings.upload.values.description}>
            {strings.upload.values.title}
          </Header>
        }
      >
        <ColumnValues
          operation={operation}
          values={settings.columnValues ?? {}}
          onChange={(columnValues) => setSettings({ ...settings, columnValues })}
        />
      </Container>
      <ReadingFormats item={item} preview={preview} settings={settings} onChange={setSettings} />
      {headerId !== null && <SavedName name={name} onChange={setName} />}
      <SpaceBetween direction="horizontal" size="m" alignItems="center">
        <Button variant="primary" loading={save.isRunning || replan.isRunning} onClick={saveAndRead}>
          {texts.readAgain}
        </Button>
        <Box color="text-body-secondary">{texts.replaces}</Box>
      </SpaceBetween>
    </>
  );
}

/** The settings of the upload take precedence, as when ingest reads the file. */
const settingsWith = (saved: Saved | undefined, own: Settings): Settings => ({
  ...saved?.settings,
  ...own,
  mapping: { ...saved?.settings.mapping, ...own.mapping },
  columnValues: { ...saved?.settings.columnValues, ...own.columnValues },
});

const SavedName = ({ name, onChange }: { readonly name: string; readonly onChange: (name: string) => void }) => (
  <Container>
    <FormField label={strings.saved.nameOfNew} description={strings.saved.saves}>
      <Input value={name} onChange={({ detail }) => onChange(detail.value)} />
    </FormField>
  </Container>
);

function SavedNote({ name, by, savedAt }: Saved) {
  const { zone } = useSession().environment;
  return <Alert type="info">{strings.saved.chosen(name, by, formatInstant(savedAt, zone))}</Alert>;
}
