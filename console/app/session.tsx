// Who is signed in, and where. Every screen below it may use both.
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import type { Role } from '#shared/api/agreed-names.ts';
import { type Answer, ApiUnavailable, isProblem } from '../api/answers.ts';
import { useRead } from '../api/queries.ts';
import type { Provider } from '../auth/provider.ts';
import { openSignIn, type SignIn, startSignIn } from '../auth/sign-in.ts';

interface Session {
  readonly me: Answer<'getMe'>;
  readonly environment: Answer<'getEnvironment'>;
  /** Where people sign in; undefined on one machine. */
  readonly provider: SignIn['provider'];
}

const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('useSession is used outside of SessionGate');
  return session;
}

/** Whether the person may do what needs this role. An operator may do everything, and everyone may read. */
export function useMay(role: Role): boolean {
  const { roles } = useSession().me;
  return role === 'viewer' || roles.includes('operator') || roles.includes(role);
}

export const signInQuery = { queryKey: ['signIn'], queryFn: openSignIn, staleTime: Number.POSITIVE_INFINITY };

export function SessionGate({ children }: { readonly children: ReactNode }) {
  const opened = useQuery(signInQuery);
  const enabled = opened.data !== undefined;
  const me = useRead('getMe', {}, { enabled });
  const environment = useRead('getEnvironment', {}, { enabled, everyMs: 30_000 });
  // After the session has expired, the screens keep what they show: a notice above them says so.
  if (opened.data && me.data && environment.data) {
    const session = { me: me.data, environment: environment.data, provider: opened.data.provider };
    return <SessionContext value={session}>{children}</SessionContext>;
  }
  const error = opened.error ?? me.error ?? environment.error;
  return (
    <main className="centred">
      <SpaceBetween size="l">
        <Box variant="h1" textAlign="center">
          simporter
        </Box>
        {error ? <SessionProblem error={error} signIn={opened.data} /> : <Loading />}
      </SpaceBetween>
    </main>
  );
}

const Loading = () => (
  <Box textAlign="center">
    <Spinner size="large" />
    <Box padding={{ top: 's' }}>Opening simporter</Box>
  </Box>
);

interface SessionProblemProps {
  readonly error: Error;
  readonly signIn: SignIn | undefined;
}

function SessionProblem({ error, signIn }: SessionProblemProps) {
  if (isProblem(error, 'not-signed-in')) {
    if (signIn?.provider) return <SignedOut provider={signIn.provider} failure={signIn.failure} />;
    return (
      <Alert type="info" header="This browser is not signed in">
        Start simporter again on this machine: it opens this page in your browser. Afterwards this address works here
        for as long as the data is kept.
      </Alert>
    );
  }
  if (error instanceof ApiUnavailable) {
    return (
      <Alert type="warning" header="simporter does not answer">
        This page connects as soon as it answers. No reload is needed.
      </Alert>
    );
  }
  return (
    <Alert type="error" header="simporter cannot be opened">
      {error.message}
    </Alert>
  );
}

/** By the answer of the sign-in service. */
const failures: Readonly<Record<string, string>> = {
  access_denied: 'The sign-in was cancelled.',
  invalid_grant: 'The sign-in took too long. Sign in again.',
  invalid_state: 'This tab did not ask for this sign-in. Sign in again.',
};

function SignedOut({ provider, failure }: { readonly provider: Provider; readonly failure: string | undefined }) {
  return (
    <Alert
      type={failure === undefined ? 'info' : 'error'}
      header={failure === undefined ? 'Sign in to simporter' : 'You were not signed in'}
      action={
        <Button variant="primary" onClick={() => void startSignIn(provider)}>
          Sign in
        </Button>
      }
    >
      {failure === undefined
        ? 'Your administrator creates accounts. Afterwards you return to this page.'
        : (failures[failure] ?? `The sign-in service answered: ${failure}`)}
    </Alert>
  );
}

/**
 * The present of the ports: of the simulator's calendar where there is one, which may be ahead of the wall clock.
 * @returns epoch milliseconds
 */
export function useNow(): number {
  const { kind, simulated } = useSession().environment;
  const { data } = useRead('getCalendar', {}, { enabled: kind === 'local' && simulated });
  return data === undefined ? Date.now() : Date.parse(data.now);
}
