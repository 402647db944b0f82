// A request with an unknown outcome: the evidence side by side, then adopt, resend or abandon.

import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import CopyToClipboard from '@cloudscape-design/components/copy-to-clipboard';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import KeyValuePairs from '@cloudscape-design/components/key-value-pairs';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import Tiles from '@cloudscape-design/components/tiles';
import { useState } from 'react';
import { counted } from '#shared/text/wording.ts';
import type { Answer } from '../../api/answers.ts';
import { useCommand, useRead } from '../../api/queries.ts';
import { useNotices } from '../../app/notices.tsx';
import { useMay, useSession } from '../../app/session.tsx';
import { Loaded } from '../../components/screen.tsx';
import { formatInstant } from '../../text/format.ts';

type Request = Answer<'getRequest'>;
type Kind = 'adopt' | 'resend' | 'abandon';

/** @param requestId `IMPORT/REQUEST` */
export function ResolveRequest({ requestId }: { readonly requestId: string }) {
  const [importId = '', request = ''] = requestId.split('/');
  const read = useRead('getRequest', { path: { importId, request } }, { everyMs: 2_000 });
  return (
    <Loaded read={read}>
      {(found) => (
        <SpaceBetween size="m">
          <Evidence request={found} />
          <Progress resolving={found.resolving} />
          <Decision
            path={{ importId, request }}
            mayHavePort={found.operation === 'create-port'}
            isWaiting={found.resolving?.state === 'waiting'}
          />
        </SpaceBetween>
      )}
    </Loaded>
  );
}

function Evidence({ request }: { readonly request: Request }) {
  const { zone } = useSession().environment;
  return (
    <KeyValuePairs
      columns={3}
      items={[
        { label: 'Content', value: request.label },
        {
          label: 'Sent',
          value: `${counted(request.attempt, 'attempt')}, the last at ${formatInstant(request.changedAt, zone)}`,
        },
        { label: 'Last result', value: request.error?.message ?? 'None' },
        {
          label: 'Search the portal for',
          value: (
            <CopyToClipboard
              variant="inline"
              textToCopy={request.token}
              copyButtonAriaLabel="Copy"
              copySuccessText="Copied"
              copyErrorText="Not copied"
            />
          ),
        },
        { label: 'Numbers', value: request.rows },
        ...(request.operation === 'create-port' ? [{ label: 'Port', value: request.portId ?? 'None' }] : []),
      ]}
    />
  );
}

/** Sync carries a decision out as soon as no run is in progress: for minutes, where the list of ports is long. */
function Progress({ resolving }: Pick<Request, 'resolving'>) {
  if (resolving?.state === 'waiting')
    return <StatusIndicator type="in-progress">The request is being resolved</StatusIndicator>;
  if (resolving?.state !== 'declined') return null;
  return (
    <Alert type="error" header="The request was not resolved">
      {`${resolving.why}. ${resolving.advice}.`}
    </Alert>
  );
}

interface DecisionProps {
  readonly path: { readonly importId: string; readonly request: string };
  /** Other operations create no port that could be adopted. */
  readonly mayHavePort: boolean;
  readonly isWaiting: boolean;
}

const confirmations = { adopt: 'Adopt the port', resend: 'Resend the request', abandon: 'Abandon the request' };

/** For operations that create no port. */
const otherKinds = {
  resend: { label: 'The service did not execute it', description: 'Resend the request: everything is sent again' },
  abandon: { label: 'The service executed it', description: 'Abandon the request: nothing is sent again' },
};

const kinds = {
  adopt: { label: 'The port exists', description: 'Adopt it: simporter follows this port' },
  resend: { label: 'The port does not exist', description: 'Resend the request: the numbers are sent again' },
  abandon: { label: 'These numbers are done another way', description: 'Abandon the request: nothing is sent' },
};

function Decision({ path, mayHavePort, isWaiting }: DecisionProps) {
  const mayResolve = useMay('operator');
  const { notify } = useNotices();
  const [kind, setKind] = useState<Kind>();
  const [portId, setPortId] = useState('');
  const solutions = mayHavePort
    ? (['adopt', 'resend', 'abandon'] as const).map((value) => ({ value, ...kinds[value] }))
    : (['resend', 'abandon'] as const).map((value) => ({ value, ...otherKinds[value] }));
  const resolve = useCommand('resolveRequest', {
    failed: 'The request was not resolved',
    onSuccess: () => notify({ type: 'info', header: 'The request is being resolved' }),
  });
  if (!mayResolve)
    return <Box color="text-body-secondary">The role "operator" is required to resolve this request.</Box>;
  const run = () => {
    if (kind === 'adopt') resolve.run({ path, body: { what: { kind, portId: portId.trim() } } });
    if (kind === 'resend') resolve.run({ path, body: { what: { kind, yes: true } } });
    if (kind === 'abandon') resolve.run({ path, body: { what: { kind } } });
  };
  return (
    <SpaceBetween size="m">
      <FormField
        label="simporter does not know whether the service executed this request. What did you find in the portal?"
        stretch
      >
        <Tiles
          value={kind ?? null}
          columns={solutions.length}
          items={solutions}
          onChange={({ detail }) => setKind(detail.value as Kind)}
        />
      </FormField>
      {kind === 'adopt' && (
        <FormField label="Id of the port">
          <Input value={portId} onChange={({ detail }) => setPortId(detail.value)} />
        </FormField>
      )}
      {kind !== undefined && (
        <Button
          variant="primary"
          loading={resolve.isRunning || isWaiting}
          disabled={kind === 'adopt' && portId.trim() === ''}
          onClick={run}
        >
          {confirmations[kind]}
        </Button>
      )}
    </SpaceBetween>
  );
}
