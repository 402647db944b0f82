// The texts of the console in the language of the page.
import { english, type Texts } from './text/english.ts';

/** Read it where a text is shown: what a module keeps when it is loaded stays English. */
export let strings: Texts = english;

export function setStrings(texts: Texts): void {
  strings = texts;
}
