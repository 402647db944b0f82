// Short notices above every screen: what was done, or why it was not.
import type { FlashbarProps } from '@cloudscape-design/components/flashbar';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { Problem } from '../api/answers.ts';
import { states } from '../text/words.ts';

interface Notice {
  readonly type: 'success' | 'info' | 'warning' | 'error';
  readonly header: string;
  readonly text?: ReactNode;
}

interface Notices {
  readonly items: readonly FlashbarProps.MessageDefinition[];
  readonly notify: (notice: Notice) => void;
  readonly notifyError: (header: string, error: unknown) => void;
  /** Another screen is opened: what failed on the one before is not shown there. */
  readonly leaveScreen: () => void;
}

const NoticesContext = createContext<Notices | undefined>(undefined);

export function useNotices(): Notices {
  const notices = useContext(NoticesContext);
  if (notices === undefined) throw new Error('useNotices is used outside of NoticesProvider');
  return notices;
}

const mostNotices = 4;
/** Long enough to be read aloud. */
const successMs = 10_000;
/** A command makes its notice and opens the next screen at once. */
const navigationMs = 1_000;
let lastId = 0;

interface ShownNotice extends FlashbarProps.MessageDefinition {
  readonly madeAt: number;
}

const isConflict = (error: unknown): boolean => error instanceof Problem && error.status === 409;

export const titleOfFailure = (header: string, error: unknown): string =>
  isConflict(error) ? `${header}: another person changed it` : header;

export function NoticesProvider({ children }: { readonly children: ReactNode }) {
  const [items, setItems] = useState<readonly ShownNotice[]>([]);
  const dismiss = useCallback((id: string) => setItems((shown) => shown.filter((item) => item.id !== id)), []);
  const notify = useCallback(
    ({ type, header, text }: Notice) => {
      lastId += 1;
      const id = `notice-${lastId}`;
      const item: ShownNotice = {
        madeAt: Date.now(),
        id,
        type,
        header,
        content: text,
        dismissible: true,
        dismissLabel: 'Close this notice',
        onDismiss: () => dismiss(id),
        ...(type === 'error' ? { ariaRole: 'alert' as const } : { ariaRole: 'status' as const }),
      };
      if (type === 'success') setTimeout(() => dismiss(id), successMs);
      setItems((shown) => [item, ...shown.filter((other) => other.header !== header)].slice(0, mostNotices));
    },
    [dismiss],
  );
  const notices = useMemo<Notices>(
    () => ({
      items,
      notify,
      notifyError: (header, error) => {
        const title = titleOfFailure(header, error);
        notify({ type: isConflict(error) ? 'warning' : 'error', header: title, text: <ProblemText error={error} /> });
      },
      leaveScreen: () => setItems((shown) => shown.filter(({ madeAt }) => Date.now() - madeAt < navigationMs)),
    }),
    [items, notify],
  );
  return <NoticesContext value={notices}>{children}</NoticesContext>;
}

export const describeError = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : 'The reason is unknown. Try again.';

/** Why the API declined something. A conflict lists what another person changed in the meantime. */
export function ProblemText({ error }: { readonly error: unknown }) {
  const changed = error instanceof Problem ? Object.entries(error.changed) : [];
  if (changed.length === 0) return describeError(error);
  return (
    <>
      {describeError(error)}
      <ul className="changes">
        {changed.map(([name, value]) => (
          <li key={name}>{`${name} is now: ${describeValue(value)}`}</li>
        ))}
      </ul>
    </>
  );
}

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (typeof value !== 'string') return JSON.stringify(value);
  return (states as Readonly<Record<string, string>>)[value] ?? value;
}
