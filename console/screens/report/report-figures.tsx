// The figures of a report: one number, a bar with its legend, and a table of groups.
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { accountedFor, succeeded, successWord } from '#shared/domain/imports/outcome-words.ts';
import { count } from '#shared/domain/text/counted.ts';
import { NumbersBar, NumbersLegend } from '../../components/numbers-bar.tsx';
import { strings } from '../../strings.ts';
import type { Group } from './period-figures.ts';

export const ReportFigures = ({ rows, outcomes }: Omit<Group, 'name'>) => (
  <SpaceBetween size="m">
    <div className="figure">
      {count(succeeded(outcomes))} <small>{strings.import.figure.of(rows, successWord(outcomes))}</small>
    </div>
    <NumbersBar size="large" outcomes={outcomes} rows={rows} />
    <NumbersLegend outcomes={outcomes} />
    <div className="quiet">{strings.imports.accounted(accountedFor(outcomes), rows)}</div>
  </SpaceBetween>
);

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
      { id: 'name', header: name, isRowHeader: true, cell: (group) => group.name || strings.report.noValue },
      { id: 'rows', header: strings.report.numbers, cell: ({ rows }) => count(rows) },
      { id: 'done', header: strings.report.done, cell: ({ outcomes }) => count(succeeded(outcomes)) },
      {
        ...{ id: 'bar', header: strings.report.share, minWidth: 200 },
        cell: ({ outcomes, rows }) => <NumbersBar outcomes={outcomes} rows={rows} />,
      },
    ]}
  />
);
