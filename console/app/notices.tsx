// Short notices above every screen: what was done, or why it was not.
import type { FlashbarProps } from '@cloudscape-design/components/flashbar';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from 'react';
import { Problem } from '../api/errors.ts';
import { ProblemText } from '../components/problem-text.tsx';
import { strings } from '../strings.ts';

export interface Notice {
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
  isConflict(error) ? strings.conflict.title(header) : header;

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
        dismissLabel: strings.notices.dismiss,
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
