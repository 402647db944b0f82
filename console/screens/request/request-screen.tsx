// One request to the service: what it sends, what came of it, and its ports.

import Alert from '@cloudscape-design/components/alert';
import Container from '@cloudscape-design/components/container';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { requestStateWords } from '#shared/outcome/outcome.ts';
import { count } from '#shared/text/wording.ts';
import type { Answer } from '../../api/answers.ts';
import { useRead } from '../../api/queries.ts';
import { useSession } from '../../app/session.tsx';
import { StatusText } from '../../components/outcome-marks.tsx';
import { Loaded, MissingScreen, Screen } from '../../components/screen.tsx';
import { formatDay, formatInstant } from '../../text/format.ts';
import { sentOnDay } from '../../text/words.ts';
import { ResolveRequest } from '../actions/resolve-request.tsx';

type Request = Answer<'getRequest'>;

export default function RequestScreen({
  params,
}: {
  readonly params: { readonly importId: string; readonly request: string };
}) {
  const { importId, request } = params;
  const read = useRead('getRequest', { path: { importId, request } });
  return (
    <Loaded
      read={read}
      missing={<MissingScreen title="There is no such request" text="The import has no request with this number." />}
    >
      {(found) => <RequestView request={found} />}
    </Loaded>
  );
}

const resolutions = {
  adopt: 'the port that exists was adopted',
  resend: 'the request was sent again',
  abandon: 'the request was abandoned',
  keep: 'one of its ports was kept',
};

const resolved = (by: string, at: string, what: 'adopt' | 'resend' | 'abandon' | 'keep', because = '') =>
  `${by} resolved it at ${at}: ${resolutions[what]}${because === '' ? '' : `. ${because}`}`;

function RequestView({ request }: { readonly request: Request }) {
  const { importId, name, state, portStatus, label, rows, error, note, sendOn, resolution } = request;
  const { zone } = useSession().environment;
  const { data: item } = useRead('getImport', { path: { importId } });
  const answer = error?.message ?? note;
  return (
    <Screen
      title={`${name.charAt(0).toUpperCase()}${name.slice(1)}`}
      above={[
        { text: 'Imports', href: '#/' },
        { text: item?.file ?? 'Import', href: `#/imports/${importId}` },
        { text: 'Requests', href: `#/imports/${importId}/requests` },
      ]}
      description={label}
    >
      <Container>
        <KeyValuePairs
          columns={4}
          items={[
            {
              label: 'State',
              value: portStatus === null ? requestStateWords[state] : <StatusText name={portStatus} />,
            },
            {
              label: 'Numbers',
              value: (
                <Link href={`#/imports/${importId}/rows/${request.request}`}>
                  {`${count(rows)}, in the numbers of the file`}
                </Link>
              ),
            },
            { label: 'Port', value: <PortsOf request={request} /> },
            { label: 'Changed', value: formatInstant(request.changedAt, zone) },
            ...(sendOn === undefined ? [] : [{ label: 'Note', value: sentOnDay(formatDay(sendOn)) }]),
            ...(request.partOf === undefined ? [] : [{ label: 'Part of', value: <Divided request={request} /> }]),
          ]}
        />
      </Container>
      {resolution !== null && (
        <Alert type="info">
          {resolved(resolution.by, formatInstant(resolution.at, zone), resolution.what, resolution.because)}
        </Alert>
      )}
      {answer !== null && <Alert type={state === 'declined' ? 'error' : 'info'}>{answer}</Alert>}
      {state === 'action-required' && <ResolveRequest requestId={`${importId}/${request.request}`} />}
    </Screen>
  );
}

/** A request has one port, or several where the service executed it more than once. */
function PortsOf({ request: { portId, duplicatePortIds, ticket } }: { readonly request: Request }) {
  if (portId === null) return ticket ?? '–';
  return (
    <SpaceBetween size="xxs">
      {[portId, ...duplicatePortIds].map((id) => (
        <Link key={id} href={`#/ports/${id}`}>
          Open
        </Link>
      ))}
    </SpaceBetween>
  );
}

const Divided = ({ request: { importId, partOf } }: { readonly request: Request }) => (
  <Link href={`#/imports/${importId}/requests/${partOf}`}>Open the divided request</Link>
);
