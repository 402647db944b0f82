// The table of moves for people to read: in Markdown for docs/porting-service.md, and as rows for the documentation page.
import { portMoves, rowMoves } from './lifecycle.ts';

const triggerText = (trigger: string): string => (trigger === 'time' ? 'by itself' : trigger);

interface Move {
  readonly from: string;
  readonly to: string;
  readonly trigger: string;
  readonly when: { readonly words: string };
  readonly takes: { readonly words: string };
}

export const moveHead = ['From', 'To', 'Trigger', 'Condition', 'Takes'] as const;

const cells = ({ from, to, trigger, when, takes }: Move): string[] => [
  from,
  to,
  triggerText(trigger),
  when.words,
  takes.words,
];

export const portMoveRows = (): string[][] => portMoves.map(cells);
export const rowMoveRows = (): string[][] => rowMoves.map(cells);

const tableLine = (columns: readonly string[]): string => `| ${columns.join(' | ')} |`;

const table = (rows: readonly string[][]): string =>
  [tableLine(moveHead), tableLine(moveHead.map(() => '---')), ...rows.map(tableLine)].join('\n');

const stateId = (status: string): string => status.replaceAll(' ', '_');

/** Each pair of statuses once, dashed words only where a person triggers the move. */
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

/** The section of docs/porting-service.md that is drawn from the table. */
export const lifecycleMarkdown = (): string =>
  [
    diagram(portMoves, 'Created', ['Complete', 'Cancelled']),
    'Ports:',
    table(portMoveRows()),
    'Rows by themselves (the moves of a port change its rows too, to Submitted or Cancelled):',
    table(rowMoveRows()),
  ].join('\n\n');
