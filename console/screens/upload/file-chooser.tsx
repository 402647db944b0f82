// Takes one file, by mouse or by keyboard.
import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import FileDropzone, { useFilesDragging } from '@cloudscape-design/components/file-dropzone';
import FileInput from '@cloudscape-design/components/file-input';
import FileTokenGroup from '@cloudscape-design/components/file-token-group';
import FormField from '@cloudscape-design/components/form-field';
import Icon from '@cloudscape-design/components/icon';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useSession } from '../../app/session.tsx';
import { strings } from '../../strings.ts';
import { formatBytes, formatInstant } from '../../text/format.ts';

interface Props {
  readonly file: File | undefined;
  readonly problem: string | undefined;
  readonly onChange: (file: File | undefined) => void;
}

const accepted = '.csv,.xlsx,.txt,.tsv,text/csv';

export function FileChooser({ file, problem, onChange }: Props) {
  const { zone } = useSession().environment;
  const { areFilesDragging } = useFilesDragging();
  const { chooser } = strings.upload;
  const take = (files: readonly File[]) => onChange(files.at(-1));
  return (
    <Container>
      <FormField label={chooser.label} stretch errorText={problem} constraintText={chooser.constraint}>
        <SpaceBetween size="s">
          <FileDropzone onChange={({ detail }) => take(detail.value)}>
            <div className={areFilesDragging ? 'dropzone active' : 'dropzone'}>
              <Icon name="upload" size="big" variant="subtle" />
              <Box fontSize="heading-m" fontWeight="bold">
                {areFilesDragging ? chooser.release : chooser.invitation}
              </Box>
              <FileInput
                value={[]}
                accept={accepted}
                ariaLabel={chooser.button}
                onChange={({ detail }) => take(detail.value)}
              >
                {file === undefined ? chooser.button : chooser.another}
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
                removeFileAriaLabel: () => chooser.remove,
                errorIconAriaLabel: chooser.error,
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
