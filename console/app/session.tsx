// Who is signed in, and where. Every screen below it may use both.
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Spinner from '@cloudscape-design/components/spinner';
import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import type { Role } from '#shared/api/agreed-names.ts';
import { ApiUnavailable, isProblem } from '../api/errors.ts';
import { useRead } from '../api/queries.ts';
import type { Answer } from '../api/types.ts';
import type { Provider } from '../auth/provider.ts';
import { openSignIn, type SignIn, startSignIn } from '../auth/sign-in.ts';
import { strings } from '../strings.ts';

export interface Session {
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
          {strings.product}
        </Box>
        {error ? <SessionProblem error={error} signIn={opened.data} /> : <Loading />}
      </SpaceBetween>
    </main>
  );
}

const Loading = () => (
  <Box textAlign="center">
    <Spinner size="large" />
    <Box padding={{ top: 's' }}>{strings.session.loading}</Box>
  </Box>
);

interface SessionProblemProps {
  readonly error: Error;
  readonly signIn: SignIn | undefined;
}

function SessionProblem({ error, signIn }: SessionProblemProps) {
  const { signedOut, unavailable, failed } = strings.session;
  if (isProblem(error, 'not-signed-in')) {
    if (signIn?.provider) return <SignedOut provider={signIn.provider} failure={signIn.failure} />;
    return (
      <Alert type="info" header={signedOut.title}>
        {signedOut.text}
      </Alert>
    );
  }
  if (error instanceof ApiUnavailable) {
    return (
      <Alert type="warning" header={unavailable.title}>
        {unavailable.text}
      </Alert>
    );
  }
  return (
    <Alert type="error" header={failed}>
      {error.message}
    </Alert>
  );
}

function SignedOut({ provider, failure }: { readonly provider: Provider; readonly failure: string | undefined }) {
  const { title, text, button, failed, failures, failure: otherFailure } = strings.signIn;
  return (
    <Alert
      type={failure === undefined ? 'info' : 'error'}
      header={failure === undefined ? title : failed}
      action={
        <Button variant="primary" onClick={() => void startSignIn(provider)}>
          {button}
        </Button>
      }
    >
      {failure === undefined ? text : (failures[failure] ?? otherFailure(failure))}
    </Alert>
  );
}
