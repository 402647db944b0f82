// Sends one part of a file. XMLHttpRequest, because fetch reports no progress of an upload.
import { ApiUnavailable } from '../api/errors.ts';

/** A connection without progress for this long is broken. */
const stalledMs = 60_000;

/** @throws ApiUnavailable when the part has to be sent again, AbortError when `signal` stopped it */
export function putPart(
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
