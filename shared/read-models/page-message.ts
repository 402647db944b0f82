// A message as a page shows it: it names screens and the words of the field, where the command line names its options
// and the columns of an operation.

import { operations } from '#shared/operations/registry.ts';
import { columnLabel } from '#shared/text/wording.ts';

const value = String.raw`(?:"[^"]*"|\S+)`;
const choice = String.raw`--(?:visible-rows-only|[a-z][a-z-]* ${value}(?: \([^)]*\))?)`;
/** One option or several, and how the sentence leads to them. */
const options = new RegExp(`(?:name it: |or add |: |)${choice}(?:(?:,? or | )${choice})*`, 'g');
const screen = 'choose it under "Columns and formats"';

/** Names of columns and options that are not ordinary words. */
const columnNames = new Set(
  [...operations.values()].flatMap(({ columns }) =>
    columns.map(({ name }) => name).filter((name) => /[a-z][A-Z]|^msisdn$|^pac$/.test(name)),
  ),
);
const word = /(?<![\w"])[a-z]\w*(?![\w"=])/g;

export function messageForPage(message: string): string {
  const text = message
    .replaceAll(options, (found) => {
      if (found.startsWith('or ')) return `or ${screen}`;
      return found.startsWith(': ') ? `: ${screen}` : screen;
    })
    .replaceAll(word, (found) => (columnNames.has(found) ? `"${columnLabel(found)}"` : found));
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const forPage = <Finding extends { readonly message: string }>(finding: Finding): Finding => ({
  ...finding,
  message: messageForPage(finding.message),
});
