// The heading of a screen and its content. The heading is also the title of the browser tab.
import BreadcrumbGroup from '@cloudscape-design/components/breadcrumb-group';
import ContentLayout from '@cloudscape-design/components/content-layout';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { type ReactNode, useEffect } from 'react';
import { strings } from '../strings.ts';

interface Props {
  readonly title: string;
  readonly description?: ReactNode;
  readonly actions?: ReactNode;
  /** The screens above this one. */
  readonly above?: readonly { readonly text: string; readonly href: string }[];
  readonly children: ReactNode;
}

export function Screen({ title, description, actions, above, children }: Props) {
  useEffect(() => {
    document.title = strings.title(title);
  }, [title]);
  return (
    <ContentLayout
      breadcrumbs={above && <BreadcrumbGroup items={[...above, { text: title, href: '#' }]} />}
      header={
        <Header variant="h1" description={description} actions={actions}>
          {title}
        </Header>
      }
    >
      <SpaceBetween size="l">{children}</SpaceBetween>
    </ContentLayout>
  );
}
