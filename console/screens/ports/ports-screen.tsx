// Every port of the account, also those that were made elsewhere, as the list was last read from the service.

import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { portStatusNames } from '#shared/port/port-status.ts';
import { count } from '#shared/text/wording.ts';
import { call } from '../../api/call.ts';
import type { Answer } from '../../api/types.ts';
import { useCommand } from '../../api/use-command.ts';
import { useMay, useSession } from '../../app/session.tsx';
import { Choice } from '../../components/choice.tsx';
import { ProblemText } from '../../components/problem-text.tsx';
import { Screen } from '../../components/screen.tsx';
import { StatusText, statusWords } from '../../components/status-text.tsx';
import { strings } from '../../strings.ts';
import { formatDay, formatInstant } from '../../text/format.ts';
import { useDelayed } from '../import/use-delayed.ts';
import { useDownload } from '../import/use-download.ts';

type Port = Answer<'listPorts'>['ports'][number];
const origins = ['any', 'foreign', 'own'] as const;
type Origin = (typeof origins)[number];

const pollMs = 2_000;

export default function PortsScreen() {
  const texts = strings.ports;
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
  const read = useInfiniteQuery({
    queryKey: ['listPorts', query],
    queryFn: ({ pageParam, signal }) =>
      call('listPorts', { query: { ...query, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.reading === replaced ? pollMs : false),
  });
  const [first] = read.data?.pages ?? [];
  const ports = read.data?.pages.flatMap((page) => page.ports) ?? [];
  const isReading = first !== undefined && first.reading === replaced;
  return (
    <Screen
      title={texts.title}
      description={<Reading list={first} />}
      actions={<ListActions list={first} isReading={isReading} onRefresh={() => setReplaced(first?.reading)} />}
    >
      <div className="filters">
        <Choice label={texts.origin} value={origin} options={originOptions()} onChange={setOrigin} />
        <Choice label={texts.status} value={status} options={statusOptions()} onChange={setStatus} />
        <FormField label={texts.number}>
          <Input type="search" inputMode="tel" value={number} onChange={({ detail }) => setNumber(detail.value)} />
        </FormField>
      </div>
      <PortTable
        ports={ports}
        isLoading={read.isPending || isReading}
        empty={read.error === null ? first?.readAt ? texts.none : texts.neverRead : <ProblemText error={read.error} />}
        more={
          read.hasNextPage && (
            <Button loading={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
              {texts.more}
            </Button>
          )
        }
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
  const texts = strings.ports;
  const { zone } = useSession().environment;
  if (!list?.readAt) return texts.description;
  const at = formatInstant(list.readAt, zone);
  return list.isComplete ? texts.readAt(at) : texts.readPartly(at);
}

interface ListActionsProps {
  readonly list: List;
  readonly isReading: boolean;
  readonly onRefresh: () => void;
}

function ListActions({ list, isReading, onRefresh }: ListActionsProps) {
  const texts = strings.ports;
  const { download, running } = useDownload();
  const mayRefresh = useMay('approver');
  const refresh = useCommand('refreshPorts', { failed: texts.notRead, onSuccess: onRefresh });
  const start = () => void download(texts.export, () => call('createPortListLink', {}));
  return (
    <SpaceBetween direction="horizontal" size="xs">
      <Button iconName="download" disabled={!list?.readAt} loading={running !== undefined} onClick={start}>
        {texts.export}
      </Button>
      {mayRefresh && (
        <Button
          iconName="refresh"
          disabled={list === undefined}
          loading={refresh.isRunning || isReading}
          onClick={() => refresh.run({ body: {} })}
        >
          {texts.refresh}
        </Button>
      )}
    </SpaceBetween>
  );
}

const originOptions = () => origins.map((value) => ({ value, label: strings.ports.origins[value] }));
const statusOptions = () => [
  { value: '', label: strings.ports.anyStatus },
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
  const texts = strings.ports;
  const { columns } = texts;
  return (
    <Table
      variant="container"
      wrapLines
      items={ports}
      trackBy="portId"
      loading={isLoading}
      loadingText={strings.loading.text}
      header={<Header variant="h2">{texts.title}</Header>}
      empty={empty}
      footer={more}
      columnDefinitions={[
        {
          id: 'name',
          header: columns.name,
          isRowHeader: true,
          minWidth: 220,
          cell: ({ portId, name, importId }) =>
            importId === null ? name || portId : <Link href={`#/ports/${portId}`}>{name || portId}</Link>,
        },
        { id: 'status', header: columns.status, cell: ({ status }) => <StatusText name={status} />, minWidth: 140 },
        { id: 'date', header: columns.date, cell: ({ connectionDate }) => formatDay(connectionDate), minWidth: 160 },
        { id: 'numbers', header: columns.numbers, cell: ({ rowCount }) => count(rowCount) },
        {
          id: 'import',
          header: columns.import,
          minWidth: 140,
          cell: (port) =>
            port.importId === null ? (
              <Adopt port={port} />
            ) : (
              <Link href={`#/imports/${port.importId}`}>{texts.show}</Link>
            ),
        },
        { id: 'read', header: columns.read, cell: ({ readAt }) => formatInstant(readAt, zone), minWidth: 160 },
      ]}
    />
  );
}

function Adopt({ port: { portId, name } }: { readonly port: Port }) {
  const texts = strings.ports;
  const mayAdopt = useMay('approver');
  const [, navigate] = useLocation();
  const adopt = useCommand('adoptPort', {
    failed: texts.notAdopted,
    onSuccess: ({ importId }) => navigate(`/imports/${importId}`),
  });
  if (!mayAdopt) return texts.origins.foreign;
  return (
    <Button
      variant="inline-link"
      ariaLabel={texts.adoptPort(name)}
      loading={adopt.isRunning}
      onClick={() => adopt.run({ path: { portId }, body: {} })}
    >
      {texts.adopt}
    </Button>
  );
}
