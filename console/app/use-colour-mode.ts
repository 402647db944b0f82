// Light or dark: as the system has it, until a person chooses.
import { useEffect, useState } from 'react';

type ColourMode = 'light' | 'dark';
const storageKey = 'simporter.colourMode';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

function initialMode(): ColourMode {
  const chosen = localStorage.getItem(storageKey);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return systemIsDark.matches ? 'dark' : 'light';
}

export function useColourMode(): { readonly mode: ColourMode; readonly toggle: () => void } {
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
