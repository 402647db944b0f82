// The frame of every screen: environment, top bar, navigation, notices, and the screen of the address.
import AppLayout from '@cloudscape-design/components/app-layout';
import Flashbar from '@cloudscape-design/components/flashbar';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useEvents } from '../api/queries.ts';
import { strings } from '../strings.ts';
import { useOutageNotices } from './connection.tsx';
import { EnvironmentBanner } from './environment-banner.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Navigation } from './navigation.tsx';
import { useNotices } from './notices.tsx';
import { Screens } from './screens.tsx';
import { TopBar } from './top-bar.tsx';

const isWide = () => matchMedia('(min-width: 1000px)').matches;

export function Shell() {
  const [location] = useLocation();
  const events = useEvents();
  const notices = useNotices();
  const outages = useOutageNotices(events);
  const [isNavigationOpen, setNavigationOpen] = useState(isWide);

  // biome-ignore lint/correctness/useExhaustiveDependencies: on every other screen
  useEffect(() => {
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
        <TopBar />
      </div>
      <AppLayout
        headerSelector="#header"
        navigationOpen={isNavigationOpen}
        onNavigationChange={({ detail }) => setNavigationOpen(detail.open)}
        navigation={<Navigation actionRequired={events.data?.actionRequired ?? 0} />}
        navigationWidth={240}
        toolsHide
        ariaLabels={strings.shell.layout}
        notifications={<Flashbar stackItems={false} items={[...outages, ...notices.items]} />}
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
