// What to do with the numbers of a file, and a template for such a file.
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { callForFile } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { useNotices } from '../../app/notices.tsx';
import { saveFile } from '../../components/save-file.ts';
import { strings } from '../../strings.ts';
import type { UploadSettings } from '../../upload/remembered-uploads.ts';

export type Operation = UploadSettings['operation'];

interface Props {
  readonly operation: Operation;
  readonly onChange: (operation: Operation) => void;
}

export function OperationChooser({ operation, onChange }: Props) {
  const { data } = useRead('listOperations', {});
  const options = (data?.operations ?? []).map(({ name }) => ({
    value: name,
    label: strings.operations[name].label,
    description: strings.operations[name].description,
  }));
  const chosen = { value: operation, label: strings.operations[operation].label };
  return (
    <Container header={<Header variant="h2">{strings.upload.operation}</Header>}>
      <SpaceBetween size="m">
        <FormField label={strings.upload.operationLabel} description={strings.operations[operation].description}>
          <Select
            selectedOption={chosen}
            options={options}
            filteringType="auto"
            statusType={data === undefined ? 'loading' : 'finished'}
            onChange={({ detail }) => onChange(detail.selectedOption.value as Operation)}
          />
        </FormField>
        <FormField label={strings.upload.template.label}>
          <Templates operation={operation} />
        </FormField>
      </SpaceBetween>
    </Container>
  );
}

function Templates({ operation }: { readonly operation: Operation }) {
  const [running, setRunning] = useState<'xlsx' | 'csv'>();
  const { notifyError } = useNotices();
  const texts = strings.upload.template;
  const download = async (format: 'xlsx' | 'csv') => {
    setRunning(format);
    try {
      saveFile(await callForFile('getTemplate', { path: { operation }, query: { format } }), `${operation}.${format}`);
    } catch (error) {
      notifyError(texts.failed, error);
    } finally {
      setRunning(undefined);
    }
  };
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {(['xlsx', 'csv'] as const).map((format) => (
        <Button key={format} iconName="download" loading={running === format} onClick={() => void download(format)}>
          {texts[format]}
        </Button>
      ))}
    </SpaceBetween>
  );
}
