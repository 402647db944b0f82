// Which column is which, values for all rows, and formats; then the file is read again as a new import.
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useRead } from '../../api/queries.ts';
import type { Answer, ImportDetails } from '../../api/types.ts';
import { useCommand } from '../../api/use-command.ts';
import { ColumnValues } from '../../components/column-values.tsx';
import { strings } from '../../strings.ts';
import { ColumnTable } from './column-table.tsx';
import type { Place } from './header-place.tsx';
import { answersOf, changesOf, type FileColumns, type Mapping, mappingOf } from './mapping.ts';
import { ReadingFormats } from './reading-formats.tsx';
import { RequiredColumns } from './required-columns.tsx';

interface Props {
  readonly item: ImportDetails;
  readonly preview: Answer<'previewImport'>;
  readonly place: Place;
}

export function ColumnsForm({ item, preview, place }: Props) {
  const { importId } = item;
  const operation = item.operation ?? 'create-port';
  const detected = mappingOf(preview.columns);
  const [remembered] = useState(() => rememberedMapping(operation, preview.columns));
  const [mapping, setMapping] = useState<Mapping>(remembered ?? detected);
  const [settings, setSettings] = useState(preview.settings);
  const { data } = useRead('listOperations', {});
  const [, navigate] = useLocation();
  const columns = data?.operations.find(({ name }) => name === operation)?.columns ?? [];
  const texts = strings.columns;
  const replan = useCommand('replanImport', {
    failed: texts.failed,
    onSuccess: (answer) => {
      rememberMapping(operation, preview.columns, mapping);
      navigate(`/imports/${answer.importId}`);
    },
  });
  const readAgain = () => {
    const chosen = { ...settings.mapping, ...changesOf(mapping, detected), ...answersOf(mapping, item.issues) };
    replan.run({ path: { importId }, body: { ...settings, ...place, mapping: chosen } });
  };
  return (
    <>
      {remembered !== undefined && <Alert type="info">{texts.remembered}</Alert>}
      <RequiredColumns
        {...{ columns, mapping }}
        values={settings.columnValues ?? {}}
        onEnterValue={(name) => setSettings({ ...settings, columnValues: { ...settings.columnValues, [name]: '' } })}
      />
      <ColumnTable {...{ preview, columns, mapping }} onChange={setMapping} />
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
      <SpaceBetween direction="horizontal" size="m" alignItems="center">
        <Button variant="primary" loading={replan.isRunning} onClick={readAgain}>
          {texts.readAgain}
        </Button>
        <Box color="text-body-secondary">{texts.replaces}</Box>
      </SpaceBetween>
    </>
  );
}

const storageKey = 'simporter.mappings';
const most = 50;

const keyOf = (operation: string, columns: FileColumns): string =>
  JSON.stringify([operation, ...columns.map(({ header }) => header)]);

function readAll(): [string, Mapping][] {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '[]');
  } catch {
    return [];
  }
}

/** Undefined where nothing was chosen, or the file was read like that already. */
export function rememberedMapping(operation: string, columns: FileColumns): Mapping | undefined {
  const known = readAll().find(([key]) => key === keyOf(operation, columns))?.[1];
  const isUsed = known === undefined || JSON.stringify(known) === JSON.stringify(mappingOf(columns));
  return isUsed ? undefined : known;
}

export function rememberMapping(operation: string, columns: FileColumns, mapping: Mapping): void {
  const key = keyOf(operation, columns);
  const others = readAll().filter(([other]) => other !== key);
  localStorage.setItem(storageKey, JSON.stringify([[key, mapping], ...others].slice(0, most)));
}
