// The parts of docs/reference/operations.md that are generated from the code.
import type { Operation } from '#shared/operations/operation.ts';
import { operations } from '#shared/operations/registry.ts';

type Column = Operation['columns'][number];

const cell = (text: string): string => text.replaceAll('|', '\\|');
const rowOf = ({ name, required, help }: Column): string =>
  `| ${required ? `**\`${name}\`**` : `\`${name}\``} | ${cell(help)} |`;
const tableOf = (columns: readonly Column[]): string =>
  ['| column | meaning |', '|---|---|', ...columns.map(rowOf)].join('\n');

const all = [...operations.values()];
const many = 7;
/** Columns that many operations have with the same text: the page has them once. */
const common = all
  .flatMap(({ columns }) => columns)
  .filter((column, index, columns) => {
    const alike = columns.map(rowOf);
    return alike.indexOf(rowOf(column)) === index && alike.filter((row) => row === alike[index]).length >= many;
  });
export const commonColumns = (): string => tableOf(common);

const namesOf = ({ columns }: Operation): string => columns.map(({ name, required }) => `${name} ${required}`).join();

/** The columns of an operation as a table in Markdown, or the operation before it that has the same ones. */
export function columnsOf(operation: Operation): string {
  const before = all.slice(0, all.indexOf(operation)).find((other) => namesOf(other) === namesOf(operation));
  if (before !== undefined) return `Its columns are those of [${before.name}](#${before.name}).`;
  const shared = new Set(common.map(rowOf));
  return tableOf(operation.columns.filter((column) => !shared.has(rowOf(column))));
}
