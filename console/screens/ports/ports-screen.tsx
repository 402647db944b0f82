// Every port of the account, also those that were made elsewhere, as the list was last read from the service.

import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { portStatusNames } from '#shared/port/port-status.ts';
import { count } from '#shared/text/wording.ts';
import type { Answer } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { useCommand, useDelayed, usePages } from '../../api/queries.ts';
import { ProblemText } from '../../app/notices.tsx';
import { useMay, useSession } from '../../app/session.tsx';
import { useDownload } from '../../components/download.ts';
import { useFittingColumns } from '../../components/fitting-columns.tsx';
import { MoreButton } from '../../components/more-pages.tsx';
import { StatusText, statusWords } from '../../components/outcome-marks.tsx';
import { Choice, Screen } from '../../components/screen.tsx';
import { formatDay, formatInstant } from '../../text/format.ts';
import { PortDays } from './port-days.tsx';

type Port = Answer<'listPorts'>['ports'][number];
const origins = ['any', 'foreign', 'own'] as const;
type Origin = (typeof origins)[number];

const pollMs = 2_000;

export default function PortsScreen() {
  const [origin, setOrigin] = useState<Origin>('any');
  const [status, setStatus] = useState('');
  const [number, setNumber] = useState('');
  const wanted = useDelayed(number.trim());
  const { replaced, setReplaced } = useReplacedReading();
  const query = {
    ...(origin === 'any' ? {} : { origin }),
    ...(status && { status }),
    ...(wanted && { number: wanted }),
  };
  const everyMs = (shown: Answer<'listPorts'> | undefined) => shown?.reading === replaced && pollMs;
  const read = usePages('listPorts', { query }, { everyMs });
  const [first] = read.data?.pages ?? [];
  const ports = read.data?.pages.flatMap((page) => page.ports) ?? [];
  const isReading = first !== undefined && first.reading === replaced;
  return (
    <Screen
      title="Ports"
      description={<Reading list={first} />}
      actions={<ListActions list={first} isReading={isReading} onRefresh={() => setReplaced(first?.reading)} />}
    >
      <PortDays />
      <div className="filters">
        <Choice label="Made" value={origin} options={originOptions()} onChange={setOrigin} />
        <Choice label="Status" value={status} options={statusOptions()} onChange={setStatus} />
        <FormField label="Number">
          <Input type="search" inputMode="tel" value={number} onChange={({ detail }) => setNumber(detail.value)} />
        </FormField>
      </div>
      <PortTable
        ports={ports}
        isLoading={read.isPending || isReading}
        empty={
          first === undefined ? (
            <ProblemText error={read.error} />
          ) : first.readAt ? (
            'No port fits the filter.'
          ) : (
            'The list was not read yet. A person with the role "approver" reads it with "Read again".'
          )
        }
        more={read.hasNextPage && <MoreButton read={read} text="Show more ports" />}
      />
    </Screen>
  );
}

/** Longer than a reading takes: the service may not answer. */
const mostReadingMs = 120_000;

/** The reading in whose place a new one was asked for, as long as that may still come. */
function useReplacedReading() {
  const [replaced, setReplaced] = useState<string>();
  useEffect(() => {
    if (replaced === undefined) return;
    const timer = setTimeout(() => setReplaced(undefined), mostReadingMs);
    return () => clearTimeout(timer);
  }, [replaced]);
  return { replaced, setReplaced };
}

type List = Answer<'listPorts'> | undefined;

function Reading({ list }: { readonly list: List }) {
  const { zone } = useSession().environment;
  if (!list?.readAt) return 'Every port of the account, also those that were made elsewhere, such as in the portal.';
  const at = formatInstant(list.readAt, zone);
  return list.isComplete
    ? `Every port of the account, as read from the service at ${at}.`
    : `As read from the service at ${at}. The list was too long: some ports may be missing.`;
}

interface ListActionsProps {
  readonly list: List;
  readonly isReading: boolean;
  readonly onRefresh: () => void;
}

function ListActions({ list, isReading, onRefresh }: ListActionsProps) {
  const { download, running } = useDownload();
  const mayRefresh = useMay('approver');
  const refresh = useCommand('refreshPorts', { failed: 'The list was not read again', onSuccess: onRefresh });
  const start = () => void download('Export', () => call('createPortListLink', {}));
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button iconName="download" disabled={!list?.readAt} loading={running !== undefined} onClick={start}>
        Export
      </Button>
      {mayRefresh && (
        <Button
          iconName="refresh"
          disabled={list === undefined}
          loading={refresh.isRunning || isReading}
          onClick={() => refresh.run({ body: {} })}
        >
          Read again
        </Button>
      )}
    </SpaceBetween>
  );
}

const originNames = { any: 'Anywhere', foreign: 'Elsewhere', own: 'By an import, or adopted' };

const originOptions = () => origins.map((value) => ({ value, label: originNames[value] }));
const statusOptions = () => [
  { value: '', label: 'Any status' },
  ...portStatusNames.map((name) => ({ value: name, label: statusWords(name) })),
];

interface PortTableProps {
  readonly ports: readonly Port[];
  readonly isLoading: boolean;
  readonly empty: ReactNode;
  readonly more: ReactNode;
}

function PortTable({ ports, isLoading, empty, more }: PortTableProps) {
  const { zone } = useSession().environment;
  return (
    <Table
      variant="container"
      wrapLines
      items={ports}
      trackBy="portId"
      loading={isLoading}
      loadingText="Loading"
      header={<Header variant="h2">Every port of the account</Header>}
      empty={empty}
      footer={more}
      columnDefinitions={useFittingColumns<Port>([
        {
          id: 'name',
          header: 'Name',
          isRowHeader: true,
          minWidth: 220,
          cell: ({ portId, name, importId }) =>
            importId === null ? name || portId : <Link href={`#/ports/${portId}`}>{name || portId}</Link>,
        },
        { id: 'status', header: 'Status', cell: ({ status }) => <StatusText name={status} />, minWidth: 140 },
        {
          id: 'date',
          header: 'Connection date',
          cell: ({ connectionDate }) => formatDay(connectionDate),
          minWidth: 160,
        },
        { id: 'numbers', header: 'Numbers', cell: ({ rowCount }) => count(rowCount) },
        {
          id: 'import',
          header: 'Import',
          minWidth: 140,
          cell: (port) =>
            port.importId === null ? <Adopt port={port} /> : <Link href={`#/imports/${port.importId}`}>Open</Link>,
        },
        { id: 'read', header: 'Read', cell: ({ readAt }) => formatInstant(readAt, zone), minWidth: 160 },
      ])}
    />
  );
}

function Adopt({ port: { portId, name } }: { readonly port: Port }) {
  const mayAdopt = useMay('approver');
  const [, navigate] = useLocation();
  const adopt = useCommand('adoptPort', {
    failed: 'The port was not adopted',
    onSuccess: ({ importId }) => navigate(`/imports/${importId}`),
  });
  if (!mayAdopt) return 'Elsewhere';
  return (
    <Button
      variant="inline-link"
      ariaLabel={`Adopt ${name}`}
      loading={adopt.isRunning}
      onClick={() => adopt.run({ path: { portId }, body: {} })}
    >
      Adopt
    </Button>
  );
}
