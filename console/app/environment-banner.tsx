// The environment on every screen, in its colour. A simulator has a red banner with its calendar.
import { lazy, Suspense } from 'react';
import { strings } from '../strings.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { useMay, useSession } from './session.tsx';

const CalendarControls = lazy(() => import('../screens/simulator/calendar-controls.tsx'));

export function EnvironmentBanner() {
  const { name, kind, account, simulated, zone } = useSession().environment;
  const mayControl = useMay('operator');
  if (simulated) {
    return (
      <section className="environment simulator" aria-label={strings.environment.label}>
        <span className="name">{strings.environment.simulator}</span>
        <span className="grow">
          {strings.environment.nothingIsSent} {strings.environment.times(zone)}.
        </span>
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
      <span className="grow">{strings.environment.account(account)}</span>
      <span>{strings.environment.times(zone)}</span>
    </section>
  );
}
