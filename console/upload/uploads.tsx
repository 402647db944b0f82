// The uploads of this page. They continue while other screens are open: the screens only show them.
import { createContext, type ReactNode, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { describeError } from '../components/problem-text.tsx';
import type { UploadSettings } from './remembered-uploads.ts';
import { Uploader, type UploadProgress } from './uploader.ts';

export interface Upload {
  readonly id: number;
  readonly file: File;
  readonly progress: UploadProgress;
  /** Why it ended without an import. */
  readonly error: string | undefined;
  /** Set once the file has arrived. */
  readonly importId: string | undefined;
}

interface Uploads {
  readonly uploads: readonly Upload[];
  readonly start: (file: File, settings: UploadSettings) => void;
  readonly pause: (id: number) => void;
  readonly resume: (id: number) => void;
  readonly discard: (id: number) => void;
  /** Forgets one that has ended. */
  readonly dismiss: (id: number) => void;
}

const UploadsContext = createContext<Uploads | undefined>(undefined);

export function useUploads(): Uploads {
  const uploads = useContext(UploadsContext);
  if (uploads === undefined) throw new Error('useUploads is used outside of UploadsProvider');
  return uploads;
}

const hasEnded = ({ error, importId }: Upload): boolean => error !== undefined || importId !== undefined;

export const isRunning = (upload: Upload): boolean => !hasEnded(upload) && upload.progress.phase !== 'paused';

export function UploadsProvider({ children }: { readonly children: ReactNode }) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const uploaders = useRef(new Map<number, Uploader>());
  const lastId = useRef(0);
  const isAnyRunning = uploads.some(isRunning);

  useEffect(() => {
    if (!isAnyRunning) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isAnyRunning]);

  const controls = useMemo(() => {
    const change = (id: number, changes: Partial<Upload>) =>
      setUploads((all) => all.map((upload) => (upload.id === id ? { ...upload, ...changes } : upload)));
    const dismiss = (id: number) => {
      uploaders.current.delete(id);
      setUploads((all) => all.filter((upload) => upload.id !== id));
    };
    const run = async (id: number) => {
      try {
        const importId = await uploaders.current.get(id)?.run();
        if (importId !== undefined) change(id, { importId });
      } catch (cause) {
        change(id, { error: describeError(cause) });
      }
    };
    return {
      start: (file: File, settings: UploadSettings) => {
        lastId.current += 1;
        const id = lastId.current;
        const onProgress = (progress: UploadProgress) => change(id, { progress });
        uploaders.current.set(id, new Uploader(file, { settings, onProgress }));
        const progress = { phase: 'sending', sentBytes: 0, bytes: file.size } as const;
        setUploads((all) => [
          ...all.filter((upload) => !hasEnded(upload)),
          { id, file, progress, error: undefined, importId: undefined },
        ]);
        void run(id);
      },
      pause: (id: number) => uploaders.current.get(id)?.pause(),
      resume: (id: number) => void run(id),
      discard: (id: number) => {
        // What is not discarded there expires within a day.
        uploaders.current
          .get(id)
          ?.discard()
          .catch(() => undefined);
        dismiss(id);
      },
      dismiss,
    };
  }, []);
  return <UploadsContext value={{ uploads, ...controls }}>{children}</UploadsContext>;
}
