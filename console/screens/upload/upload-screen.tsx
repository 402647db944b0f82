// Upload a file: choose it, complete what it lacks, send it. Nothing reaches the service before an approval.
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Checkbox from '@cloudscape-design/components/checkbox';
import Container from '@cloudscape-design/components/container';
import ExpandableSection from '@cloudscape-design/components/expandable-section';
import FileDropzone, { useFilesDragging } from '@cloudscape-design/components/file-dropzone';
import FileInput from '@cloudscape-design/components/file-input';
import FileTokenGroup from '@cloudscape-design/components/file-token-group';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Icon from '@cloudscape-design/components/icon';
import Input from '@cloudscape-design/components/input';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { callForFile } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { rememberedUpload, type UploadSettings } from '../../app/kept-work.ts';
import { useNotices } from '../../app/notices.tsx';
import { useMay, useSession } from '../../app/session.tsx';
import { ColumnValues, withoutEmpty } from '../../components/column-values.tsx';
import { saveFile } from '../../components/download.ts';
import { Screen } from '../../components/screen.tsx';
import { formatBytes, formatInstant } from '../../text/format.ts';
import { operations } from '../../text/words.ts';
import { useUploads } from '../../upload/uploads.tsx';
import { UnfinishedUploads, UploadsInProgress } from './uploads-in-progress.tsx';

export default function UploadScreen() {
  const mayUpload = useMay('uploader');
  return (
    <Screen
      title="Upload a file"
      description={
        mayUpload
          ? 'simporter reads the file, checks every number and shows a plan. You approve it before anything is sent.'
          : undefined
      }
      actions={<Button href="#/saved">Saved settings</Button>}
    >
      {mayUpload ? (
        <UploadForm />
      ) : (
        <Alert type="info" header="You may read imports, but not upload files">
          Ask an administrator for the role "uploader".
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
    start(chosen, { operation, columnValues: withoutEmpty(columnValues), ...(operation === 'create-port' && ports) });
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
          headerText="Same value for all rows"
          headerDescription="For columns that the file does not have, such as the network or the tariff"
        >
          <ColumnValues operation={operation} values={columnValues} onChange={setColumnValues} />
        </ExpandableSection>
      </Container>
      {operation === 'create-port' && <PortOptions settings={ports} onChange={setPorts} />}
      <SpaceBetween direction="horizontal" size="m" alignItems="center">
        <Button
          variant="primary"
          disabled={file === undefined || problem !== undefined}
          disabledReason={problem ?? 'Choose a file first'}
          onClick={() => file && upload(file)}
        >
          Upload and check
        </Button>
        <Box color="text-body-secondary">Nothing is sent to a network before you approve the plan.</Box>
      </SpaceBetween>
    </SpaceBetween>
  );
}

/** What is wrong with the file and what to do; undefined where it can be uploaded. */
function checkFile({ name, size }: File, maxBytes: number): string | undefined {
  if (size === 0) return `"${name}" is empty. Choose another file.`;
  if (size > maxBytes)
    return `The file has ${formatBytes(size)}; the most is ${formatBytes(maxBytes)}. Split it into smaller files.`;
  if (!/\.[^.]+$/.test(name)) return `"${name}" has no extension. Save it as .xlsx or .csv.`;
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (['xls', 'ods', 'numbers', 'xlsb'].includes(extension))
    return `A .${extension} file cannot be read. Open it in your spreadsheet program and save it as .xlsx.`;
  if (['zip', 'gz', 'pdf', 'docx', 'doc', 'png', 'jpg', 'jpeg'].includes(extension))
    return `A .${extension} file contains no table. Choose an Excel or CSV file.`;
  return undefined;
}

interface FileProps {
  readonly file: File | undefined;
  readonly problem: string | undefined;
  readonly onChange: (file: File | undefined) => void;
}

const accepted = '.csv,.xlsx,.txt,.tsv,text/csv';

/** Takes one file, by mouse or by keyboard. */
function FileChooser({ file, problem, onChange }: FileProps) {
  const { zone } = useSession().environment;
  const { areFilesDragging } = useFilesDragging();
  const take = (files: readonly File[]) => onChange(files.at(-1));
  return (
    <Container>
      <FormField
        label="File"
        stretch
        errorText={problem}
        constraintText="Excel workbook (.xlsx) or CSV, in any encoding and with any separator."
      >
        <SpaceBetween size="s">
          <FileDropzone onChange={({ detail }) => take(detail.value)}>
            <div className={areFilesDragging ? 'dropzone active' : 'dropzone'}>
              <Icon name="upload" size="big" variant="subtle" />
              <Box fontSize="heading-m" fontWeight="bold">
                {areFilesDragging ? 'Release the file here' : 'Drag an Excel or CSV file here'}
              </Box>
              <FileInput
                value={[]}
                accept={accepted}
                ariaLabel="Choose a file"
                onChange={({ detail }) => take(detail.value)}
              >
                {file === undefined ? 'Choose a file' : 'Choose another file'}
              </FileInput>
            </div>
          </FileDropzone>
          {file !== undefined && (
            <FileTokenGroup
              items={[{ file, ...(problem === undefined ? {} : { errorText: problem }) }]}
              showFileSize
              showFileLastModified
              onDismiss={() => onChange(undefined)}
              i18nStrings={{
                removeFileAriaLabel: () => 'Remove the file',
                errorIconAriaLabel: 'Error',
                formatFileSize: formatBytes,
                formatFileLastModified: (date) => formatInstant(date.toISOString(), zone),
              }}
            />
          )}
        </SpaceBetween>
      </FormField>
    </Container>
  );
}

type Operation = UploadSettings['operation'];

interface OperationProps {
  readonly operation: Operation;
  readonly onChange: (operation: Operation) => void;
}

/** What to do with the numbers of a file, and a template for such a file. */
function OperationChooser({ operation, onChange }: OperationProps) {
  const { data } = useRead('listOperations', {});
  const options = (data?.operations ?? []).map(({ name }) => ({
    value: name,
    label: operations[name].label,
    description: operations[name].description,
  }));
  const chosen = { value: operation, label: operations[operation].label };
  return (
    <Container header={<Header variant="h2">What to do with the numbers</Header>}>
      <SpaceBetween size="m">
        <FormField label="Operation" description={operations[operation].description}>
          <Select
            selectedOption={chosen}
            options={options}
            filteringType="auto"
            statusType={data === undefined ? 'loading' : 'finished'}
            onChange={({ detail }) => onChange(detail.selectedOption.value as Operation)}
          />
        </FormField>
        <FormField label="Template to fill in">
          <Templates operation={operation} />
        </FormField>
      </SpaceBetween>
    </Container>
  );
}

const formatNames = { xlsx: 'Excel', csv: 'CSV' };

function Templates({ operation }: { readonly operation: Operation }) {
  const [running, setRunning] = useState<'xlsx' | 'csv'>();
  const { notifyError } = useNotices();
  const download = async (format: 'xlsx' | 'csv') => {
    setRunning(format);
    try {
      saveFile(await callForFile('getTemplate', { path: { operation }, query: { format } }), `${operation}.${format}`);
    } catch (error) {
      notifyError('The template was not downloaded', error);
    } finally {
      setRunning(undefined);
    }
  };
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {(['xlsx', 'csv'] as const).map((format) => (
        <Button key={format} iconName="download" loading={running === format} onClick={() => void download(format)}>
          {formatNames[format]}
        </Button>
      ))}
    </SpaceBetween>
  );
}

type PortSettings = Pick<UploadSettings, 'separateExpiringPacs' | 'perDay'>;

interface PortProps {
  readonly settings: PortSettings;
  readonly onChange: (settings: PortSettings) => void;
}

/** How the rows become ports: apart where a PAC expires soon, and how many on one day. */
function PortOptions({ settings, onChange }: PortProps) {
  const changePerDay = (text: string) => {
    const count = Number(text.replace(/\D/g, '').slice(0, 6));
    const { perDay: _, ...others } = settings;
    onChange(count === 0 ? others : { ...others, perDay: count });
  };
  return (
    <Container>
      <SpaceBetween size="m">
        <Checkbox
          checked={settings.separateExpiringPacs === true}
          description='On the connection date or within 3 days after it (column "PAC expiry"). If such a port is late, no other number waits for it.'
          onChange={({ detail }) => onChange({ ...settings, separateExpiringPacs: detail.checked })}
        >
          Separate ports for numbers whose PAC expires soon
        </Checkbox>
        <FormField
          label="Most numbers on one day"
          description='Rows with the date "auto" are spread over the days that can be booked.'
        >
          <Input
            inputMode="numeric"
            placeholder="No limit"
            value={settings.perDay?.toString() ?? ''}
            onChange={({ detail }) => changePerDay(detail.value)}
          />
        </FormField>
      </SpaceBetween>
    </Container>
  );
}
