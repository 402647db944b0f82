// Which state of an import its files show. Report stores a new state first, and then writes the files.
import { parseJson } from '#shared/domain/text/parse-json.ts';
import type { ImportItem } from '#shared/import/import.ts';

/** What the files show, as text to compare, with the state as its first member. */
export const describeFiles = (state: ImportItem['state'], ...others: readonly unknown[]): string =>
  JSON.stringify([state, ...others]);

/** Whether the files show that the import is in its state. Until then report may be writing them. */
export function showsItsState({ state, reported = '' }: ImportItem): boolean {
  const shown = parseJson(reported);
  return Array.isArray(shown) && shown[0] === state;
}
