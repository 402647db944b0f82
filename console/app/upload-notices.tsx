// The indicator of uploads above every other screen than that of uploads, which shows them itself.
import Button from '@cloudscape-design/components/button';
import type { FlashbarProps } from '@cloudscape-design/components/flashbar';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { strings } from '../strings.ts';
import { formatBytes } from '../text/format.ts';
import { isRunning, type Upload, useUploads } from '../upload/uploads.tsx';

export function useUploadNotices(): FlashbarProps.MessageDefinition[] {
  const [location, navigate] = useLocation();
  const { uploads, pause, resume, dismiss } = useUploads();
  const opened = uploads.find(({ importId }) => importId !== undefined && location.startsWith(`/imports/${importId}`));
  useEffect(() => {
    if (opened) dismiss(opened.id);
  }, [opened, dismiss]);
  if (location === '/upload') return [];
  const texts = strings.upload;
  return uploads.map((upload): FlashbarProps.MessageDefinition => {
    const { id, file, progress, error, importId } = upload;
    const common = { id: `upload-${id}`, ariaRole: 'status' as const };
    if (isRunning(upload) || progress.phase === 'paused') {
      const isPaused = progress.phase === 'paused';
      const toggle = () => (isPaused ? resume(id) : pause(id));
      return {
        ...common,
        content: <Progress upload={upload} />,
        action: <PauseButton progress={progress} toggle={toggle} />,
        ...(isPaused ? { type: 'info' } : { type: 'in-progress', loading: true }),
      };
    }
    const ended = { ...common, dismissible: true, dismissLabel: strings.notices.dismiss, onDismiss: () => dismiss(id) };
    if (importId === undefined) return { ...ended, type: 'error', header: texts.failedFile(file.name), content: error };
    const show = () => {
      dismiss(id);
      navigate(`/imports/${importId}`);
    };
    return { ...ended, type: 'success', header: texts.done(file.name), buttonText: texts.show, onButtonClick: show };
  });
}

function Progress({ upload: { file, progress } }: { readonly upload: Upload }) {
  const { phase, sentBytes, bytes } = progress;
  const { running, phases, sent } = strings.upload;
  return (
    <ProgressBar
      variant="flash"
      value={Math.floor((sentBytes / bytes) * 100)}
      label={running(file.name)}
      description={phases[phase]}
      additionalInfo={sent(formatBytes(sentBytes), formatBytes(bytes))}
    />
  );
}

function PauseButton({ progress: { phase }, toggle }: Pick<Upload, 'progress'> & { readonly toggle: () => void }) {
  const { pause, resume } = strings.upload.buttons;
  return (
    <Button disabled={phase === 'completing'} onClick={toggle}>
      {phase === 'paused' ? resume : pause}
    </Button>
  );
}
