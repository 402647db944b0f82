// The frame of every screen: environment, top bar, navigation, notices, and the screen of the address.
import AppLayout from '@cloudscape-design/components/app-layout';
import Badge from '@cloudscape-design/components/badge';
import Button from '@cloudscape-design/components/button';
import Flashbar, { type FlashbarProps } from '@cloudscape-design/components/flashbar';
import ProgressBar from '@cloudscape-design/components/progress-bar';
import SideNavigation, { type SideNavigationProps } from '@cloudscape-design/components/side-navigation';
import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { count } from '#shared/text/wording.ts';
import { type Answer, ApiUnavailable, isProblem } from '../api/answers.ts';
import { useEvents, useRead } from '../api/queries.ts';
import type { Provider } from '../auth/provider.ts';
import { startSignIn } from '../auth/sign-in.ts';
import { formatBytes, formatTime } from '../text/format.ts';
import { sessionExpired } from '../text/words.ts';
import { isRunning, phaseWords, type Upload, useUploads } from '../upload/uploads.tsx';
import { ErrorBoundary } from './load-screen.tsx';
import { useNotices } from './notices.tsx';
import { Screens } from './screens.tsx';
import { useScrollPlace } from './scroll-place.ts';
import { useMay, useSession } from './session.tsx';
import { TopBar } from './top-bar.tsx';

const isWide = () => matchMedia('(min-width: 1000px)').matches;

const layout = {
  navigation: 'Main navigation',
  navigationClose: 'Close the navigation',
  navigationToggle: 'Open the navigation',
  notifications: 'Notices',
};

export function Shell() {
  const [location] = useLocation();
  const events = useEvents();
  const notices = useNotices();
  const outages = useOutageNotices(events);
  const uploads = useUploadNotices();
  const [isNavigationOpen, setNavigationOpen] = useState(isWide);

  // biome-ignore lint/correctness/useExhaustiveDependencies: on every other screen
  useEffect(() => {
    notices.leaveScreen();
    if (!isWide()) setNavigationOpen(false);
  }, [location]);
  useScrollPlace(location);

  return (
    <>
      <button type="button" className="skip-link" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <div id="header">
        <EnvironmentBanner />
        <TopBar />
      </div>
      <AppLayout
        headerSelector="#header"
        navigationOpen={isNavigationOpen}
        onNavigationChange={({ detail }) => setNavigationOpen(detail.open)}
        navigation={<Navigation />}
        navigationWidth={240}
        toolsHide
        ariaLabels={layout}
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
  const items: SideNavigationProps.Item[] = [
    { type: 'link', text: 'Imports', href: '#/' },
    ...(mayUpload ? [{ type: 'link', text: 'Upload a file', href: '#/upload' } as const] : []),
    {
      type: 'link',
      text: 'Action required',
      href: '#/actions',
      ...(actions > 0 ? { info: <Badge color="severity-medium">{count(actions)}</Badge> } : {}),
    },
    { type: 'link', text: 'Find a number', href: '#/numbers' },
    { type: 'link', text: 'Ports', href: '#/ports' },
    ...(environment.kind === 'local' && environment.simulated && mayControl
      ? [{ type: 'divider' } as const, { type: 'link', text: 'Simulator', href: '#/simulator' } as const]
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
  <Button onClick={() => void startSignIn(provider)}>Sign in</Button>
);

function useOutageNotices({
  data,
  error,
  dataUpdatedAt,
}: UseQueryResult<Answer<'getEvents'>>): FlashbarProps.MessageDefinition[] {
  const { environment, provider } = useSession();
  const { zone } = environment;
  const notices: FlashbarProps.MessageDefinition[] = [];
  if (error instanceof ApiUnavailable) {
    const shown = dataUpdatedAt === 0 ? undefined : formatTime(new Date(dataUpdatedAt).toISOString(), zone);
    notices.push({
      id: 'api',
      type: 'warning',
      loading: true,
      ariaRole: 'alert',
      header: 'simporter does not answer. Trying again every few seconds',
      content: `${shown === undefined ? '' : `You see the state of ${shown}. `}Imports continue without this page.`,
    });
  } else if (isProblem(error, 'not-signed-in')) {
    notices.push({
      id: 'session',
      type: 'error',
      ariaRole: 'alert',
      header: sessionExpired.title,
      content: provider ? sessionExpired.text : sessionExpired.localText,
      ...(provider ? { action: <SignInButton provider={provider} /> } : {}),
    });
  }
  if (data?.outage) {
    const [since, next] = [formatTime(data.outage.since, zone), formatTime(data.outage.nextAttemptAt, zone)];
    notices.push({
      id: 'service',
      type: 'warning',
      ariaRole: 'status',
      header: `The porting service has been unavailable since ${since}`,
      content: `${data.outage.reason}. Requests wait until it answers again; none is lost. The next attempt is at ${next}.`,
    });
  }
  if (data?.syncFailure) {
    notices.push({
      id: 'sync',
      type: 'warning',
      ariaRole: 'status',
      header: `Sync has failed since ${formatTime(data.syncFailure.since, zone)}: what you see may be old`,
      content: `${data.syncFailure.reason}. Its log has the reason.`,
    });
  }
  return notices;
}

const CalendarControls = lazy(() => import('../screens/simulator/calendar-controls.tsx'));

const times = (zone: string) => `Times of ${zone}`;

/** The environment on every screen, in its colour. A simulator has a red banner with its calendar. */
function EnvironmentBanner() {
  const { name, kind, account, simulated, zone } = useSession().environment;
  const mayControl = useMay('operator');
  if (simulated) {
    return (
      <section className="environment simulator" aria-label="Environment">
        <span className="name">SIMULATOR</span>
        <span className="grow">Nothing reaches a network. {times(zone)}.</span>
        {kind === 'local' && mayControl && (
          <ErrorBoundary failed={null}>
            <Suspense>
              <CalendarControls />
            </Suspense>
          </ErrorBoundary>
        )}
      </section>
    );
  }
  return (
    <section className={`environment ${kind}`} aria-label="Environment">
      <span className="name">{name.toUpperCase()}</span>
      <span className="grow">{`Account ${account}`}</span>
      <span>{times(zone)}</span>
    </section>
  );
}

/** The indicator of uploads above every other screen than that of uploads, which shows them itself. */
function useUploadNotices(): FlashbarProps.MessageDefinition[] {
  const [location, navigate] = useLocation();
  const { uploads, pause, resume, dismiss } = useUploads();
  const opened = uploads.find(({ importId }) => importId !== undefined && location.startsWith(`/imports/${importId}`));
  useEffect(() => {
    if (opened) dismiss(opened.id);
  }, [opened, dismiss]);
  if (location === '/upload') return [];
  return uploads.map((upload): FlashbarProps.MessageDefinition => {
    const { id, file, progress, error, importId } = upload;
    const common = { id: `upload-${id}`, ariaRole: 'status' as const };
    if (isRunning(upload) || progress.phase === 'paused') {
      const isPaused = progress.phase === 'paused';
      const toggle = () => (isPaused ? resume(id) : pause(id));
      return {
        ...common,
        content: <Progress upload={upload} />,
        action: <PauseButton progress={progress} toggle={toggle} />,
        ...(isPaused ? { type: 'info' } : { type: 'in-progress', loading: true }),
      };
    }
    const ended = { ...common, dismissible: true, dismissLabel: 'Close this notice', onDismiss: () => dismiss(id) };
    if (importId === undefined)
      return { ...ended, type: 'error', header: `${file.name} was not uploaded`, content: error };
    const show = () => {
      dismiss(id);
      navigate(`/imports/${importId}`);
    };
    return {
      ...ended,
      type: 'success',
      header: `${file.name} is uploaded`,
      buttonText: 'Show its plan',
      onButtonClick: show,
    };
  });
}

function Progress({ upload: { file, progress } }: { readonly upload: Upload }) {
  const { phase, sentBytes, bytes } = progress;
  return (
    <ProgressBar
      variant="flash"
      value={Math.floor((sentBytes / bytes) * 100)}
      label={`Uploading ${file.name}`}
      description={phaseWords[phase]}
      additionalInfo={`${formatBytes(sentBytes)} of ${formatBytes(bytes)}`}
    />
  );
}

function PauseButton({ progress: { phase }, toggle }: Pick<Upload, 'progress'> & { readonly toggle: () => void }) {
  return (
    <Button disabled={phase === 'completing'} onClick={toggle}>
      {phase === 'paused' ? 'Continue' : 'Pause'}
    </Button>
  );
}
