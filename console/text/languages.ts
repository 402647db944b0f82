// The languages of the console, and which of them a person sees first.

/** By their own names. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;
export const languageNames = Object.keys(languages) as readonly Language[];

/**
 * @param chosen in the menu of this browser
 * @param preferred of the browser, such as `de-AT`, the most preferred first
 */
export function preferredLanguage(chosen: string | null, preferred: readonly string[]): Language {
  const names = [chosen, ...preferred.map((tag) => tag.toLowerCase().split('-')[0])];
  return names.flatMap((name) => languageNames.find((known) => known === name) ?? []).at(0) ?? 'en';
}
