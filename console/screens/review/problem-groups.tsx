// The problems of all rows in groups, the most rows first. A group filters the grid.
import ToggleButton from '@cloudscape-design/components/toggle-button';
import { count } from '#shared/domain/text/counted.ts';
import type { ImportRow } from '../../api/types.ts';
import { strings } from '../../strings.ts';
import type { RowState } from './row-states.ts';

export interface ProblemFilter {
  readonly code: ImportRow['issues'][number]['code'];
  readonly column: string | null;
}

interface Group extends ProblemFilter {
  readonly message: string;
  readonly rows: number;
  readonly fixed: number;
}

interface Props {
  readonly rows: readonly ImportRow[];
  readonly states: ReadonlyMap<number, RowState>;
  readonly filter: ProblemFilter | undefined;
  readonly onFilter: (filter: ProblemFilter | undefined) => void;
}

export function ProblemGroups({ rows, states, filter, onFilter }: Props) {
  const texts = strings.review;
  const groups = groupProblems(rows, states);
  return (
    <section aria-label={texts.groups}>
      <ul className="problem-groups">
        <li>
          <ToggleButton pressed={filter === undefined} onChange={() => onFilter(undefined)}>
            {texts.all(rows.length)}
          </ToggleButton>
        </li>
        {groups.map((group) => {
          const isPressed = filter?.code === group.code && filter.column === group.column;
          const { code, column } = group;
          return (
            <li key={`${code} ${column}`}>
              <ToggleButton pressed={isPressed} onChange={() => onFilter(isPressed ? undefined : { code, column })}>
                {texts.group(column ?? texts.wholeRow, count(group.rows), count(group.fixed))}
              </ToggleButton>
              <span className="quiet">{group.message}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function groupProblems(rows: readonly ImportRow[], states: ReadonlyMap<number, RowState>): Group[] {
  const groups = new Map<string, Group>();
  for (const { line, issues } of rows) {
    const isFixed = states.get(line)?.progress === 'fixed';
    for (const { code, column, message, severity } of issues) {
      if (severity !== 'error') continue;
      const key = `${code} ${column}`;
      const group = groups.get(key) ?? { code, column, message, rows: 0, fixed: 0 };
      groups.set(key, { ...group, rows: group.rows + 1, fixed: group.fixed + (isFixed ? 1 : 0) });
    }
  }
  return [...groups.values()].sort((one, other) => other.rows - one.rows);
}
