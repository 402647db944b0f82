// The table of moves as Markdown, which the option `--moves` of the simulator prints.
import { portMoves, rowMoves } from './lifecycle.ts';

interface Move {
  readonly from: string;
  readonly to: string;
  readonly trigger: string;
  readonly when: { readonly words: string };
  readonly takes: { readonly words: string };
}

const head = ['From', 'To', 'When', 'After'] as const;

const tableRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const cellsOf = ({ to, trigger, when, takes }: Move): string[] => {
  const conditions = [trigger === 'time' ? [] : trigger, when.words === 'always' ? [] : when.words].flat();
  return [to, conditions.join(', '), takes.words];
};

/** Moves that differ only in their first status share a row. */
function table(moves: readonly Move[]): string {
  const rows = [...Map.groupBy(moves, (move) => cellsOf(move).join()).values()].map((alike) =>
    tableRow([alike.map(({ from }) => from).join(', '), ...alike.slice(0, 1).flatMap(cellsOf)]),
  );
  return [tableRow(head), tableRow(head.map(() => '---')), ...rows].join('\n');
}

export const lifecycleMarkdown = (): string =>
  [
    'Ports:',
    table(portMoves),
    'Single rows (the moves of a port change its rows too, to Submitted or Cancelled):',
    table(rowMoves),
  ].join('\n\n');
