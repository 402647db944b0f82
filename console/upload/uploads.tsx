// The uploads of this page. They continue while other screens are open: the screens only show them.
import { createContext, type ReactNode, useContext, useMemo, useRef, useState } from 'react';
import { type Answer, ApiUnavailable, isProblem, isTemporary } from '../api/answers.ts';
import { call } from '../api/call.ts';
import {
  forgetUpload,
  rememberedUpload,
  rememberUpload,
  type UploadSettings,
  useLeaveWarning,
} from '../app/kept-work.ts';
import { describeError } from '../app/notices.tsx';

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
  useLeaveWarning({ isUnsaved: uploads.some(isRunning) });

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

interface UploadProgress {
  readonly phase: 'sending' | 'paused' | 'waiting' | 'completing';
  readonly sentBytes: number;
  readonly bytes: number;
}

export const phaseWords: Readonly<Record<UploadProgress['phase'], string>> = {
  sending: 'Uploading. You can pause at any time.',
  paused: 'Paused. The parts that arrived are kept for a day.',
  waiting: 'The connection failed. Trying again every few seconds.',
  completing: 'The file has arrived, and is being read.',
};

interface UploadOptions {
  readonly settings: UploadSettings;
  readonly onProgress: (progress: UploadProgress) => void;
}

const partsAtATime = 3;
/** Where a part takes longer, one is sent at a time: a pause then loses the least. */
const fastPartMs = 4_000;
const retryMs = 2_000;

type StoredUpload = Answer<'getUpload'>;

/**
 * Uploads a file in parts: several at a time, again after a failure, with pause and resume. An upload that a closed
 * page left behind continues when the same file is chosen again.
 */
export class Uploader {
  readonly #file: File;
  readonly #options: UploadOptions;
  readonly #sent = new Map<number, number>();
  #abort = new AbortController();
  #isPaused = false;
  #isWaiting = false;
  #uploadId: string | undefined;

  constructor(file: File, options: UploadOptions) {
    this.#file = file;
    this.#options = options;
  }

  /** Runs until the file has arrived, and returns the id of its import; undefined once it is paused. */
  async run(): Promise<string | undefined> {
    this.#isPaused = false;
    this.#abort = new AbortController();
    try {
      const upload = await this.#begin();
      if (upload.importId !== null) return upload.importId;
      await this.#sendParts(upload);
      this.#report('completing');
      const importId = await this.#complete(upload.uploadId);
      forgetUpload(this.#file);
      return importId;
    } catch (error) {
      if (this.#isPaused) {
        this.#report('paused');
        return undefined;
      }
      this.#abort.abort();
      throw error;
    }
  }

  pause(): void {
    this.#isPaused = true;
    this.#abort.abort();
  }

  async discard(): Promise<void> {
    this.pause();
    forgetUpload(this.#file);
    if (this.#uploadId !== undefined) await call('abortUpload', { path: { uploadId: this.#uploadId } });
  }

  async #begin(): Promise<StoredUpload> {
    const earlier = this.#uploadId ?? rememberedUpload(this.#file, this.#options.settings)?.uploadId;
    const found = earlier === undefined ? undefined : await this.#untilAnswered(() => findUpload(earlier));
    const upload = found ?? (await this.#create());
    this.#uploadId = upload.uploadId;
    this.#sent.clear();
    for (const { part, bytes } of upload.arrived) this.#sent.set(part, bytes);
    this.#report('sending');
    return upload;
  }

  /** Repeats a call that the API declined or did not answer for the moment. */
  async #untilAnswered<Answered>(ask: () => Promise<Answered>): Promise<Answered> {
    for (;;) {
      try {
        const answer = await ask();
        this.#isWaiting = false;
        return answer;
      } catch (error) {
        await this.#waitToRetry(error);
      }
    }
  }

  /** @throws the failure, if it is not temporary */
  async #waitToRetry(error: unknown): Promise<void> {
    if (!isTemporary(error)) throw error;
    this.#isWaiting = true;
    this.#report('waiting');
    await waitFor(retryMs, this.#abort.signal);
  }

  async #create(): Promise<StoredUpload> {
    const { settings } = this.#options;
    const body = { ...settings, fileName: this.#file.name, bytes: this.#file.size };
    const upload = await this.#untilAnswered(() => call('createUpload', { body }));
    rememberUpload(this.#file, settings, upload.uploadId);
    return upload;
  }

  async #sendParts(upload: StoredUpload): Promise<void> {
    const arrived = new Set(upload.arrived.map(({ part }) => part));
    const missing = Array.from({ length: upload.parts }, (_none, index) => index + 1).filter(
      (part) => !arrived.has(part),
    );
    const sendParts = async (most: number) => {
      for (let sent = 0; sent < most; sent += 1) {
        const part = missing.shift();
        if (part === undefined) return;
        await this.#sendPart(upload, part);
      }
    };
    const begunAt = Date.now();
    await sendParts(1);
    const atATime = Date.now() - begunAt < fastPartMs ? partsAtATime : 1;
    await Promise.all(Array.from({ length: atATime }, () => sendParts(Number.POSITIVE_INFINITY)));
  }

  /** Tries until it succeeds: only a person, or an answer of the API, ends an upload. */
  async #sendPart({ uploadId, partBytes }: StoredUpload, part: number): Promise<void> {
    const from = (part - 1) * partBytes;
    const bytes = this.#file.slice(from, from + partBytes);
    const { signal } = this.#abort;
    for (;;) {
      signal.throwIfAborted();
      try {
        const { links } = await call('createUploadLinks', { path: { uploadId }, body: { parts: [part] }, signal });
        const [link] = links;
        if (link === undefined) throw new ApiUnavailable({});
        await putPart(link.url, bytes, { signal, onProgress: (sent) => this.#progress(part, sent) });
        this.#progress(part, bytes.size);
        return;
      } catch (error) {
        if (isTemporary(error)) this.#sent.delete(part);
        await this.#waitToRetry(error);
      }
    }
  }

  /** It may be complete although no answer came. */
  async #complete(uploadId: string): Promise<string> {
    const { signal } = this.#abort;
    for (;;) {
      try {
        return (await call('completeUpload', { path: { uploadId }, signal })).importId;
      } catch (error) {
        await this.#waitToRetry(error);
        const found = await findUpload(uploadId).catch(() => undefined);
        if (typeof found?.importId === 'string') return found.importId;
      }
    }
  }

  #progress(part: number, bytes: number): void {
    this.#isWaiting = false;
    this.#sent.set(part, bytes);
    this.#report('sending');
  }

  #report(phase: UploadProgress['phase']): void {
    const sentBytes = [...this.#sent.values()].reduce((sum, bytes) => sum + bytes, 0);
    const shown = phase === 'sending' && this.#isWaiting ? 'waiting' : phase;
    this.#options.onProgress({ phase: shown, bytes: this.#file.size, sentBytes: Math.min(sentBytes, this.#file.size) });
  }
}

/** undefined: it has expired or was discarded. */
async function findUpload(uploadId: string): Promise<StoredUpload | undefined> {
  try {
    return await call('getUpload', { path: { uploadId } });
  } catch (error) {
    if (isProblem(error, 'not-found') || isProblem(error, 'file-expired')) return undefined;
    throw error;
  }
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise.finally(() => clearTimeout(timer));
}

/** A connection without progress for this long is broken. */
const stalledMs = 60_000;

/** @throws ApiUnavailable when the part has to be sent again, AbortError when `signal` stopped it */
function putPart(
  url: string,
  part: Blob,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (bytes: number) => void },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = new XMLHttpRequest();
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  const watch = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => request.abort(), stalledMs);
  };
  const stop = () => request.abort();
  signal.addEventListener('abort', stop, { once: true });
  request.upload.onprogress = ({ loaded }) => {
    watch();
    onProgress(loaded);
  };
  request.onload = () => {
    if (request.status >= 200 && request.status < 300) resolve();
    else reject(new ApiUnavailable({ status: request.status }));
  };
  request.onerror = () => reject(new ApiUnavailable({}));
  request.onabort = () => reject(signal.aborted ? signal.reason : new ApiUnavailable({}));
  request.open('PUT', url);
  watch();
  request.send(part);
  return promise.finally(() => {
    clearTimeout(watchdog);
    signal.removeEventListener('abort', stop);
  });
}
