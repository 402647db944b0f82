// One page for the manager: the result by network, by day and by a column of the file. It prints to one document.

import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { accountedFor, succeeded, successWord } from '#shared/outcome/outcome.ts';
import { count } from '#shared/text/wording.ts';
import { call } from '../../api/call.ts';
import type { Answer } from '../../api/types.ts';
import { useSession } from '../../app/session.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { NumbersBar, NumbersLegend } from '../../components/numbers-bar.tsx';
import { Screen } from '../../components/screen.tsx';
import { strings } from '../../strings.ts';
import { formatDay, formatInstant } from '../../text/format.ts';
import { useDownload } from '../import/use-download.ts';
import { GroupTable } from './group-table.tsx';

type Report = Answer<'getReport'>;

export default function ReportScreen({ params: { importId } }: { readonly params: { readonly importId: string } }) {
  const [by, setBy] = useState<string>();
  const query = by === undefined ? {} : { by };
  const read = useQuery({
    queryKey: ['getReport', importId, query],
    queryFn: ({ signal }) => call('getReport', { path: { importId }, query, signal }),
    placeholderData: keepPreviousData,
  });
  return <Loaded read={read}>{(report) => <ReportView report={report} by={by} onColumn={setBy} />}</Loaded>;
}

interface Props {
  readonly report: Report;
  readonly by: string | undefined;
  readonly onColumn: (by: string | undefined) => void;
}

function ReportView({ report, by, onColumn }: Props) {
  const { zone } = useSession().environment;
  const texts = strings.report;
  const { importId, file, rows, outcomes, byNetwork, byDay, byColumn, columns, asOf } = report;
  const options = [{ value: '', label: texts.noColumn }, ...columns.map((name) => ({ value: name, label: name }))];
  return (
    <Screen
      title={texts.title}
      above={[
        { text: strings.imports.title, href: '#/' },
        { text: file, href: `#/imports/${importId}` },
      ]}
      description={texts.asOf(file, formatInstant(asOf, zone))}
      actions={<ReportActions importId={importId} />}
    >
      <Container>
        <SpaceBetween size="m">
          <div className="figure">
            {count(succeeded(outcomes))} <small>{strings.import.figure.of(rows, successWord(outcomes))}</small>
          </div>
          <NumbersBar size="large" outcomes={outcomes} rows={rows} />
          <NumbersLegend outcomes={outcomes} />
          <div className="quiet">{strings.imports.accounted(accountedFor(outcomes), rows)}</div>
        </SpaceBetween>
      </Container>
      {byDay.length > 0 && (
        <Container header={<Header variant="h2">{texts.byDay}</Header>}>
          <DayChart days={byDay} />
        </Container>
      )}
      {byNetwork.length > 0 && <GroupTable title={texts.byNetwork} name={texts.network} groups={byNetwork} />}
      {columns.length > 0 && (
        <div className="no-print filters">
          <FormField label={texts.column} description={texts.columnHelp}>
            <Select
              selectedOption={options.find(({ value }) => value === (by ?? '')) ?? null}
              options={options}
              filteringType="auto"
              onChange={({ detail }) => onColumn(detail.selectedOption.value || undefined)}
            />
          </FormField>
        </div>
      )}
      {by !== undefined && byColumn.length > 0 && <GroupTable title={texts.byColumn(by)} name={by} groups={byColumn} />}
    </Screen>
  );
}

function ReportActions({ importId }: { readonly importId: string }) {
  const { download, running } = useDownload();
  const texts = strings.report;
  const start = (format: 'xlsx' | 'csv') =>
    void download(format, () => call('createReportLink', { path: { importId, format } }));
  return (
    <div className="no-print">
      <SpaceBetween direction="horizontal" size="xs">
        {(['xlsx', 'csv'] as const).map((format) => (
          <Button key={format} iconName="download" loading={running === format} onClick={() => start(format)}>
            {texts[format]}
          </Button>
        ))}
        <Button onClick={() => print()}>{texts.print}</Button>
      </SpaceBetween>
    </div>
  );
}

type Day = Answer<'getReport'>['byDay'][number];

/** Later days are in the downloads. */
const shownDays = 60;

export function DayChart({ days }: { readonly days: readonly Day[] }) {
  const most = Math.max(1, ...days.map(({ rows }) => rows));
  return (
    <ul className="day-chart">
      {days.slice(0, shownDays).map(({ day, rows, complete }) => (
        <li key={day}>
          <span>{formatDay(day)}</span>
          <span className="day-bar" aria-hidden="true">
            <span className="planned" style={{ inlineSize: `${(rows / most) * 100}%` }}>
              <span className="done complete" style={{ inlineSize: `${(complete / Math.max(1, rows)) * 100}%` }} />
            </span>
          </span>
          <span className="digits">{strings.report.dayCounts(count(complete), count(rows))}</span>
        </li>
      ))}
    </ul>
  );
}
