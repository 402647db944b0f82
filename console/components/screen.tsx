// A screen: its heading, which is also the title of the browser tab, and its content while it is loaded, missing or
// empty.

import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group';
import Button from '@cloudscape-design/components/button';
import ContentLayout from '@cloudscape-design/components/content-layout';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { ApiUnavailable, isProblem } from '../api/answers.ts';
import { describeError } from '../app/notices.tsx';

interface ScreenProps {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  /** The screens above this one. */
  readonly above?: readonly { readonly text: string; readonly href: string }[];
  readonly children: ReactNode;
}

/** The first screen after the page was loaded leaves the focus where the browser has it. */
let isFirst = true;

export function Screen({ title, description, actions, above, children }: ScreenProps) {
  const heading = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  useFocusBeyondRemoval(heading);
  useEffect(() => {
    document.title = `${title} · simporter`;
  }, [title]);
  return (
    <ContentLayout
      breadcrumbs={above && <BreadcrumbGroup items={[...above, { text: title, href: '#' }]} />}
      header={
        <Header variant="h1" description={description} actions={actions}>
          <span ref={heading} tabIndex={-1} className="screen-title">
            {title}
          </span>
        </Header>
      }
    >
      <SpaceBetween size="l">{children}</SpaceBetween>
    </ContentLayout>
  );
}

/** Where what had the focus is gone, such as the button of a plan that was approved, the heading has it. */
function useFocusBeyondRemoval(heading: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let focused: EventTarget | null = null;
    const remember = ({ target }: FocusEvent) => {
      focused = target;
    };
    const observer = new MutationObserver(() => {
      if (!(focused instanceof Element) || focused.isConnected || document.activeElement !== document.body) return;
      focused = null;
      // A dialog first returns the focus to its button, if that is still there.
      setTimeout(() => document.activeElement === document.body && heading.current?.focus({ preventScroll: true }));
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
    };
  }, [heading]);
}

/** What an address names does not exist. */
export const MissingScreen = ({ title, text }: { readonly title: string; readonly text: string }) => (
  <Screen title={title} above={[{ text: 'Imports', href: '#/' }]}>
    <p>{text}</p>
  </Screen>
);

export const MissingImport = () => (
  <MissingScreen
    title="There is no such import"
    text="It was never uploaded, or has expired. The address may be incomplete."
  />
);

interface LoadedProps<Data> {
  readonly read: UseQueryResult<Data>;
  readonly children: (data: Data) => ReactNode;
  /** Shown where the thing does not exist. */
  readonly missing?: ReactNode;
}

/** What a screen shows before its data is here, and when it cannot be read. */
export function Loaded<Data>({ read, children, missing }: LoadedProps<Data>) {
  if (read.data !== undefined) return <div className="sections">{children(read.data)}</div>;
  if (read.error === null) return <LoadingLine />;
  if (missing !== undefined && isProblem(read.error, 'not-found')) return missing;
  if (read.error instanceof ApiUnavailable) return <LoadingLine text="Waiting for simporter to answer" />;
  return (
    <Alert
      type="error"
      header="This cannot be shown"
      action={<Button onClick={() => void read.refetch()}>Try again</Button>}
    >
      {describeError(read.error)}
    </Alert>
  );
}

export const LoadingLine = ({ text = 'Loading' }: { readonly text?: string }) => (
  <Box textAlign="center" padding="xl" color="text-body-secondary">
    <span role="status">
      <Spinner /> {text}
    </span>
  </Box>
);

interface EmptyProps {
  readonly title: string;
  readonly text: string;
  readonly actions?: ReactNode;
}

/** An empty state: what would be here, and how to begin. */
export const Empty = ({ title, text, actions }: EmptyProps) => (
  <Box textAlign="center" padding={{ vertical: 'xxl', horizontal: 'm' }}>
    <SpaceBetween size="s">
      <Box variant="h2">{title}</Box>
      <Box color="text-body-secondary">{text}</Box>
      {actions !== undefined && (
        <Box padding={{ top: 's' }}>
          <div className="centred-actions">{actions}</div>
        </Box>
      )}
    </SpaceBetween>
  </Box>
);

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
}

/** One of several values, such as a filter. */
export const Choice = <Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) => (
  <FormField label={label}>
    <Select
      selectedOption={options.find((option) => option.value === value) ?? null}
      options={options}
      onChange={({ detail }) => onChange((detail.selectedOption.value ?? '') as Value)}
    />
  </FormField>
);
