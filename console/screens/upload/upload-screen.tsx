// Upload a file: choose it, complete what it lacks, send it. Nothing reaches the service before an approval.
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { useMay, useSession } from '../../app/session.tsx';
import { ColumnValues } from '../../components/column-values.tsx';
import { Screen } from '../../components/screen.tsx';
import { strings } from '../../strings.ts';
import { formatBytes } from '../../text/format.ts';
import { rememberedUpload } from '../../upload/remembered-uploads.ts';
import { useUploads } from '../../upload/uploads.tsx';
import { FileChooser } from './file-chooser.tsx';
import { type Operation, OperationChooser } from './operation-chooser.tsx';
import { PortOptions, type PortSettings } from './port-options.tsx';
import { UnfinishedUploads, UploadsInProgress } from './uploads-in-progress.tsx';

export default function UploadScreen() {
  const { title, description, noRole } = strings.upload;
  const mayUpload = useMay('uploader');
  return (
    <Screen
      title={title}
      description={mayUpload ? description : undefined}
      actions={<Button href="#/saved">{strings.saved.title}</Button>}
    >
      {mayUpload ? (
        <UploadForm />
      ) : (
        <Alert type="info" header={noRole.title}>
          {noRole.text}
        </Alert>
      )}
    </Screen>
  );
}

function UploadForm() {
  const { maxFileBytes } = useSession().environment;
  const [file, setFile] = useState<File>();
  const [operation, setOperation] = useState<Operation>('create-port');
  const [columnValues, setColumnValues] = useState<Readonly<Record<string, string>>>({});
  const [ports, setPorts] = useState<PortSettings>({});
  const { start } = useUploads();
  const problem = file && checkFile(file, maxFileBytes);
  const choose = (chosen: File | undefined) => {
    setFile(chosen);
    // It continues only with the settings that it was begun with.
    const settings = chosen && rememberedUpload(chosen)?.settings;
    if (settings === undefined) return;
    setOperation(settings.operation);
    setColumnValues(settings.columnValues);
    const { operation: _, columnValues: __, ...remembered } = settings;
    setPorts(remembered);
  };
  const upload = (chosen: File) => {
    const filled = Object.fromEntries(Object.entries(columnValues).filter(([, value]) => value.trim() !== ''));
    start(chosen, { operation, columnValues: filled, ...(operation === 'create-port' && ports) });
    setFile(undefined);
  };
  return (
    <SpaceBetween size="l">
      <UploadsInProgress isIdle={file === undefined} />
      <UnfinishedUploads />
      <FileChooser file={file} problem={problem} onChange={choose} />
      <OperationChooser operation={operation} onChange={setOperation} />
      <Container>
        <ExpandableSection
          headerText={strings.upload.values.title}
          headerDescription={strings.upload.values.description}
        >
          <ColumnValues operation={operation} values={columnValues} onChange={setColumnValues} />
        </ExpandableSection>
      </Container>
      {operation === 'create-port' && <PortOptions settings={ports} onChange={setPorts} />}
      <SpaceBetween direction="horizontal" size="m" alignItems="center">
        <Button
          variant="primary"
          disabled={file === undefined || problem !== undefined}
          disabledReason={problem ?? strings.upload.chooseFirst}
          onClick={() => file && upload(file)}
        >
          {strings.upload.start}
        </Button>
        <Box color="text-body-secondary">{strings.upload.nothingIsSent}</Box>
      </SpaceBetween>
    </SpaceBetween>
  );
}

/** What is wrong with the file and what to do; undefined where it can be uploaded. */
function checkFile({ name, size }: File, maxBytes: number): string | undefined {
  const { problems } = strings.upload;
  if (size === 0) return problems.empty(name);
  if (size > maxBytes) return problems.tooLarge(formatBytes(size), formatBytes(maxBytes));
  if (!/\.[^.]+$/.test(name)) return problems.noExtension(name);
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (['xls', 'ods', 'numbers', 'xlsb'].includes(extension)) return problems.otherSpreadsheet(extension);
  if (['zip', 'gz', 'pdf', 'docx', 'doc', 'png', 'jpg', 'jpeg'].includes(extension)) return problems.noTable(extension);
  return undefined;
}
