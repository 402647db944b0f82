// The uploads that are under way, and those that an earlier page left behind.
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { call } from '../../api/call.ts';
import { forgetUploadId, type RememberedUpload, rememberedUploads } from '../../app/kept-work.ts';
import { formatBytes } from '../../text/format.ts';
import { phaseWords, type Upload, useUploads } from '../../upload/uploads.tsx';

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
        header={`${upload.file.name} was not uploaded`}
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
  const isEnding = phase === 'completing';
  return (
    <Container>
      <SpaceBetween size="m">
        <ProgressBar
          value={Math.floor((sentBytes / bytes) * 100)}
          label={file.name}
          description={`${phaseWords[phase]} Uploads continue while you open other screens.`}
          additionalInfo={`${formatBytes(sentBytes)} of ${formatBytes(bytes)}`}
        />
        <SpaceBetween direction="horizontal" size="xs">
          {phase === 'paused' ? (
            <Button variant="primary" onClick={() => resume(id)}>
              Continue
            </Button>
          ) : (
            <Button disabled={isEnding} onClick={() => pause(id)}>
              Pause
            </Button>
          )}
          <Button disabled={isEnding} onClick={() => discard(id)}>
            Discard
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
      header={`${name} was not uploaded completely`}
      action={<Button onClick={() => discard(uploadId)}>Discard this upload</Button>}
    >
      Choose the same file again: only the parts that have not arrived are sent.
    </Alert>
  ));
}
