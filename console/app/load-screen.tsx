// Screens that are loaded when they are opened. Where that fails, because there is no connection or simporter was
// updated since the page was opened, the page is reloaded as soon as that helps: a browser keeps a failed file failed.
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { type ComponentType, lazy, useEffect, useState } from 'react';
import { strings } from '../strings.ts';
import { isRunning, useUploads } from '../upload/uploads.tsx';

class ScreenNotLoaded extends Error {}

export const isNotLoaded = (error: Error): boolean => error instanceof ScreenNotLoaded;

// biome-ignore lint/suspicious/noExplicitAny: as React types lazy components
export const loadScreen = <Screen extends ComponentType<any>>(load: () => Promise<{ readonly default: Screen }>) =>
  lazy(() =>
    load().catch((cause: unknown) => {
      throw new ScreenNotLoaded('a file of the screen is missing', { cause });
    }),
  );

const retryMs = 3_000;
/** The last reload of this tab, in epoch milliseconds: a file that stays missing does not reload it without end. */
const reloadedKey = 'simporter.reloaded';
const onceInMs = 60_000;

const wasReloaded = (): boolean => Date.now() - Number(sessionStorage.getItem(reloadedKey) ?? 0) < onceInMs;

function reload(): void {
  sessionStorage.setItem(reloadedKey, String(Date.now()));
  location.reload();
}

async function isReachable(): Promise<boolean> {
  try {
    return (await fetch('/index.html', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

export function NotLoaded() {
  const isUploading = useUploads().uploads.some(isRunning);
  const [hasFailed] = useState(wasReloaded);
  useEffect(() => {
    if (hasFailed || isUploading) return;
    const tryAgain = async () => {
      if (await isReachable()) reload();
    };
    void tryAgain();
    const timer = setInterval(() => void tryAgain(), retryMs);
    return () => clearInterval(timer);
  }, [hasFailed, isUploading]);
  const { title, waits, uploads, failed, reload: label } = strings.notLoaded;
  return (
    <Alert type="warning" header={title} action={<Button onClick={reload}>{label}</Button>}>
      {hasFailed ? failed : isUploading ? uploads : waits}
    </Alert>
  );
}
