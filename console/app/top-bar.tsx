// Product name, search for a number, and the person.
import Input from '@cloudscape-design/components/input';
import TopNavigation from '@cloudscape-design/components/top-navigation';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { callForDocument } from '../api/call.ts';
import { signOut } from '../auth/sign-in.ts';
import { saveFile } from '../components/download.ts';
import { useNotices } from './notices.tsx';
import { useSession } from './session.tsx';

const i18n = {
  searchIconAriaLabel: 'Search',
  searchDismissIconAriaLabel: 'Close the search',
  overflowMenuTriggerText: 'More',
  overflowMenuTitleText: 'All',
  overflowMenuBackIconAriaLabel: 'Back',
  overflowMenuDismissIconAriaLabel: 'Close the menu',
};

export function TopBar() {
  const { me, environment, provider } = useSession();
  const [, navigate] = useLocation();
  const { mode, toggle } = useColourMode();
  const { notifyError } = useNotices();
  // A link has no token.
  const saveDescription = () =>
    callForDocument().then(
      (content) => saveFile(content, 'openapi.json'),
      (error) => notifyError('API description', error),
    );
  return (
    <TopNavigation
      identity={{ href: '#/', title: 'simporter', logo: { src: '/icon.svg', alt: 'Logo' } }}
      search={<NumberSearch onSearch={(text) => navigate(`/numbers/${encodeURIComponent(text)}`)} />}
      utilities={[
        {
          type: 'button',
          iconSvg: <ModeIcon />,
          onClick: toggle,
          ariaLabel: mode === 'dark' ? 'Use light colours' : 'Use dark colours',
          title: mode === 'dark' ? 'Use light colours' : 'Use dark colours',
        },
        {
          type: 'menu-dropdown',
          iconName: 'user-profile',
          text: me.name,
          description: `${environment.name}, account ${environment.account}. ${me.roles.length === 0 ? 'No role' : me.roles.join(', ')}`,
          items: [{ id: 'api', text: 'API description' }, ...(provider ? [{ id: 'sign-out', text: 'Sign out' }] : [])],
          onItemClick: ({ detail }) => {
            if (detail.id === 'sign-out' && provider) void signOut(provider);
            if (detail.id === 'api') void saveDescription();
          },
        },
      ]}
      i18nStrings={i18n}
    />
  );
}

function NumberSearch({ onSearch }: { readonly onSearch: (text: string) => void }) {
  const [text, setText] = useState('');
  const search = () => {
    if (text.trim() === '') return;
    onSearch(text.trim());
    setText('');
  };
  return (
    <Input
      type="search"
      value={text}
      placeholder="Find a number, SIM or reference"
      ariaLabel="Find a number, SIM or reference"
      onChange={({ detail }) => setText(detail.value)}
      onKeyDown={({ detail }) => {
        if (detail.key === 'Enter') search();
      }}
    />
  );
}

const ModeIcon = () => (
  <svg viewBox="0 0 16 16" aria-hidden="true" focusable="false">
    <circle cx="8" cy="8" r="6" />
    <path d="M8 2v12a6 6 0 0 0 0-12z" className="filled" />
  </svg>
);

type ColourMode = 'light' | 'dark';
const storageKey = 'simporter.colourMode';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

function initialMode(): ColourMode {
  const chosen = localStorage.getItem(storageKey);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return systemIsDark.matches ? 'dark' : 'light';
}

function useColourMode(): { readonly mode: ColourMode; readonly toggle: () => void } {
  const [mode, setMode] = useState(initialMode);
  useEffect(() => {
    const show = (isDark: boolean) => document.body.classList.toggle('awsui-dark-mode', isDark);
    const showLight = () => show(false);
    const showChosen = () => show(mode === 'dark');
    showChosen();
    // Paper is light.
    addEventListener('beforeprint', showLight);
    addEventListener('afterprint', showChosen);
    return () => {
      removeEventListener('beforeprint', showLight);
      removeEventListener('afterprint', showChosen);
    };
  }, [mode]);
  const toggle = () => {
    const next = mode === 'dark' ? 'light' : 'dark';
    localStorage.setItem(storageKey, next);
    setMode(next);
  };
  return { mode, toggle };
}
