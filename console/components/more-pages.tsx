// The next page of a list: read when a person asks for it, or when the end of the list comes into view. A list that
// cannot be read on says so, and is read on when the person, or the next read of it, tries again.
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useEffect, useRef } from 'react';
import { describeError } from '../app/notices.tsx';
import { LoadingLine } from './screen.tsx';

interface Pages {
  readonly data: { readonly pages: readonly unknown[] } | undefined;
  /** Of the last read, whichever page that was of. */
  readonly error: Error | null;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => unknown;
}

interface ButtonProps {
  readonly read: Pages;
  readonly text: string;
}

/** Below a table. */
export function MoreButton({ read, text }: ButtonProps) {
  const { error, isFetchingNextPage, fetchNextPage } = read;
  return (
    <SpaceBetween direction="horizontal" size="xs" alignItems="center">
      <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {text}
      </Button>
      {error !== null && (
        <span role="alert">
          <StatusIndicator type="error">{describeError(error)}</StatusIndicator>
        </span>
      )}
    </SpaceBetween>
  );
}

interface ScrollProps {
  readonly read: Pages;
  /** The heading where the next page cannot be read. */
  readonly failed: string;
}

/** Below a list of cards. */
export function MoreOnScroll({ read, failed }: ScrollProps) {
  const { data, error, isFetchingNextPage, fetchNextPage } = read;
  const readNext = () => void fetchNextPage();
  if (error === null) return <EndOfList key={data?.pages.length} onReached={readNext} />;
  const action = (
    <Button loading={isFetchingNextPage} onClick={readNext}>
      Try again
    </Button>
  );
  return (
    <Alert type="error" header={failed} action={action}>
      {describeError(error)}
    </Alert>
  );
}

/** How far below the window the end may be: a screen of cards is read ahead. */
const readAhead = '1000px';

function EndOfList({ onReached }: { readonly onReached: () => void }) {
  const end = useRef<HTMLDivElement>(null);
  const reached = useRef(onReached);
  reached.current = onReached;
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && reached.current(), {
      rootMargin: readAhead,
    });
    if (end.current) observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={end}>
      <LoadingLine />
    </div>
  );
}
