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
import { useRead } from '../../api/queries.ts';
import type { Answer } from '../../api/types.ts';
import { useCommand } from '../../api/use-command.ts';
import { useNotices } from '../../app/notices.tsx';
import { useMay, useSession } from '../../app/session.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { strings } from '../../strings.ts';
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
  const { evidence } = strings.resolution;
  return (
    <KeyValuePairs
      columns={3}
      items={[
        { label: evidence.content, value: request.label },
        { label: evidence.attempt, value: evidence.sentAt(request.attempt, formatInstant(request.changedAt, zone)) },
        { label: evidence.answer, value: request.error?.message ?? evidence.none },
        {
          label: evidence.token,
          value: (
            <CopyToClipboard
              variant="inline"
              textToCopy={request.token}
              copyButtonAriaLabel={evidence.copy}
              copySuccessText={evidence.copied}
              copyErrorText={evidence.notCopied}
            />
          ),
        },
        { label: evidence.numbers, value: request.rows },
        ...(request.operation === 'create-port'
          ? [{ label: evidence.port, value: request.portId ?? evidence.none }]
          : []),
      ]}
    />
  );
}

/** Sync carries a decision out as soon as no run is in progress: for minutes, where the list of ports is long. */
function Progress({ resolving }: Pick<Request, 'resolving'>) {
  const { waiting, failed } = strings.resolution;
  if (resolving?.state === 'waiting') return <StatusIndicator type="in-progress">{waiting}</StatusIndicator>;
  if (resolving?.state !== 'declined') return null;
  return (
    <Alert type="error" header={failed}>
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

function Decision({ path, mayHavePort, isWaiting }: DecisionProps) {
  const mayResolve = useMay('operator');
  const { notify } = useNotices();
  const [kind, setKind] = useState<Kind>();
  const [portId, setPortId] = useState('');
  const texts = strings.resolution;
  const { kinds, otherKinds } = texts;
  const solutions = mayHavePort
    ? (['adopt', 'resend', 'abandon'] as const).map((value) => ({ value, ...kinds[value] }))
    : (['resend', 'abandon'] as const).map((value) => ({ value, ...otherKinds[value] }));
  const resolve = useCommand('resolveRequest', {
    failed: texts.failed,
    onSuccess: () => notify({ type: 'info', header: texts.waiting }),
  });
  if (!mayResolve) return <Box color="text-body-secondary">{texts.role}</Box>;
  const run = () => {
    if (kind === 'adopt') resolve.run({ path, body: { what: { kind, portId: portId.trim() } } });
    if (kind === 'resend') resolve.run({ path, body: { what: { kind, yes: true } } });
    if (kind === 'abandon') resolve.run({ path, body: { what: { kind } } });
  };
  return (
    <SpaceBetween size="m">
      <FormField label={texts.question} stretch>
        <Tiles
          value={kind ?? null}
          columns={solutions.length}
          items={solutions}
          onChange={({ detail }) => setKind(detail.value as Kind)}
        />
      </FormField>
      {kind === 'adopt' && (
        <FormField label={texts.portId}>
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
          {texts.confirm[kind]}
        </Button>
      )}
    </SpaceBetween>
  );
}
