// The heading of a screen and its content. The heading is also the title of the browser tab.
import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { strings } from '../strings.ts';

interface Props {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  /** The screens above this one. */
  readonly above?: readonly { readonly text: string; readonly href: string }[];
  readonly children: ReactNode;
}

/** The first screen after the page was loaded leaves the focus where the browser has it. */
let isFirst = true;

export function Screen({ title, description, actions, above, children }: Props) {
  const heading = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  useFocusBeyondRemoval(heading);
  useEffect(() => {
    document.title = strings.title(title);
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
  <Screen title={title} above={[{ text: strings.imports.title, href: '#/' }]}>
    <p>{text}</p>
  </Screen>
);
