// One port: its numbers, what blocks them, and its history.

import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Link from '@cloudscape-design/components/link';
import Table from '@cloudscape-design/components/table';
import { count } from '#shared/text/wording.ts';
import { useRead } from '../../api/queries.ts';
import type { Answer } from '../../api/types.ts';
import { useSession } from '../../app/session.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MissingScreen, Screen } from '../../components/screen.tsx';
import { StatusText, statusWords } from '../../components/status-text.tsx';
import { Timeline } from '../../components/timeline.tsx';
import { strings } from '../../strings.ts';
import { formatDay, formatInstant, formatNumber } from '../../text/format.ts';

type Port = Answer<'getPort'>;

export default function PortScreen({ params: { portId } }: { readonly params: { readonly portId: string } }) {
  const read = useRead('getPort', { path: { portId } });
  const { missing } = strings.port;
  return (
    <Loaded read={read} missing={<MissingScreen {...missing} />}>
      {(port) => <PortView port={port} />}
    </Loaded>
  );
}

function PortView({ port }: { readonly port: Port }) {
  const { zone } = useSession().environment;
  const texts = strings.port;
  return (
    <Screen
      title={port.name}
      above={[
        { text: strings.imports.title, href: '#/' },
        { text: texts.import, href: `#/imports/${port.importId}` },
      ]}
      description={texts.readAt(formatInstant(port.readAt, zone))}
    >
      {port.concern !== undefined && (
        <Alert type="warning" header={texts.concern}>
          {port.concern}
        </Alert>
      )}
      {port.blockingRows > 0 && port.readyRows > 0 && (
        <Alert type="warning" header={texts.blocked(port.readyRows, port.blockingRows)}>
          {texts.blockedText}
        </Alert>
      )}
      <Container>
        <KeyValuePairs
          columns={4}
          items={[
            { label: texts.status, value: <StatusText name={port.status} /> },
            { label: texts.date, value: formatDay(port.connectionDate) },
            { label: texts.numbers, value: count(port.rowCount) },
            { label: texts.cancelBy, value: port.cancelBy === undefined ? '–' : formatInstant(port.cancelBy, zone) },
          ]}
        />
      </Container>
      <PortRows rows={port.rows} />
      <Container header={<Header variant="h2">{texts.history}</Header>}>
        <Timeline
          zone={zone}
          entries={port.events
            .map(({ at, status, was }) => ({
              at,
              text: statusWords(status),
              note: was && strings.number.was(statusWords(was)),
            }))
            .reverse()}
        />
      </Container>
    </Screen>
  );
}

function PortRows({ rows }: Pick<Port, 'rows'>) {
  const { callingCode } = useSession().environment;
  const texts = strings.port;
  return (
    <Table
      variant="container"
      wrapLines
      items={rows}
      trackBy={({ line }) => String(line)}
      header={
        <Header variant="h2" counter={`(${count(rows.length)})`}>
          {texts.numbers}
        </Header>
      }
      columnDefinitions={[
        { id: 'line', header: strings.rows.columns.line, cell: ({ line }) => line },
        {
          id: 'number',
          header: strings.rows.columns.number,
          isRowHeader: true,
          minWidth: 150,
          cell: ({ msisdn }) => (
            <Link href={`#/numbers/${msisdn}`}>
              <span className="digits">{formatNumber(msisdn, callingCode)}</span>
            </Link>
          ),
        },
        {
          id: 'status',
          header: strings.rows.columns.status,
          cell: ({ status }) => <StatusText name={status} />,
          minWidth: 120,
        },
        { id: 'message', header: strings.rows.columns.message, cell: ({ message }) => message ?? '–', minWidth: 200 },
        {
          id: 'whatToDo',
          header: strings.rows.columns.whatToDo,
          minWidth: 200,
          cell: ({ whatToDo, blockedBy }) =>
            blockedBy.length > 0
              ? texts.blockedBy(blockedBy.map((msisdn) => formatNumber(msisdn, callingCode)))
              : whatToDo || '–',
        },
      ]}
    />
  );
}
