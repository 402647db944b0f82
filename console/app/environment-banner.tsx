// The environment on every screen, in its colour. A simulator has a red banner with its calendar.
import { lazy, Suspense } from 'react';
import { strings } from '../strings.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { useMay, useSession } from './session.tsx';

const CalendarControls = lazy(() => import('../screens/simulator/calendar-controls.tsx'));

export function EnvironmentBanner() {
  const { name, kind, account, simulated } = useSession().environment;
  const mayControl = useMay('operator');
  if (simulated) {
    return (
      <section className="environment simulator" aria-label={strings.environment.label}>
        <span className="name">{strings.environment.simulator}</span>
        <span className="grow">{strings.environment.nothingIsSent}</span>
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
    <section className={`environment ${kind}`} aria-label={strings.environment.label}>
      <span className="name">{name.toUpperCase()}</span>
      <span>{strings.environment.account(account)}</span>
    </section>
  );
}
