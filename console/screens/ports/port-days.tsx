// The ports of the next days: how many numbers move on each, which are blocked, and until when they can be cancelled.
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { useState } from 'react';
import { addDays, dateInZone } from '#shared/row/calendar-date.ts';
import { count } from '#shared/text/wording.ts';
import type { Answer } from '../../api/answers.ts';
import { useRead } from '../../api/queries.ts';
import { ProblemText } from '../../app/notices.tsx';
import { useNow, useSession } from '../../app/session.tsx';
import { useFittingColumns } from '../../components/fitting-columns.tsx';
import { CancelBy, StatusText } from '../../components/outcome-marks.tsx';
import { formatDay } from '../../text/format.ts';

type Days = Answer<'listPortDays'>;
type Day = Days['days'][number];

/** Today and the next days that one page shows. */
const shownDays = 14;

export function PortDays() {
  const { zone } = useSession().environment;
  const today = dateInZone(useNow(), zone);
  const [pages, setPages] = useState(0);
  const [chosen, setChosen] = useState<string>();
  const from = addDays(today, pages * shownDays);
  const to = addDays(from, shownDays - 1);
  const read = useRead('listPortDays', { query: { from, to, limit: '1' } });
  const turn = (by: number) => {
    setPages(pages + by);
    setChosen(undefined);
  };
  return (
    <SpaceBetween size="m">
      <Table
        variant="container"
        wrapLines
        items={read.data?.days ?? []}
        trackBy="day"
        loading={read.isPending}
        loadingText="Loading"
        empty={
          read.error === null ? 'No port of simporter has a day in this period.' : <ProblemText error={read.error} />
        }
        header={
          <Header
            variant="h2"
            description={`${pages === 0 ? 'Today and the next days' : `${formatDay(from)} to ${formatDay(to)}`}: ports of simporter, as it last read them.`}
            actions={
              <SpaceBetween direction="horizontal" size="xs">
                <Button iconName="angle-left" ariaLabel="Earlier days" onClick={() => turn(-1)} />
                <Button iconName="angle-right" ariaLabel="Later days" onClick={() => turn(1)} />
              </SpaceBetween>
            }
          >
            Port days
          </Header>
        }
        footer={
          read.data?.isComplete === false &&
          'This period has more than 10,000 ports: the sums are of the first of them.'
        }
        columnDefinitions={useFittingColumns(dayColumns(today, chosen, setChosen))}
      />
      {chosen !== undefined && <PortsOfDay day={chosen} />}
    </SpaceBetween>
  );
}

function dayColumns(today: string, chosen: string | undefined, choose: (day: string | undefined) => void) {
  return [
    {
      id: 'day',
      header: 'Day',
      isRowHeader: true,
      minWidth: 140,
      cell: ({ day }: Day) => (
        <Button
          variant="inline-link"
          ariaExpanded={day === chosen}
          onClick={() => choose(day === chosen ? undefined : day)}
        >
          {day === today ? `Today, ${formatDay(day)}` : formatDay(day)}
        </Button>
      ),
    },
    { id: 'numbers', header: 'Numbers', cell: ({ numbers }: Day) => count(numbers) },
    { id: 'complete', header: 'Ported', cell: ({ complete }: Day) => count(complete) },
    { id: 'blocked', header: 'Blocked', cell: ({ blocked }: Day) => count(blocked) },
    {
      id: 'actions',
      header: 'Action required',
      cell: ({ actionRequired }: Day) => count(actionRequired),
      minWidth: 120,
    },
    { id: 'ports', header: 'Ports', cell: ({ ports }: Day) => count(ports) },
    {
      id: 'cancelBy',
      header: 'Cancel by',
      minWidth: 180,
      cell: ({ cancelBy }: Day) => <CancelBy at={cancelBy} />,
    },
  ];
}

const mostPorts = 500;

function PortsOfDay({ day }: { readonly day: string }) {
  const read = useRead('listPortDays', { query: { from: day, to: day, limit: String(mostPorts) } });
  const ports = read.data?.ports ?? [];
  return (
    <Table
      variant="container"
      wrapLines
      items={ports}
      trackBy="portId"
      loading={read.isPending}
      loadingText="Loading"
      empty={read.error !== null && <ProblemText error={read.error} />}
      header={<Header variant="h2">{`Ports on ${formatDay(day)}`}</Header>}
      footer={read.data?.nextCursor ? `The first ${count(ports.length)} ports.` : undefined}
      columnDefinitions={useFittingColumns<Days['ports'][number]>([
        {
          id: 'name',
          header: 'Name',
          isRowHeader: true,
          minWidth: 220,
          cell: ({ portId, name }) => <Link href={`#/ports/${portId}`}>{name || portId}</Link>,
        },
        { id: 'status', header: 'Status', cell: ({ status }) => <StatusText name={status} />, minWidth: 140 },
        { id: 'numbers', header: 'Numbers', cell: ({ rowCount }) => count(rowCount) },
        { id: 'blocked', header: 'Blocked', cell: ({ blockedRows }) => count(blockedRows) },
        {
          id: 'cancelBy',
          header: 'Cancel by',
          minWidth: 180,
          cell: ({ cancelBy }) => <CancelBy at={cancelBy} />,
        },
        {
          id: 'import',
          header: 'Import',
          minWidth: 100,
          cell: ({ importId }) => <Link href={`#/imports/${importId}`}>Open</Link>,
        },
      ])}
    />
  );
}
