// The requests of an import: their state, their port, and rescheduling.

import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import Table from '@cloudscape-design/components/table';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isActive } from '#shared/import/import-state.ts';
import { requestStateWords } from '#shared/outcome/outcome.ts';
import { count } from '#shared/text/wording.ts';
import { call } from '../../api/call.ts';
import type { Answer, ImportDetails } from '../../api/types.ts';
import { useMay } from '../../app/session.tsx';
import { ProblemText } from '../../components/problem-text.tsx';
import { StatusText } from '../../components/status-text.tsx';
import { strings } from '../../strings.ts';
import { formatDay } from '../../text/format.ts';
import { RescheduleDialog } from './reschedule-dialog.tsx';

type Request = Answer<'listRequests'>['requests'][number];

export default function RequestsTab({ item }: { readonly item: ImportDetails }) {
  const { importId, operation } = item;
  const [selected, setSelected] = useState<readonly Request[]>([]);
  const [isMoving, setMoving] = useState(false);
  const mayReschedule = useMay('approver') && operation === 'create-port' && isActive(item);
  const read = useInfiniteQuery({
    queryKey: ['listRequests', importId],
    queryFn: ({ pageParam, signal }) =>
      call('listRequests', { path: { importId }, query: pageParam === '' ? {} : { cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const requests = read.data?.pages.flatMap((page) => page.requests) ?? [];
  const texts = strings.requests;
  return (
    <>
      <Table
        variant="container"
        wrapLines
        items={requests}
        trackBy={({ request }) => String(request)}
        loading={read.isPending}
        loadingText={strings.loading.text}
        {...(mayReschedule ? { selectionType: 'multi' as const } : {})}
        selectedItems={[...selected]}
        onSelectionChange={({ detail }) => setSelected(detail.selectedItems)}
        ariaLabels={selectionLabels()}
        header={
          <Header
            variant="h2"
            counter={`(${count(item.requestCount)})`}
            actions={
              mayReschedule && <Button onClick={() => setMoving(true)}>{texts.reschedule(selected.length)}</Button>
            }
          >
            {texts.title}
          </Header>
        }
        empty={read.error === null ? texts.empty : <ProblemText error={read.error} />}
        columnDefinitions={columns()}
        footer={
          read.hasNextPage && (
            <Button loading={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
              {texts.more}
            </Button>
          )
        }
      />
      {isMoving && (
        <RescheduleDialog
          importId={importId}
          requests={selected.map(({ request }) => request)}
          onClose={() => setMoving(false)}
        />
      )}
    </>
  );
}

const columns = () => [
  {
    id: 'request',
    header: strings.requests.request,
    isRowHeader: true,
    cell: ({ request }: Request) => request,
  },
  { id: 'label', header: strings.requests.content, cell: ({ label }: Request) => label, minWidth: 220 },
  { id: 'rows', header: strings.requests.numbers, cell: ({ rows }: Request) => count(rows) },
  {
    id: 'state',
    header: strings.requests.state,
    minWidth: 160,
    cell: ({ state, portStatus }: Request) =>
      portStatus ? <StatusText name={portStatus} /> : requestStateWords[state],
  },
  {
    id: 'port',
    header: strings.requests.port,
    cell: ({ portId, ticket }: Request) =>
      portId === null ? (ticket ?? '–') : <Link href={`#/ports/${portId}`}>{strings.rows.columns.openPort}</Link>,
  },
  {
    id: 'note',
    header: strings.requests.note,
    minWidth: 220,
    cell: ({ error, note, sendOn }: Request) =>
      sendOn === undefined ? (error?.message ?? note ?? '–') : strings.requests.sendOn(formatDay(sendOn)),
  },
];

const selectionLabels = () => ({
  selectionGroupLabel: strings.requests.selection,
  allItemsSelectionLabel: () => strings.requests.selectAll,
  itemSelectionLabel: (_data: unknown, { request }: Request) => strings.requests.selectRequest(request),
});
