// What happened to one number, in any notation: current truth first, then its history over all imports.
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Link from '@cloudscape-design/components/link';
import Table from '@cloudscape-design/components/table';
import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { shortestSearch } from '#shared/api/agreed-names.ts';
import { outcomeWords } from '#shared/outcome/outcome.ts';
import { count, counted } from '#shared/text/wording.ts';
import { type Answer, isProblem } from '../../api/answers.ts';
import { usePages, useRead } from '../../api/queries.ts';
import { ProblemText } from '../../app/notices.tsx';
import { useSession } from '../../app/session.tsx';
import { MoreButton } from '../../components/more-pages.tsx';
import { History, OutcomeMark, StatusText, statusWords } from '../../components/outcome-marks.tsx';
import { Loaded, Screen } from '../../components/screen.tsx';
import { formatInstant, formatNumber } from '../../text/format.ts';
import { EnterPacs } from '../actions/enter-pacs.tsx';

export default function NumberScreen({ params }: { readonly params: { readonly msisdn?: string } }) {
  const written = params.msisdn === undefined ? undefined : decode(params.msisdn);
  const { callingCode } = useSession().environment;
  const read = useRead('getNumber', { path: { msisdn: written ?? '' } }, { enabled: written !== undefined });
  const title = () => {
    if (written === undefined) return 'Find a number';
    if (isProblem(read.error, 'not-found')) return `No import has sent ${written}`;
    return read.data === undefined ? written : formatNumber(read.data.number, callingCode);
  };
  return (
    <Screen title={title()} description="What happened to a number, a SIM or a reference in all imports.">
      <NumberSearch key={written} text={written ?? ''} />
      {written !== undefined && <Found text={written} read={read} />}
    </Screen>
  );
}

/** A text that no import has sent as a number is searched in the rows. */
function Found({ text, read }: { readonly text: string; readonly read: UseQueryResult<Answer<'getNumber'>> }) {
  const isUnknown = isProblem(read.error, 'not-found');
  if (!isUnknown && !isProblem(read.error, 'invalid-request'))
    return <Loaded read={read}>{(details) => <Details details={details} />}</Loaded>;
  if (text.trim().length < shortestSearch)
    return <p>{`Enter at least ${shortestSearch} characters to find a SIM, a reference or another text.`}</p>;
  return (
    <>
      {isUnknown && <p>Check the number. Rows that wait for approval are not found here.</p>}
      <RowSearch text={text.trim()} />
    </>
  );
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

const place = (file: string, line: number) => `${file}, line ${count(line)}`;

function Details({ details }: { readonly details: Answer<'getNumber'> }) {
  const { zone } = useSession().environment;
  const { number, outcome, status, message, whatToDo, importId, file, line, request, portId, portStatus, history } =
    details;
  return (
    <>
      <Container header={<Header variant="h2">Now</Header>}>
        <KeyValuePairs
          columns={4}
          items={[
            { label: 'Outcome', value: <OutcomeMark row={details} /> },
            { label: 'Status', value: <StatusText name={status ?? portStatus ?? ''} /> },
            {
              label: 'Import',
              value: <Link href={`#/imports/${importId}`}>{place(file ?? importId, line)}</Link>,
            },
            {
              label: 'Request',
              value: <Link href={`#/imports/${importId}/requests/${request}`}>Open request</Link>,
            },
            {
              label: 'Port',
              value: portId === null ? '–' : <Link href={`#/ports/${portId}`}>Open</Link>,
            },
          ]}
        />
      </Container>
      {(message ?? whatToDo) !== null && (
        <Alert type={outcome === 'action-required' ? 'warning' : 'info'} header={message ?? 'What to do'}>
          {message === null ? whatToDo : (whatToDo ?? '')}
        </Alert>
      )}
      {outcome === 'action-required' && <NewPac number={number} portId={portId} />}
      <Container header={<Header variant="h2">History</Header>}>
        <History entries={historyOf(details)} />
        {history.length === 0 && (
          <p className="quiet">{`No change of a port is known since ${formatInstant(details.claimedAt, zone)}.`}</p>
        )}
      </Container>
    </>
  );
}

/** The latest first. */
function historyOf(details: Answer<'getNumber'>) {
  const { file, importId, history } = details;
  return [
    ...history.map(({ at, status: to, was }) => ({
      at,
      text: statusWords(to),
      note: was && `was ${statusWords(was)}`,
    })),
    ...(details.submittedAt === null
      ? []
      : [{ at: details.submittedAt, text: `Sent with ${file ?? importId}`, href: `#/imports/${importId}` }]),
    ...details.laterImports.map((later) => ({
      at: later.claimedAt,
      text: `In a later import, line ${count(later.line)}: ${outcomeWords[later.outcome]}`,
      href: `#/imports/${later.importId}`,
    })),
    ...details.earlierImports.map((earlier) => ({
      at: earlier.claimedAt,
      text: `In an earlier import, line ${count(earlier.line)}`,
      href: `#/imports/${earlier.importId}`,
    })),
  ].sort((one, other) => other.at.localeCompare(one.at));
}

/** The action of the port, for this number alone. */
function NewPac({ number, portId }: { readonly number: string; readonly portId: string | null }) {
  const { data } = useRead('listActions', {});
  const action = data?.actions.find(({ solution, id }) => solution === 'enter-pacs' && id === portId);
  const own = action?.numbers.filter(({ msisdn }) => msisdn === number) ?? [];
  if (action === undefined || own.length === 0) return null;
  const blockedRows = action.numbers.length === 1 ? action.blockedRows : 0;
  return (
    <Container header={<Header variant="h2">New PAC</Header>}>
      <EnterPacs action={{ ...action, numbers: own, blockedRows }} />
    </Container>
  );
}

function NumberSearch({ text: initial }: { readonly text: string }) {
  const [text, setText] = useState(initial);
  const [, navigate] = useLocation();
  return (
    <form
      className="number-search"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') navigate(`/numbers/${encodeURIComponent(text.trim())}`);
      }}
    >
      <FormField
        label="Number, SIM or reference"
        constraintText="A number in any notation, a SIM, or a reference or another text of a file."
        stretch
      >
        <Input type="search" value={text} onChange={({ detail }) => setText(detail.value)} />
      </FormField>
      <Button formAction="submit" variant="primary" disabled={text.trim() === ''}>
        Find
      </Button>
    </form>
  );
}

type Row = Answer<'findRows'>['rows'][number];

const howFarSearched = (imports: number, without: number, since: string) =>
  `${counted(imports, 'import')} searched, back to ${since}${
    without === 0 ? '' : `; ${count(without)} without results left out`
  }.`;

const nothingFound = (isOlderLeft: boolean) =>
  isOlderLeft ? 'No row of the imports searched so far has this text.' : 'No row has this number, SIM or text.';

/** Rows of all imports with a text: a SIM, an own reference, or a number that no import has sent. */
function RowSearch({ text }: { readonly text: string }) {
  const { zone } = useSession().environment;
  // Each page reads results files.
  const read = usePages('findRows', { query: { text } }, { everyMs: () => false });
  const pages = read.data?.pages ?? [];
  const rows = pages.flatMap((page) => page.rows);
  const searched = pages.reduce((sum, page) => sum + page.searched, 0);
  const withoutResults = pages.reduce((sum, page) => sum + page.withoutResults, 0);
  const since = pages.flatMap((page) => page.since ?? []).at(-1);
  return (
    <Table
      variant="container"
      wrapLines
      items={rows}
      trackBy={({ importId, line, cell }) => `${importId} ${line} ${cell}`}
      loading={read.isPending}
      loadingText="Searching the results, the newest import first"
      empty={read.data === undefined ? <ProblemText error={read.error} /> : nothingFound(read.hasNextPage)}
      header={
        <Header
          variant="h2"
          counter={rows.length === 0 ? undefined : `(${count(rows.length)}${read.hasNextPage ? '+' : ''})`}
          description={since && howFarSearched(searched, withoutResults, formatInstant(since, zone))}
        >
          Rows of all imports
        </Header>
      }
      footer={read.hasNextPage && <MoreButton read={read} text="Search older imports" />}
      columnDefinitions={foundColumns()}
    />
  );
}

function foundColumns() {
  return [
    {
      id: 'import',
      header: 'Import',
      isRowHeader: true,
      minWidth: 200,
      cell: ({ importId, file, line }: Row) => <Link href={`#/imports/${importId}/rows`}>{place(file, line)}</Link>,
    },
    {
      id: 'cell',
      header: 'Found',
      minWidth: 200,
      cell: ({ column, cell }: Row) => (column ? `${column}: ${cell}` : '–'),
    },
    { id: 'outcome', header: 'Outcome', minWidth: 140, cell: (row: Row) => <OutcomeMark row={row} /> },
    { id: 'message', header: 'Message', minWidth: 200, cell: ({ message }: Row) => message || '–' },
    {
      id: 'port',
      header: 'Port',
      minWidth: 90,
      cell: ({ portId, outcome }: Row) =>
        portId === '' || outcome === 'accepted' ? '–' : <Link href={`#/ports/${portId}`}>Open</Link>,
    },
  ];
}
