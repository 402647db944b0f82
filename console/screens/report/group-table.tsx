// A table of numbers by what they have in common.

import Header from '@cloudscape-design/components/header';
import Table from '@cloudscape-design/components/table';
import { succeeded } from '#shared/outcome/outcome.ts';
import { count } from '#shared/text/wording.ts';
import { NumbersBar } from '../../components/outcome-marks.tsx';
import type { Group } from './period-figures.ts';

interface Props {
  readonly title: string;
  readonly name: string;
  readonly groups: readonly Group[];
}

export const GroupTable = ({ title, name, groups }: Props) => (
  <Table
    variant="container"
    wrapLines
    items={groups}
    trackBy={({ name: key }) => key}
    header={<Header variant="h2">{title}</Header>}
    columnDefinitions={[
      { id: 'name', header: name, isRowHeader: true, cell: (group) => group.name || '(empty)' },
      { id: 'rows', header: 'Numbers', cell: ({ rows }) => count(rows) },
      { id: 'done', header: 'Successful', cell: ({ outcomes }) => count(succeeded(outcomes)) },
      {
        id: 'bar',
        header: 'Outcomes',
        minWidth: 200,
        cell: ({ outcomes, rows }) => <NumbersBar outcomes={outcomes} rows={rows} />,
      },
    ]}
  />
);
