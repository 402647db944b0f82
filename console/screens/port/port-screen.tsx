// One port: its numbers, what blocks them, and its history.

import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Link from '@cloudscape-design/components/link';
import Table from '@cloudscape-design/components/table';
import { count } from '#shared/text/wording.ts';
import type { Answer } from '../../api/answers.ts';
import { useRead } from '../../api/queries.ts';
import { useSession } from '../../app/session.tsx';
import { CancelBy, History, StatusText, statusWords } from '../../components/outcome-marks.tsx';
import { Loaded, MissingScreen, Screen } from '../../components/screen.tsx';
import { formatDay, formatInstant, formatNumber } from '../../text/format.ts';
import { numbers } from '../../text/words.ts';

type Port = Answer<'getPort'>;

export default function PortScreen({ params: { portId } }: { readonly params: { readonly portId: string } }) {
  const read = useRead('getPort', { path: { portId } });
  return (
    <Loaded
      read={read}
      missing={<MissingScreen title="There is no such port" text="simporter did not create a port with this id." />}
    >
      {(port) => <PortView port={port} />}
    </Loaded>
  );
}

function PortView({ port }: { readonly port: Port }) {
  const { zone } = useSession().environment;
  return (
    <Screen
      title={port.name}
      above={[
        { text: 'Imports', href: '#/' },
        { text: 'Import', href: `#/imports/${port.importId}` },
      ]}
      description={`As read from the service at ${formatInstant(port.readAt, zone)}`}
    >
      {port.concern !== undefined && (
        <Alert type="warning" header="This port needs a check">
          {port.concern}
        </Alert>
      )}
      {port.blockingRows > 0 && port.readyRows > 0 && (
        <Alert
          type="warning"
          header={`${numbers(port.blockingRows)} ${port.blockingRows === 1 ? 'blocks' : 'block'} ${numbers(port.readyRows)} in this port`}
        >
          The network takes the port only when every number in it has a valid PAC.
        </Alert>
      )}
      <Container>
        <KeyValuePairs
          columns={4}
          items={[
            { label: 'Status', value: <StatusText name={port.status} /> },
            { label: 'Connection date', value: formatDay(port.connectionDate) },
            { label: 'Numbers', value: count(port.rowCount) },
            {
              label: 'Request',
              value: <Link href={`#/imports/${port.importId}/requests/${port.request}`}>Open request</Link>,
            },
            { label: 'Cancel by', value: <CancelBy at={port.cancelBy} /> },
          ]}
        />
      </Container>
      <PortRows rows={port.rows} />
      <Container header={<Header variant="h2">History</Header>}>
        <History
          entries={port.events
            .map(({ at, status, was }) => ({
              at,
              text: statusWords(status),
              note: was && `was ${statusWords(was)}`,
            }))
            .reverse()}
        />
      </Container>
    </Screen>
  );
}

const describeBlocking = (blocking: readonly string[]) =>
  `Blocked by ${blocking.slice(0, 3).join(', ')}${blocking.length > 3 ? ', …' : ''}`;

function PortRows({ rows }: Pick<Port, 'rows'>) {
  const { callingCode } = useSession().environment;
  return (
    <Table
      variant="container"
      wrapLines
      items={rows}
      trackBy={({ line }) => String(line)}
      header={
        <Header variant="h2" counter={`(${count(rows.length)})`}>
          Numbers
        </Header>
      }
      columnDefinitions={[
        { id: 'line', header: 'Line', cell: ({ line }) => line },
        {
          id: 'number',
          header: 'Number',
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
          header: 'Status',
          cell: ({ status }) => <StatusText name={status} />,
          minWidth: 120,
        },
        { id: 'message', header: 'Message', cell: ({ message }) => message ?? '–', minWidth: 200 },
        {
          id: 'whatToDo',
          header: 'What to do',
          minWidth: 200,
          cell: ({ whatToDo, blockedBy }) =>
            blockedBy.length > 0
              ? describeBlocking(blockedBy.map((msisdn) => formatNumber(msisdn, callingCode)))
              : whatToDo || '–',
        },
      ]}
    />
  );
}
