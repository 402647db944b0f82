// Who is signed in, and where. Every screen below it may use both.
import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Spinner from '@cloudscape-design/components/spinner';
import { createContext, type ReactNode, useContext } from 'react';
import type { Role } from '#shared/api/route-table.ts';
import { ApiUnavailable, isProblem } from '../api/errors.ts';
import { useRead } from '../api/queries.ts';
import type { Answer } from '../api/types.ts';
import { strings } from '../strings.ts';

export interface Session {
  readonly me: Answer<'getMe'>;
  readonly environment: Answer<'getEnvironment'>;
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

export function SessionGate({ children }: { readonly children: ReactNode }) {
  const me = useRead('getMe', {});
  const environment = useRead('getEnvironment', {}, { everyMs: 30_000 });
  const error = me.error ?? environment.error;
  if (me.data && environment.data && !isProblem(error, 'not-signed-in')) {
    return <SessionContext value={{ me: me.data, environment: environment.data }}>{children}</SessionContext>;
  }
  return (
    <main className="centred">
      <div>{error ? <SessionProblem error={error} /> : <Loading />}</div>
    </main>
  );
}

const Loading = () => (
  <Box textAlign="center">
    <Spinner size="large" />
    <Box padding={{ top: 's' }}>{strings.session.loading}</Box>
  </Box>
);

function SessionProblem({ error }: { readonly error: Error }) {
  const { signedOut, unavailable, failed } = strings.session;
  if (isProblem(error, 'not-signed-in')) {
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
