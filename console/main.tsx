// Starts the console.
import '@cloudscape-design/global-styles/index.css';
import './styles/palette.css';
import './styles/shell.css';
import './styles/numbers.css';
import './styles/screens.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { takeTokenFromAddress } from './auth/tokens.ts';

takeTokenFromAddress();
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id "root"');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
