// A file on its way: how much has arrived, and pause, resume and discard.
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { strings } from '../../strings.ts';
import { formatBytes } from '../../text/format.ts';
import type { UploadProgress } from '../../upload/uploader.ts';
import type { UploadControls } from './use-upload.ts';

interface Props {
  readonly file: File;
  readonly upload: UploadControls & { readonly progress: UploadProgress };
}

export function UploadInProgress({ file, upload: { progress, pause, resume, discard } }: Props) {
  const { phase, sentBytes, bytes } = progress;
  const { phases, buttons } = strings.upload;
  return (
    <Container>
      <SpaceBetween size="m">
        <ProgressBar
          value={Math.floor((sentBytes / bytes) * 100)}
          label={file.name}
          description={phases[phase]}
          additionalInfo={strings.upload.sent(formatBytes(sentBytes), formatBytes(bytes))}
        />
        <SpaceBetween direction="horizontal" size="xs">
          {phase === 'paused' ? (
            <Button variant="primary" onClick={resume}>
              {buttons.resume}
            </Button>
          ) : (
            <Button disabled={phase === 'completing'} onClick={pause}>
              {buttons.pause}
            </Button>
          )}
          <Button disabled={phase === 'completing'} onClick={discard}>
            {buttons.discard}
          </Button>
        </SpaceBetween>
      </SpaceBetween>
    </Container>
  );
}
