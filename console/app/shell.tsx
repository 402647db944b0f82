// The frame of every screen: environment, top bar, navigation, notices, and the screen of the address.

import AppLayout from '@cloudscape-design/components/app-layout';
import Badge from '@cloudscape-design/components/badge';
import Button from '@cloudscape-design/components/button';
import Flashbar, { type FlashbarProps } from '@cloudscape-design/components/flashbar';
import SideNavigation, { type SideNavigationProps } from '@cloudscape-design/components/side-navigation';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { count } from '#shared/text/wording.ts';
import { ApiUnavailable, isProblem } from '../api/errors.ts';
import { useEvents, useRead } from '../api/queries.ts';
import type { Answer } from '../api/types.ts';
import type { Provider } from '../auth/provider.ts';
import { startSignIn } from '../auth/sign-in.ts';
import { strings } from '../strings.ts';
import { formatTime } from '../text/format.ts';
import { useBrowserNotifications, useNotifyOfChanges } from './browser-notifications.ts';
import { EnvironmentBanner } from './environment-banner.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { useNotices } from './notices.tsx';
import { Screens } from './screens.tsx';
import { useMay, useSession } from './session.tsx';
import { TopBar } from './top-bar.tsx';
import { useUploadNotices } from './upload-notices.tsx';

const isWide = () => matchMedia('(min-width: 1000px)').matches;

export function Shell() {
  const [location] = useLocation();
  const notifications = useBrowserNotifications();
  const events = useEvents({ inBackground: notifications.isOn });
  useNotifyOfChanges(events.data, notifications);
  const notices = useNotices();
  const outages = useOutageNotices(events);
  const uploads = useUploadNotices();
  const [isNavigationOpen, setNavigationOpen] = useState(isWide);

  // biome-ignore lint/correctness/useExhaustiveDependencies: on every other screen
  useEffect(() => {
    notices.leaveScreen();
    if (!isWide()) setNavigationOpen(false);
    scrollTo(0, 0);
  }, [location]);

  return (
    <>
      <button type="button" className="skip-link" onClick={() => document.getElementById('main')?.focus()}>
        {strings.shell.skip}
      </button>
      <div id="header">
        <EnvironmentBanner />
        <TopBar notifications={notifications} />
      </div>
      <AppLayout
        headerSelector="#header"
        navigationOpen={isNavigationOpen}
        onNavigationChange={({ detail }) => setNavigationOpen(detail.open)}
        navigation={<Navigation />}
        navigationWidth={240}
        toolsHide
        ariaLabels={strings.shell.layout}
        notifications={<Flashbar stackItems={false} items={[...outages, ...uploads, ...notices.items]} />}
        content={
          <div id="main" tabIndex={-1}>
            <ErrorBoundary resetKey={location}>
              <Screens />
            </ErrorBoundary>
          </div>
        }
      />
    </>
  );
}

function Navigation() {
  // As the screen lists them.
  const { data: list } = useRead('listActions', {});
  const actions = list?.actions.length ?? 0;
  const [location] = useLocation();
  const { environment } = useSession();
  const mayUpload = useMay('uploader');
  const mayControl = useMay('operator');
  const { navigation } = strings;
  const items: SideNavigationProps.Item[] = [
    { type: 'link', text: navigation.imports, href: '#/' },
    ...(mayUpload ? [{ type: 'link', text: navigation.upload, href: '#/upload' } as const] : []),
    {
      type: 'link',
      text: navigation.actions,
      href: '#/actions',
      ...(actions > 0 ? { info: <Badge color="severity-medium">{count(actions)}</Badge> } : {}),
    },
    { type: 'link', text: navigation.number, href: '#/numbers' },
    { type: 'link', text: navigation.ports, href: '#/ports' },
    ...(environment.kind === 'local' && environment.simulated && mayControl
      ? [{ type: 'divider' } as const, { type: 'link', text: navigation.simulator, href: '#/simulator' } as const]
      : []),
  ];
  return <SideNavigation activeHref={activeHref(location)} items={items} />;
}

/** The page of an import belongs to the list of imports. */
function activeHref(location: string): string {
  const [, first = ''] = location.split('/');
  return first === '' || first === 'imports' ? '#/' : `#/${first}`;
}

const SignInButton = ({ provider }: { readonly provider: Provider }) => (
  <Button onClick={() => void startSignIn(provider)}>{strings.signIn.button}</Button>
);

export function useOutageNotices({
  data,
  error,
  dataUpdatedAt,
}: UseQueryResult<Answer<'getEvents'>>): FlashbarProps.MessageDefinition[] {
  const { environment, provider } = useSession();
  const { zone } = environment;
  const { unavailable, serviceOutage, expired } = strings.connection;
  const notices: FlashbarProps.MessageDefinition[] = [];
  if (error instanceof ApiUnavailable) {
    const shown = dataUpdatedAt === 0 ? undefined : formatTime(new Date(dataUpdatedAt).toISOString(), zone);
    notices.push({
      id: 'api',
      type: 'warning',
      loading: true,
      ariaRole: 'alert',
      header: unavailable.title,
      content: unavailable.text(shown),
    });
  } else if (isProblem(error, 'not-signed-in')) {
    notices.push({
      id: 'session',
      type: 'error',
      ariaRole: 'alert',
      header: expired.title,
      content: provider ? expired.text : expired.localText,
      ...(provider ? { action: <SignInButton provider={provider} /> } : {}),
    });
  }
  if (data?.outage) {
    const [since, next] = [formatTime(data.outage.since, zone), formatTime(data.outage.nextAttemptAt, zone)];
    notices.push({
      id: 'service',
      type: 'warning',
      ariaRole: 'status',
      header: serviceOutage.title(since),
      content: serviceOutage.text(data.outage.reason, next),
    });
  }
  return notices;
}
