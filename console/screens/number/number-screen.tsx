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
import { useRead } from '../../api/queries.ts';
import type { Answer } from '../../api/types.ts';
import { useSession } from '../../app/session.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { OutcomeMark } from '../../components/outcome-mark.tsx';
import { Screen } from '../../components/screen.tsx';
import { Timeline } from '../../components/timeline.tsx';
import { strings } from '../../strings.ts';
import { formatInstant, formatNumber } from '../../text/format.ts';

export default function NumberScreen({ params }: { readonly params: { readonly msisdn?: string } }) {
  const texts = strings.number;
  const written = params.msisdn === undefined ? undefined : decode(params.msisdn);
  return (
    <Screen title={texts.title} description={texts.description}>
      <NumberSearch key={written} text={written ?? ''} />
      {written !== undefined && <Found written={written} />}
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

function Found({ written }: { readonly written: string }) {
  const read = useRead('getNumber', { path: { msisdn: written } });
  const { missing } = strings.number;
  return (
    <Loaded
      read={read}
      missing={
        <Container>
          <Empty title={missing.title(written)} text={missing.text} />
        </Container>
      }
    >
      {(details) => <Details details={details} />}
    </Loaded>
  );
}

function Details({ details }: { readonly details: Answer<'getNumber'> }) {
  const { zone, callingCode } = useSession().environment;
  const texts = strings.number;
  const { number, outcome, status, message, whatToDo, importId, file, line, portId, portStatus, history } = details;
  return (
    <>
      <Container header={<Header variant="h2">{formatNumber(number, callingCode)}</Header>}>
        <KeyValuePairs
          columns={4}
          items={[
            { label: texts.outcome, value: <OutcomeMark outcome={outcome} /> },
            { label: texts.status, value: status ?? portStatus ?? '–' },
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
      <Container header={<Header variant="h2">{texts.history}</Header>}>
        <Timeline
          entries={[
            ...history.map(({ at, status: to, was }) => ({ at, text: to, note: was && texts.was(was) })),
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
