// The uploads that are under way, and those that an earlier page left behind.
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../api/call.ts';
import { strings } from '../../strings.ts';
import { formatBytes } from '../../text/format.ts';
import { forgetUploadId, type RememberedUpload, rememberedUploads } from '../../upload/remembered-uploads.ts';
import { type Upload, useUploads } from '../../upload/uploads.tsx';

/** @param isIdle the person has chosen no other file meanwhile: the plan is opened as soon as the file has arrived */
export function UploadsInProgress({ isIdle }: { readonly isIdle: boolean }) {
  const { uploads, dismiss } = useUploads();
  const [, navigate] = useLocation();
  const done = uploads.find(({ importId }) => importId !== undefined);
  useEffect(() => {
    if (done?.importId === undefined || !isIdle) return;
    dismiss(done.id);
    navigate(`/imports/${done.importId}`);
  }, [done, isIdle, dismiss, navigate]);
  return uploads.map((upload) =>
    upload.error === undefined ? (
      upload.importId === undefined && <UploadInProgress key={upload.id} upload={upload} />
    ) : (
      <Alert
        key={upload.id}
        type="error"
        header={strings.upload.failedFile(upload.file.name)}
        dismissible
        onDismiss={() => dismiss(upload.id)}
      >
        {upload.error}
      </Alert>
    ),
  );
}

function UploadInProgress({ upload: { id, file, progress } }: { readonly upload: Upload }) {
  const { pause, resume, discard } = useUploads();
  const { phase, sentBytes, bytes } = progress;
  const { phases, buttons, runs } = strings.upload;
  const isEnding = phase === 'completing';
  return (
    <Container>
      <SpaceBetween size="m">
        <ProgressBar
          value={Math.floor((sentBytes / bytes) * 100)}
          label={file.name}
          description={`${phases[phase]} ${runs}`}
          additionalInfo={strings.upload.sent(formatBytes(sentBytes), formatBytes(bytes))}
        />
        <SpaceBetween direction="horizontal" size="xs">
          {phase === 'paused' ? (
            <Button variant="primary" onClick={() => resume(id)}>
              {buttons.resume}
            </Button>
          ) : (
            <Button disabled={isEnding} onClick={() => pause(id)}>
              {buttons.pause}
            </Button>
          )}
          <Button disabled={isEnding} onClick={() => discard(id)}>
            {buttons.discard}
          </Button>
        </SpaceBetween>
      </SpaceBetween>
    </Container>
  );
}

/** Their files must be chosen again: a page cannot open the file of an earlier one. */
export function UnfinishedUploads() {
  const { uploads } = useUploads();
  const [remembered, setRemembered] = useState(rememberedUploads);
  const { unfinished } = strings.upload;
  const isShown = ({ name, size }: RememberedUpload) =>
    !uploads.some(({ file }) => file.name === name && file.size === size);
  const discard = (uploadId: string) => {
    forgetUploadId(uploadId);
    setRemembered(rememberedUploads());
    // What is not discarded there expires within a day.
    call('abortUpload', { path: { uploadId } }).catch(() => undefined);
  };
  return remembered.filter(isShown).map(({ uploadId, name }) => (
    <Alert
      key={uploadId}
      type="info"
      header={unfinished.title(name)}
      action={<Button onClick={() => discard(uploadId)}>{unfinished.discard}</Button>}
    >
      {unfinished.text}
    </Alert>
  ));
}
