// Screens that are loaded when they are opened. Where that fails, because there is no connection or simporter was
// updated since the page was opened, the page is reloaded as soon as that helps: a browser keeps a failed file failed.
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import { Component, type ComponentType, lazy, type ReactNode, useEffect, useState } from 'react';
import { isRunning, useUploads } from '../upload/uploads.tsx';

class ScreenNotLoaded extends Error {}

const isNotLoaded = (error: Error): boolean => error instanceof ScreenNotLoaded;

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

function NotLoaded() {
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
  return (
    <Alert type="warning" header="This screen is not loaded yet" action={<Button onClick={reload}>Reload now</Button>}>
      {hasFailed
        ? 'It was reloaded and is still missing. Reload the page in a minute, or ask your administrator whether an update of simporter has ended.'
        : isUploading
          ? 'It can be loaded once the page is reloaded. That happens by itself when your upload has ended.'
          : 'There is no connection to simporter, or it was updated. The screen opens by itself as soon as it can be loaded.'}
    </Alert>
  );
}

interface BoundaryProps {
  readonly children: ReactNode;
  /** Shown instead of the failure: the screen works without the children. */
  readonly failed?: null;
  /** Another key, such as the address, shows the children again. */
  readonly resetKey?: string;
}

/** Shows a failure of the console itself, and how to continue, instead of an empty page. */
export class ErrorBoundary extends Component<BoundaryProps, { readonly error: Error | undefined }> {
  override state: { readonly error: Error | undefined } = { error: undefined };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidUpdate(previous: BoundaryProps) {
    if (previous.resetKey !== this.props.resetKey && this.state.error !== undefined)
      this.setState({ error: undefined });
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    if (this.props.failed === null) return null;
    if (isNotLoaded(error)) return <NotLoaded />;
    return (
      <Alert type="error" header="This page failed" action={<Button onClick={() => location.reload()}>Reload</Button>}>
        {`Your imports are not affected. Reload the page to continue. (${error.message})`}
      </Alert>
    );
  }
}
