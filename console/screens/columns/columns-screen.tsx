// Shows how a file was read: its sheet, header, columns and dates. They can be changed until its numbers are sent.
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
import type { BodyInput } from '#functions/api/contract.ts';
import { fitSheets } from '#shared/import/import-state.ts';
import type { Answer, ImportDetails, Saved } from '../../api/answers.ts';
import { useCommand, useDelayed, useRead } from '../../api/queries.ts';
import { useKept } from '../../app/kept-work.ts';
import { useSession } from '../../app/session.tsx';
import { ColumnValues, withoutEmpty } from '../../components/column-values.tsx';
import { Loaded, MissingImport, Screen } from '../../components/screen.tsx';
import { formatInstant } from '../../text/format.ts';
import { type Reading, useReading } from '../import/readings.ts';
import { ArchiveButton } from '../imports/imports-screen.tsx';
import {
  ColumnTable,
  changesOf,
  type Mapping,
  mappingOf,
  mappingToRead,
  RequiredColumns,
  withSaved,
} from './column-table.tsx';
import {
  ambiguousDates,
  type Meanings,
  OpenQuestions,
  questionsOf,
  UnknownValues,
  withoutEmptyMeanings,
} from './questions.tsx';
import {
  DateOrderChoice,
  firstPlace,
  HeaderPlace,
  ofSheets,
  type Place,
  problemOf,
  queryOf,
  ReadingFormats,
  settingsOf,
} from './reading-formats.tsx';

export default function ColumnsScreen({ params: { importId } }: { readonly params: { readonly importId: string } }) {
  const read = useRead('getImport', { path: { importId } });
  return (
    <Loaded read={read} missing={<MissingImport />}>
      {(item) => <Columns item={item} />}
    </Loaded>
  );
}

function Columns({ item }: { readonly item: ImportDetails }) {
  const { importId, file } = item;
  const detected = useRead('previewImport', { path: { importId }, query: {} });
  const read = useRead('listSavedSettings', {});
  const [, navigate] = useLocation();
  const reading = useReading(item, 'The file was not read again', () => navigate(`/imports/${importId}`));
  const isFirst = item.asksHowToRead;
  return (
    <Screen
      title={isFirst ? file : 'Columns and formats'}
      above={[{ text: 'Imports', href: '#/' }, ...(isFirst ? [] : [{ text: file, href: `#/imports/${importId}` }])]}
      description={
        isFirst
          ? 'Nothing was checked or sent so far. Answer what is open, and change what was recognised wrongly.'
          : 'How simporter read the file. Nothing was sent: change what is wrong and read the file again.'
      }
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          {isFirst && <ArchiveButton item={item} />}
          {isFirst && <Button href="#/upload">Upload another file</Button>}
          <Button href="#/saved">Saved settings</Button>
        </SpaceBetween>
      }
    >
      <Loaded read={read}>
        {({ saved }) => (
          <Loaded read={detected}>
            {(detected) => (
              <ReadFile
                item={item}
                detected={detected}
                found={saved.find(({ savedId }) => savedId === detected.headerId)}
                reading={reading}
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
  /** As the file was read. */
  readonly detected: Answer<'previewImport'>;
  /** The saved settings of the header. */
  readonly found: Saved | undefined;
  readonly reading: Reading;
}

function ReadFile({ item, detected, found, reading }: FileProps) {
  const { importId } = item;
  const { headerId, sheets, reading: count } = detected;
  // Settings that others save meanwhile do not change the form.
  const [saved] = useState(() => forSheets(found, sheets));
  const [place, setPlace] = useKept(`${importId}.${count}.place`, () => firstPlace(item, detected, saved?.settings));
  const { headerRow: typed, ...chosen } = place;
  const headerRow = useDelayed(typed);
  const shown = typed === undefined || headerRow === undefined ? chosen : { ...chosen, headerRow };
  // A click on a form that is shown again for another row of the header would be lost.
  const whileLoading = (previous: Answer<'previewImport'> | undefined) => ofSheets(chosen.sheets, previous);
  const read = useRead('previewImport', { path: { importId }, query: queryOf(shown) }, { whileLoading });
  return (
    <>
      <HeaderPlace preview={read.data} sheets={sheets} place={place} onChange={setPlace} />
      {place.sheets?.length !== 0 && (
        <Loaded read={read}>
          {(preview) => (
            <>
              {preview.problem !== null && <Alert type="error">{preview.problem}</Alert>}
              {/* Another reading has other settings. */}
              <ColumnsForm
                key={preview.reading}
                item={item}
                preview={preview}
                place={place}
                headerId={headerId}
                saved={saved}
                reading={reading}
              />
            </>
          )}
        </Loaded>
      )}
    </>
  );
}

function forSheets(saved: Saved | undefined, sheets: Answer<'previewImport'>['sheets']): Saved | undefined {
  const names = sheets.map(({ name }) => name);
  if (saved === undefined || fitSheets(saved.settings, names)) return saved;
  const { sheet: _, otherSheets: __, headerRow: ___, ...settings } = saved.settings;
  return { ...saved, settings };
}

type Settings = Answer<'previewImport'>['settings'];

interface Props {
  readonly item: ImportDetails;
  readonly preview: Answer<'previewImport'>;
  readonly place: Place;
  /** Under it, the settings are saved. */
  readonly headerId: string | null;
  /** Those of this header. */
  readonly saved: Saved | undefined;
  readonly reading: Reading;
}

/** What a person chooses for this reading of the file. */
function useChoices({ item, preview, saved }: Pick<Props, 'item' | 'preview' | 'saved'>) {
  const key = `${item.importId}.${preview.reading}`;
  const [settings, setSettings] = useKept(`${key}.settings`, () => settingsWith(saved, preview.settings));
  // Of all sheets that were looked at: each may have other columns.
  const [choices, setChoices] = useKept<Mapping>(`${key}.mapping`, () => settings.mapping ?? {});
  const [name, setName] = useKept(`${key}.name`, () => saved?.name ?? item.file.replace(/\.\w+$/, '').slice(0, 100));
  const detected = mappingOf(preview.columns);
  const mapping = withSaved(detected, choices);
  const setMapping = (next: Mapping) => setChoices({ ...choices, ...changesOf(next, mapping) });
  const chosen = mappingToRead(mapping, detected, { named: settings.mapping, questions: preview.questions });
  return { settings, setSettings, mapping, setMapping, chosen, name, setName };
}

/** Which column is which, values for all rows, and formats; then the file is read again. */
function ColumnsForm({ item, preview, place, headerId, saved, reading: { run, isRunning } }: Props) {
  const operation = item.operation ?? 'create-port';
  const { settings, setSettings, mapping, setMapping, chosen, name, setName } = useChoices({ item, preview, saved });
  const { data } = useRead('listOperations', {});
  const columns = data?.operations.find(({ name }) => name === operation)?.columns ?? [];
  const values = settings.columnValues ?? {};
  const { dateOrder } = settings;
  const questions = questionsOf({ item, preview, columns, mapping, values, dateOrder });
  const { reading, whole } = settingsToRead(settings, place, chosen);
  const readAgain = () => run({ reading: preview.reading, settings: whole });
  const reason = item.canReadAgain
    ? (problemOf(place) ?? questions.open[0])
    : 'Only a file of which nothing was sent can be read again';
  const save = useSave({ headerId, body: { operation, name: name.trim(), settings: reading }, readAgain });
  return (
    <>
      {saved !== undefined && <SavedNote {...saved} />}
      <OpenQuestions {...questions} />
      <DateOrderChoice
        dates={ambiguousDates({ preview, columns, mapping })}
        order={dateOrder}
        onChange={(dateOrder) => setSettings({ ...settings, dateOrder })}
      />
      <RequiredColumns
        columns={columns}
        mapping={mapping}
        values={values}
        onEnterValue={(name) => setSettings({ ...settings, columnValues: { ...values, [name]: '' } })}
      />
      <UnknownValues
        importId={item.importId}
        meanings={settings.meanings ?? {}}
        onChange={(meanings) => setSettings({ ...settings, meanings })}
      />
      <ColumnTable preview={preview} columns={columns} mapping={mapping} onChange={setMapping} />
      <ValuesForAll
        operation={operation}
        values={values}
        onChange={(columnValues) => setSettings({ ...settings, columnValues })}
      />
      <ReadingFormats preview={preview} settings={settings} onChange={setSettings} />
      {headerId !== null && <SavedName name={name} onChange={setName} />}
      <ReadAgain
        isFirst={item.asksHowToRead}
        reason={reason}
        isRunning={save.isRunning || isRunning}
        onClick={save.run}
      />
    </>
  );
}

interface ToSave {
  readonly headerId: string | null;
  readonly body: BodyInput<'saveSettings'>;
  readonly readAgain: () => void;
}

/** Saves the settings under the header, then reads the file, also where they were not saved. */
function useSave({ headerId, body, readAgain }: ToSave) {
  const { run, isRunning } = useCommand('saveSettings', {
    failed: 'The settings were not saved',
    onSuccess: readAgain,
    onError: readAgain,
  });
  const save = () => (headerId === null || body.name === '' ? readAgain() : run({ path: { savedId: headerId }, body }));
  return { run: save, isRunning };
}

/** `reading` is saved: what is done with the rows is not saved with how they are read. */
function settingsToRead(settings: Settings, place: Place, mapping: Mapping) {
  const { tolerate, maxRowsPerPort, onInvalidPac, perDay, separateExpiringPacs, ...formats } = settings;
  const columnValues = withoutEmpty(settings.columnValues ?? {});
  const said = { columnValues, mapping, meanings: withoutEmptyMeanings(settings.meanings) };
  const reading = { ...formats, ...settingsOf(place), ...said };
  return { reading, whole: { ...reading, tolerate, maxRowsPerPort, onInvalidPac, perDay, separateExpiringPacs } };
}

const ValuesForAll = (props: Parameters<typeof ColumnValues>[0]) => (
  <Container
    header={
      <Header variant="h2" description="For columns that the file does not have, such as the network or the tariff">
        Same value for all rows
      </Header>
    }
  >
    <ColumnValues {...props} />
  </Container>
);

interface ReadAgainProps {
  /** No row was validated so far. */
  readonly isFirst: boolean;
  /** Why it cannot be read. */
  readonly reason: string | undefined;
  readonly isRunning: boolean;
  readonly onClick: () => void;
}

const ReadAgain = ({ isFirst, reason, isRunning, onClick }: ReadAgainProps) => (
  <SpaceBetween direction="horizontal" size="m" alignItems="center">
    <Button
      variant="primary"
      loading={isRunning}
      disabled={reason !== undefined}
      {...(reason !== undefined && { disabledReason: reason })}
      onClick={onClick}
    >
      {isFirst ? 'Check the numbers' : 'Read the file again'}
    </Button>
    <Box color="text-body-secondary">
      {isFirst
        ? 'Nothing is sent to a network before you approve the plan.'
        : 'The new plan replaces this one. Nothing is sent before it is approved.'}
    </Box>
  </SpaceBetween>
);

/** The settings of the upload take precedence, as when ingest reads the file. */
const settingsWith = (saved: Saved | undefined, own: Settings): Settings => ({
  ...saved?.settings,
  ...own,
  mapping: { ...saved?.settings.mapping, ...own.mapping },
  columnValues: { ...saved?.settings.columnValues, ...own.columnValues },
  meanings: mergeMeanings(saved?.settings.meanings, own.meanings),
});

const mergeMeanings = (saved: Meanings = {}, own: Meanings = {}): Meanings => ({
  ...saved,
  ...Object.fromEntries(Object.entries(own).map(([column, values]) => [column, { ...saved[column], ...values }])),
});

const SavedName = ({ name, onChange }: { readonly name: string; readonly onChange: (name: string) => void }) => (
  <Container>
    <FormField
      label="Name of the saved settings"
      description="The next file with this header is read in this way. Without a name, nothing is saved."
    >
      <Input value={name} onChange={({ detail }) => onChange(detail.value)} />
    </FormField>
  </Container>
);

function SavedNote({ name, by, savedAt }: Saved) {
  const { zone } = useSession().environment;
  return (
    <Alert type="info">{`The choices below are those of "${name}", saved by ${by} on ${formatInstant(savedAt, zone)}`}</Alert>
  );
}
