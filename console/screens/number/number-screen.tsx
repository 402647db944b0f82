// What happened to one number, in any notation: current truth first, then its history over all imports.
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Link from '@cloudscape-design/components/link';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { isProblem } from '../../api/errors.ts';
import { useRead } from '../../api/queries.ts';
import type { Answer } from '../../api/types.ts';
import { useSession } from '../../app/session.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { OutcomeMark } from '../../components/outcome-mark.tsx';
import { Screen } from '../../components/screen.tsx';
import { StatusText, statusWords } from '../../components/status-text.tsx';
import { Timeline } from '../../components/timeline.tsx';
import { strings } from '../../strings.ts';
import { formatInstant, formatNumber } from '../../text/format.ts';
import { EnterPacs } from '../actions/enter-pacs.tsx';

export default function NumberScreen({ params }: { readonly params: { readonly msisdn?: string } }) {
  const texts = strings.number;
  const written = params.msisdn === undefined ? undefined : decode(params.msisdn);
  const { callingCode } = useSession().environment;
  const read = useRead('getNumber', { path: { msisdn: written ?? '' } }, { enabled: written !== undefined });
  const title = () => {
    if (written === undefined) return texts.title;
    if (isProblem(read.error, 'not-found')) return texts.missing.title(written);
    return read.data === undefined ? written : formatNumber(read.data.number, callingCode);
  };
  return (
    <Screen title={title()} description={texts.description}>
      <NumberSearch key={written} text={written ?? ''} />
      {written !== undefined && (
        <Loaded read={read} missing={<p>{texts.missing.text}</p>}>
          {(details) => <Details details={details} />}
        </Loaded>
      )}
    </Screen>
  );
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

function Details({ details }: { readonly details: Answer<'getNumber'> }) {
  const { zone } = useSession().environment;
  const texts = strings.number;
  const { number, outcome, status, message, whatToDo, importId, file, line, portId, portStatus, history } = details;
  return (
    <>
      <Container header={<Header variant="h2">{texts.outcome}</Header>}>
        <KeyValuePairs
          columns={4}
          items={[
            { label: strings.rows.columns.outcome, value: <OutcomeMark row={details} /> },
            { label: texts.status, value: <StatusText name={status ?? portStatus ?? ''} /> },
            {
              label: texts.import,
              value: <Link href={`#/imports/${importId}`}>{texts.place(file ?? importId, line)}</Link>,
            },
            {
              label: texts.port,
              value: portId === null ? '–' : <Link href={`#/ports/${portId}`}>{strings.rows.columns.openPort}</Link>,
            },
          ]}
        />
      </Container>
      {(message ?? whatToDo) !== null && (
        <Alert type={outcome === 'action-required' ? 'warning' : 'info'} header={message ?? texts.whatToDo}>
          {message === null ? whatToDo : (whatToDo ?? '')}
        </Alert>
      )}
      {outcome === 'action-required' && <NewPac number={number} portId={portId} />}
      <Container header={<Header variant="h2">{texts.history}</Header>}>
        <Timeline
          entries={[
            ...history.map(({ at, status: to, was }) => ({
              at,
              text: statusWords(to),
              note: was && texts.was(statusWords(was)),
            })),
            ...(details.submittedAt === null ? [] : [{ at: details.submittedAt, text: texts.sent(file ?? importId) }]),
            ...details.earlierImports.map((earlier) => ({
              at: earlier.claimedAt,
              text: texts.earlier(earlier.line),
              href: `#/imports/${earlier.importId}`,
            })),
          ].sort((one, other) => other.at.localeCompare(one.at))}
          zone={zone}
        />
        {history.length === 0 && <p className="quiet">{texts.noHistory(formatInstant(details.claimedAt, zone))}</p>}
      </Container>
    </>
  );
}

/** The action of the port, for this number alone. */
function NewPac({ number, portId }: { readonly number: string; readonly portId: string | null }) {
  const { data } = useRead('listActions', {});
  const action = data?.actions.find(({ solution, id }) => solution === 'enter-pacs' && id === portId);
  const own = action?.numbers.filter(({ msisdn }) => msisdn === number) ?? [];
  if (action === undefined || own.length === 0) return null;
  const blockedRows = action.numbers.length === 1 ? action.blockedRows : 0;
  return (
    <Container header={<Header variant="h2">{strings.pacs.placeholder}</Header>}>
      <EnterPacs action={{ ...action, numbers: own, blockedRows }} />
    </Container>
  );
}

function NumberSearch({ text: initial }: { readonly text: string }) {
  const [text, setText] = useState(initial);
  const [, navigate] = useLocation();
  const texts = strings.number;
  return (
    <form
      className="number-search"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() !== '') navigate(`/numbers/${encodeURIComponent(text.trim())}`);
      }}
    >
      <FormField label={texts.label} constraintText={texts.notations} stretch>
        <Input type="search" inputMode="tel" value={text} onChange={({ detail }) => setText(detail.value)} />
      </FormField>
      <Button formAction="submit" variant="primary" disabled={text.trim() === ''}>
        {texts.find}
      </Button>
    </form>
  );
}
