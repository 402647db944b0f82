// The requests of an import: their state, their port, and rescheduling.
import Button from '@cloudscape-design/components/button';
import DatePicker from '@cloudscape-design/components/date-picker';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import RadioGroup from '@cloudscape-design/components/radio-group';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { isActive } from '#shared/import/import-state.ts';
import { requestStateWords } from '#shared/outcome/outcome.ts';
import { count, counted } from '#shared/text/wording.ts';
import type { Answer, ImportDetails } from '../../api/answers.ts';
import { useCommand, usePages } from '../../api/queries.ts';
import { ProblemText } from '../../app/notices.tsx';
import { useMay } from '../../app/session.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { MoreButton } from '../../components/more-pages.tsx';
import { StatusText } from '../../components/outcome-marks.tsx';
import { formatDay } from '../../text/format.ts';
import { sentOnDay } from '../../text/words.ts';

type Request = Answer<'listRequests'>['requests'][number];

export default function RequestsTab({ item }: { readonly item: ImportDetails }) {
  const { importId, operation } = item;
  const [selected, setSelected] = useState<readonly Request[]>([]);
  const [isMoving, setMoving] = useState(false);
  const mayReschedule = useMay('approver') && operation === 'create-port' && isActive(item);
  const read = usePages('listRequests', { path: { importId } });
  const requests = read.data?.pages.flatMap((page) => page.requests) ?? [];
  return (
    <>
      <Table
        variant="container"
        wrapLines
        items={requests}
        trackBy={({ request }) => String(request)}
        loading={read.isPending}
        loadingText="Loading"
        {...(mayReschedule ? { selectionType: 'multi' as const } : {})}
        selectedItems={[...selected]}
        onSelectionChange={({ detail }) => setSelected(detail.selectedItems)}
        ariaLabels={selectionLabels()}
        header={
          <Header
            variant="h2"
            counter={`(${count(item.requestCount)})`}
            actions={
              mayReschedule && (
                <Button onClick={() => setMoving(true)}>
                  {selected.length === 0 ? 'Reschedule all' : `Reschedule ${counted(selected.length, 'request')}`}
                </Button>
              )
            }
          >
            Requests
          </Header>
        }
        empty={read.data === undefined ? <ProblemText error={read.error} /> : 'No request was sent yet.'}
        columnDefinitions={columns()}
        footer={read.hasNextPage && <MoreButton read={read} text="Show more requests" />}
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

const Ports = ({ portIds }: { readonly portIds: readonly string[] }) => (
  <SpaceBetween size="xxs">
    {portIds.map((portId) => (
      <Link key={portId} href={`#/ports/${portId}`}>
        Open
      </Link>
    ))}
  </SpaceBetween>
);

const columns = () => [
  {
    id: 'request',
    header: 'Request',
    isRowHeader: true,
    minWidth: 120,
    cell: ({ name, importId, request }: Request) => (
      <Link href={`#/imports/${importId}/requests/${request}`}>{name}</Link>
    ),
  },
  { id: 'label', header: 'Content', cell: ({ label }: Request) => label, minWidth: 220 },
  { id: 'rows', header: 'Numbers', cell: ({ rows }: Request) => count(rows) },
  {
    id: 'state',
    header: 'State',
    minWidth: 160,
    cell: ({ state, portStatus }: Request) =>
      portStatus ? <StatusText name={portStatus} /> : requestStateWords[state],
  },
  {
    id: 'port',
    header: 'Port',
    cell: ({ portId, duplicatePortIds, ticket }: Request) =>
      portId === null ? (ticket ?? '–') : <Ports portIds={[portId, ...duplicatePortIds]} />,
  },
  {
    id: 'note',
    header: 'Note',
    minWidth: 220,
    cell: ({ error, note, sendOn }: Request) =>
      sendOn === undefined ? (error?.message ?? note ?? '–') : sentOnDay(formatDay(sendOn)),
  },
];

const selectionLabels = () => ({
  selectionGroupLabel: 'Selected requests',
  allItemsSelectionLabel: () => 'Select all requests',
  itemSelectionLabel: (_data: unknown, { name }: Request) => `Select ${name}`,
});

interface Props {
  readonly importId: string;
  /** All of the import where empty. */
  readonly requests: readonly number[];
  readonly onClose: () => void;
}

const dateChoices = [
  { value: 'auto', label: 'The first possible day', description: 'The earliest working day that the network accepts' },
  { value: 'date', label: 'A day that I choose' },
];

/** Moves ports to another date: a new import cancels them and creates them again on that date. */
function RescheduleDialog({ importId, requests, onClose }: Props) {
  const [, navigate] = useLocation();
  const [kind, setKind] = useState('auto');
  const [date, setDate] = useState('');
  const reschedule = useCommand('rescheduleImport', {
    failed: 'The ports were not rescheduled',
    onSuccess: (answer) => {
      onClose();
      navigate(`/imports/${answer.importId}`);
    },
    isInDialog: true,
  });
  const run = () =>
    reschedule.run({
      path: { importId },
      body: { date: kind === 'auto' ? 'auto' : date, ...(requests.length === 0 ? {} : { requests: [...requests] }) },
    });
  return (
    <Dialog
      title={
        requests.length === 0
          ? 'Move all ports to another date'
          : `Move ${counted(requests.length, 'port')} to another date`
      }
      onClose={onClose}
      problem={reschedule.problem}
      confirm={{
        text: 'Reschedule',
        run,
        isRunning: reschedule.isRunning,
        isDisabled: kind === 'date' && date === '',
      }}
    >
      <SpaceBetween size="m">
        <p>
          A new import cancels the ports and creates them again on the other date. If one of them is locked, or cannot
          have this date, no port is moved.
        </p>
        <RadioGroup
          value={kind}
          ariaLabel="Date"
          items={dateChoices}
          onChange={({ detail }) => setKind(detail.value)}
        />
        {kind === 'date' && (
          <FormField label="Date">
            <DatePicker
              value={date}
              format="iso"
              placeholder="YYYY-MM-DD"
              onChange={({ detail }) => setDate(detail.value)}
            />
          </FormField>
        )}
      </SpaceBetween>
    </Dialog>
  );
}
