// Starts the console.
import '@cloudscape-design/global-styles/index.css';
import './styles/palette.css';
import './styles/shell.css';
import './styles/numbers.css';
import './styles/screens.css';
import { I18nProvider } from '@cloudscape-design/components/i18n';
import messages from '@cloudscape-design/components/i18n/messages/all.en';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Router } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import { createQueryClient } from './api/queries.ts';
import { ErrorBoundary } from './app/load-screen.tsx';
import { NoticesProvider } from './app/notices.tsx';
import { SessionGate, signInQuery } from './app/session.tsx';
import { Shell } from './app/shell.tsx';
import { UploadsProvider } from './upload/uploads.tsx';

const client = createQueryClient();

function App() {
  return (
    <I18nProvider locale="en" messages={[messages]}>
      <QueryClientProvider client={client}>
        <ErrorBoundary>
          <Router hook={useHashLocation}>
            <SessionGate>
              <NoticesProvider>
                <UploadsProvider>
                  <Shell />
                </UploadsProvider>
              </NoticesProvider>
            </SessionGate>
          </Router>
        </ErrorBoundary>
      </QueryClientProvider>
    </I18nProvider>
  );
}

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root"');
// While the page renders, the token in the address is taken.
void client.prefetchQuery(signInQuery);
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
