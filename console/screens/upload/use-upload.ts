// One upload of this screen: its progress, pause, resume and end.
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { describeError } from '../../components/problem-text.tsx';
import { Uploader, type UploadOptions, type UploadProgress } from '../../upload/uploader.ts';

type Settings = Pick<UploadOptions, 'operation' | 'columnValues' | 'separateExpiringPacs'>;

export interface UploadControls {
  readonly progress: UploadProgress | undefined;
  readonly error: string | undefined;
  readonly start: (file: File, settings: Settings) => void;
  readonly pause: () => void;
  readonly resume: () => void;
  readonly discard: () => void;
}

export function useUpload(): UploadControls {
  const [progress, setProgress] = useState<UploadProgress>();
  const [error, setError] = useState<string>();
  const uploader = useRef<Uploader>(undefined);
  const [, navigate] = useLocation();

  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (progress !== undefined) event.preventDefault();
    };
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [progress]);
  useEffect(() => () => uploader.current?.pause(), []);

  const run = async (current: Uploader) => {
    setError(undefined);
    try {
      const importId = await current.run();
      if (importId !== undefined) navigate(`/imports/${importId}`);
    } catch (cause) {
      setError(describeError(cause));
      setProgress(undefined);
    }
  };
  const start = (file: File, { columnValues, ...settings }: Settings) => {
    const filled = Object.fromEntries(Object.entries(columnValues).filter(([, value]) => value.trim() !== ''));
    uploader.current = new Uploader(file, { ...settings, columnValues: filled, onProgress: setProgress });
    setProgress({ phase: 'sending', sentBytes: 0, bytes: file.size });
    void run(uploader.current);
  };
  const discard = async () => {
    try {
      await uploader.current?.discard();
    } catch (cause) {
      setError(describeError(cause));
    }
    uploader.current = undefined;
    setProgress(undefined);
  };
  return {
    progress,
    error,
    start,
    pause: () => uploader.current?.pause(),
    resume: () => uploader.current && void run(uploader.current),
    discard: () => void discard(),
  };
}
