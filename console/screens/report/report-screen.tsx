// One page for the manager: the result by network, by day and by a column of the file. It prints to one document.

import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState } from 'react';
import { accountedFor, succeeded, successWord } from '#shared/outcome/outcome.ts';
import { count } from '#shared/text/wording.ts';
import type { Answer } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { useSession } from '../../app/session.tsx';
import { useDownload } from '../../components/download.ts';
import { NumbersBar, NumbersLegend } from '../../components/outcome-marks.tsx';
import { Loaded, MissingImport, Screen } from '../../components/screen.tsx';
import { formatDay, formatInstant } from '../../text/format.ts';
import { numbers } from '../../text/words.ts';
import { GroupTable } from './group-table.tsx';

type Report = Answer<'getReport'>;

export default function ReportScreen({ params: { importId } }: { readonly params: { readonly importId: string } }) {
  const read = useRead('getReport', { path: { importId } });
  return (
    <Loaded read={read} missing={<MissingImport />}>
      {(report) => <ReportView report={report} />}
    </Loaded>
  );
}

function ReportView({ report }: { readonly report: Report }) {
  const { zone } = useSession().environment;
  const { importId, file, rows, outcomes, byNetwork, byDay, columns, asOf } = report;
  return (
    <Screen
      title="Report"
      above={[
        { text: 'Imports', href: '#/' },
        { text: file, href: `#/imports/${importId}` },
      ]}
      description={`${file}, as of ${formatInstant(asOf, zone)}`}
      actions={<ReportActions importId={importId} />}
    >
      <Container>
        <SpaceBetween size="m">
          <div className="figure">
            {count(succeeded(outcomes))} <small>{`of ${numbers(rows)} ${successWord(outcomes)}`}</small>
          </div>
          <NumbersBar size="large" outcomes={outcomes} rows={rows} />
          <NumbersLegend outcomes={outcomes} />
          <div className="quiet">{`${count(accountedFor(outcomes))} of ${count(rows)} accounted for`}</div>
        </SpaceBetween>
      </Container>
      {byDay.length > 0 && (
        <Container header={<Header variant="h2">By connection date</Header>}>
          <DayChart days={byDay} />
        </Container>
      )}
      {byNetwork.length > 0 && <GroupTable title="By network" name="Network" groups={byNetwork} />}
      {columns.length > 0 && <ByColumn report={report} />}
    </Screen>
  );
}

/** A call of its own: the rest of the report stays, whatever becomes of it. */
function ByColumn({ report: { importId, columns } }: { readonly report: Report }) {
  const [by, setBy] = useState('');
  const read = useRead('getReport', { path: { importId }, query: { by } }, { enabled: by !== '' });
  const options = [{ value: '', label: 'No column' }, ...columns.map((name) => ({ value: name, label: name }))];
  return (
    <>
      <div className="no-print filters">
        <FormField label="Also by a column of the file" description="Such as the cost centre">
          <Select
            selectedOption={options.find(({ value }) => value === by) ?? null}
            options={options}
            filteringType="auto"
            onChange={({ detail }) => setBy(detail.selectedOption.value ?? '')}
          />
        </FormField>
      </div>
      {by !== '' && (
        <Loaded read={read}>
          {({ byColumn }) => byColumn.length > 0 && <GroupTable title={`By ${by}`} name={by} groups={byColumn} />}
        </Loaded>
      )}
    </>
  );
}

const formatNames = { xlsx: 'Excel', csv: 'CSV' };

function ReportActions({ importId }: { readonly importId: string }) {
  const { download, running } = useDownload();
  const start = (format: 'xlsx' | 'csv') =>
    void download(format, () => call('createReportLink', { path: { importId, format } }));
  return (
    <div className="no-print">
      <SpaceBetween direction="horizontal" size="xs">
        {(['xlsx', 'csv'] as const).map((format) => (
          <Button key={format} iconName="download" loading={running === format} onClick={() => start(format)}>
            {formatNames[format]}
          </Button>
        ))}
        <Button onClick={() => print()}>Print or save as PDF</Button>
      </SpaceBetween>
    </div>
  );
}

type Day = Answer<'getReport'>['byDay'][number];

/** Later days are in the downloads. */
const shownDays = 60;

function DayChart({ days }: { readonly days: readonly Day[] }) {
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
          <span className="digits">{`${count(complete)} of ${count(rows)} ported`}</span>
        </li>
      ))}
    </ul>
  );
}
