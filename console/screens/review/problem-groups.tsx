// The problems of all rows in groups, the most rows first. A group filters the grid.

import Select from '@cloudscape-design/components/select';
import { columnLabel, count } from '#shared/text/wording.ts';
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
  const optionOf = ({ code, column, message, rows: affected, fixed }: Group) => ({
    value: `${code} ${column}`,
    label: texts.group(nameOf(code, column), count(affected), count(fixed)),
    description: message,
  });
  const all = { value: '', label: texts.all(rows.length) };
  const options = [all, ...groups.map(optionOf)];
  const chosen = filter === undefined ? '' : `${filter.code} ${filter.column}`;
  return (
    <Select
      selectedOption={options.find(({ value }) => value === chosen) ?? all}
      options={options}
      ariaLabel={texts.groups}
      onChange={({ detail }) => onFilter(groups.find((group) => optionOf(group).value === detail.selectedOption.value))}
    />
  );
}

function nameOf(code: ProblemFilter['code'], column: string | null): string {
  const { declined, wholeRow } = strings.review;
  if (code === 'ROW_REFUSED') return declined;
  return column === null ? wholeRow : columnLabel(column);
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
