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
import { checkFile } from './check-file.ts';
import { FileChooser } from './file-chooser.tsx';
import { type Operation, OperationChooser } from './operation-chooser.tsx';
import { SeparatePorts } from './separate-ports.tsx';
import { UploadInProgress } from './upload-in-progress.tsx';
import { useUpload } from './use-upload.ts';

export default function UploadScreen() {
  const { maxFileBytes } = useSession().environment;
  const mayUpload = useMay('uploader');
  const [file, setFile] = useState<File>();
  const [operation, setOperation] = useState<Operation>('create-port');
  const [columnValues, setColumnValues] = useState<Readonly<Record<string, string>>>({});
  const [separateExpiringPacs, setSeparateExpiringPacs] = useState(false);
  const upload = useUpload();
  const problem = file && checkFile(file, maxFileBytes);
  const { title, description, noRole } = strings.upload;
  if (!mayUpload) {
    return (
      <Screen title={title}>
        <Alert type="info" header={noRole.title}>
          {noRole.text}
        </Alert>
      </Screen>
    );
  }
  return (
    <Screen title={title} description={description}>
      {upload.progress !== undefined && file !== undefined ? (
        <UploadInProgress file={file} upload={{ ...upload, progress: upload.progress }} />
      ) : (
        <SpaceBetween size="l">
          <FileChooser file={file} problem={problem} onChange={setFile} />
          <OperationChooser operation={operation} onChange={setOperation} />
          <Container>
            <ExpandableSection
              headerText={strings.upload.values.title}
              headerDescription={strings.upload.values.description}
            >
              <ColumnValues operation={operation} values={columnValues} onChange={setColumnValues} />
            </ExpandableSection>
          </Container>
          {operation === 'create-port' && (
            <SeparatePorts checked={separateExpiringPacs} onChange={setSeparateExpiringPacs} />
          )}
          {upload.error !== undefined && (
            <Alert type="error" header={strings.upload.failed}>
              {upload.error}
            </Alert>
          )}
          <SpaceBetween direction="horizontal" size="m" alignItems="center">
            <Button
              variant="primary"
              disabled={file === undefined || problem !== undefined}
              disabledReason={problem ?? strings.upload.chooseFirst}
              onClick={() => file && upload.start(file, { operation, columnValues, separateExpiringPacs })}
            >
              {strings.upload.start}
            </Button>
            <Box color="text-body-secondary">{strings.upload.nothingIsSent}</Box>
          </SpaceBetween>
        </SpaceBetween>
      )}
    </Screen>
  );
}
