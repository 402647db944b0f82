// The part of docs/reference/operations.md that is generated from the code.
import type { Operation } from '#shared/operations/kit/operation.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** The columns of an operation as a table in Markdown, aligned. */
export function columnsTable({ columns }: Operation): string {
  const rows = [
    ['column', 'required', 'meaning', 'example'],
    ...columns.map(({ name, required, help, example }) => [
      `\`${name}\``,
      required ? 'yes' : '',
      help,
      `\`${example}\``,
    ]),
  ].map((row) => row.map(cell));
  const widths = [0, 1, 2, 3].map((index) => Math.max(...rows.map((row) => [...(row[index] ?? '')].length)));
  const line = (row: readonly string[], filler = ' ') =>
    `| ${row.map((text, index) => text.padEnd(widths[index] ?? 0, filler)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(['', '', '', ''], '-'), ...body.map((row) => line(row))].join('\n');
}
