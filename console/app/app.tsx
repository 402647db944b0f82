// The console: providers around the shell and its screens.

import { I18nProvider } from '@cloudscape-design/components/i18n';
import messages from '@cloudscape-design/components/i18n/messages/all.en';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { createQueryClient } from '../api/queries.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { NoticesProvider } from './notices.tsx';
import { SessionGate } from './session.tsx';
import { Shell } from './shell.tsx';

export function App() {
  const [client] = useState(createQueryClient);
  return (
    <I18nProvider locale="en" messages={[messages]}>
      <QueryClientProvider client={client}>
        <ErrorBoundary>
          <Router hook={useHashLocation}>
            <SessionGate>
              <NoticesProvider>
                <Shell />
              </NoticesProvider>
            </SessionGate>
          </Router>
        </ErrorBoundary>
      </QueryClientProvider>
    </I18nProvider>
  );
}
