// The table of moves as Markdown, for docs/reference/simulator.md.
import { portMoves, rowMoves } from './lifecycle.ts';

const triggerText = (trigger: string): string => (trigger === 'time' ? 'by itself' : trigger);

interface Move {
  readonly from: string;
  readonly to: string;
  readonly trigger: string;
  readonly when: { readonly words: string };
  readonly takes: { readonly words: string };
}

const head = ['From', 'To', 'Trigger', 'Condition', 'Takes'] as const;

const tableRow = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const rowOf = ({ from, to, trigger, when, takes }: Move): string =>
  tableRow([from, to, triggerText(trigger), when.words, takes.words]);

const table = (moves: readonly Move[]): string =>
  [tableRow(head), tableRow(head.map(() => '---')), ...moves.map(rowOf)].join('\n');

const stateId = (status: string): string => status.replaceAll(' ', '_');

/** Each pair of statuses once; the trigger is named unless the move happens by itself. */
function diagram(moves: readonly Move[], first: string, ends: readonly string[]): string {
  const labels = new Map<string, Set<string>>();
  for (const { from, to, trigger } of moves) {
    if (from === to) continue;
    const edge = `${stateId(from)} --> ${stateId(to)}`;
    labels.set(edge, (labels.get(edge) ?? new Set()).add(trigger === 'time' ? '' : trigger));
  }
  const names = new Set(moves.flatMap(({ from, to }) => [from, to]));
  const lines = [
    ...[...names].filter((name) => name.includes(' ')).map((name) => `state "${name}" as ${stateId(name)}`),
    `[*] --> ${stateId(first)}`,
    ...[...labels].map(([edge, triggers]) => {
      const words = [...triggers].filter(Boolean).join(', ');
      return triggers.has('') || words === '' ? edge : `${edge}: ${words}`;
    }),
    ...ends.map((name) => `${stateId(name)} --> [*]`),
  ];
  return ['```mermaid', 'stateDiagram-v2', ...lines.map((line) => `  ${line}`), '```'].join('\n');
}

/** The section of docs/reference/simulator.md that is made from the table. */
export const lifecycleMarkdown = (): string =>
  [
    diagram(portMoves, 'Created', ['Complete', 'Cancelled']),
    'Ports:',
    table(portMoves),
    'Single rows (the moves of a port change its rows too, to Submitted or Cancelled):',
    table(rowMoves),
  ].join('\n\n');
