// The language of the page: as the browser prefers, or as the person has chosen. The English texts are a
// part of the page; those of another language, and of the components in each, are loaded when it is shown.
import type { I18nProviderProps } from '@cloudscape-design/components/i18n';
import { useSyncExternalStore } from 'react';
import { setStrings } from '../strings.ts';
import { english, type Texts } from '../text/english.ts';
import { type Language, preferredLanguage } from '../text/languages.ts';

interface LanguageFiles {
  readonly texts: Texts;
  /** Of the components. */
  readonly messages: I18nProviderProps.Messages;
}

const load: Readonly<Record<Language, () => Promise<LanguageFiles>>> = {
  en: async () => {
    const { default: messages } = await import('@cloudscape-design/components/i18n/messages/all.en');
    return { texts: english, messages };
  },
  de: async () => {
    const [{ german }, { default: messages }] = await Promise.all([
      import('../text/german.ts'),
      import('@cloudscape-design/components/i18n/messages/all.de'),
    ]);
    return { texts: german, messages };
  },
};

interface Shown {
  readonly language: Language;
  readonly messages: readonly I18nProviderProps.Messages[];
}

let shown: Shown = { language: 'en', messages: [] };
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A change renders the whole page again, which keeps what was typed. */
export const useLanguage = (): Shown => useSyncExternalStore(subscribe, () => shown);

export async function showLanguage(language: Language): Promise<void> {
  const { texts, messages } = await load[language]();
  setStrings(texts);
  document.documentElement.lang = language;
  shown = { language, messages: [messages] };
  for (const listener of listeners) listener();
}

const storageKey = 'simporter.language';

/** For this page, and for every page that this browser opens later. */
export async function chooseLanguage(language: Language): Promise<void> {
  await showLanguage(language);
  localStorage.setItem(storageKey, language);
}

/** Without its files, the page is in English. */
export const showPreferredLanguage = (): Promise<void> =>
  showLanguage(preferredLanguage(localStorage.getItem(storageKey), navigator.languages)).catch(() => undefined);
