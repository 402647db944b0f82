// Everything that requires an action by a person, the most urgent first.

import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Header from '@cloudscape-design/components/header';
import Input from '@cloudscape-design/components/input';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import { useState } from 'react';
import { counted } from '#shared/text/wording.ts';
import type { Action } from '../../api/answers.ts';
import { useCommand, useRead } from '../../api/queries.ts';
import { useMay, useSession } from '../../app/session.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { CancelBy } from '../../components/outcome-marks.tsx';
import { Empty, Loaded, Screen } from '../../components/screen.tsx';
import { formatNumber } from '../../text/format.ts';
import { numbers } from '../../text/words.ts';
import { EnterPacs } from './enter-pacs.tsx';
import { ResolveRequest } from './resolve-request.tsx';

export default function ActionsScreen() {
  const read = useRead('listActions', {});
  return (
    <Screen title="Action required" description="What cannot continue without you, the most urgent first.">
      <Loaded read={read}>
        {({ actions, isIncomplete }) =>
          actions.length === 0 ? (
            <Container>
              <Empty
                title="No action is required"
                text="Every number continues by itself. This page shows when one does not."
              />
            </Container>
          ) : (
            <>
              <ul className="import-list">
                {actions.map((action) => (
                  <li key={`${action.kind} ${action.id}`}>
                    <ActionCard action={action} />
                  </li>
                ))}
              </ul>
              {isIncomplete && <p className="quiet">There are more actions than this page shows. Solve these first.</p>}
            </>
          )
        }
      </Loaded>
    </Screen>
  );
}

const shownNumbers = 5;

/** The heading of each kind of action. */
const headings = {
  port: (value: number) => `${numbers(value)} with an invalid PAC or another problem`,
  request: (value: number) => `Outcome unknown for ${numbers(value)}`,
  held: (value: number) => `${numbers(value)} held: of another account of the service`,
  mismatch: (value: number) => `${counted(value, 'SIM')} with other services than requested`,
  import: (value: number) => (value === 0 ? 'Requests were declined' : `${numbers(value)} declined`),
  rejected: (value: number) => `${numbers(value)} with errors in the file`,
};

/** One action: what is wrong, until when it can be solved, and the way to solve it. */
function ActionCard({ action }: { readonly action: Action }) {
  const { kind, file, rows, blockedRows, cancelBy, whatToDo } = action;
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={
            <SpaceBetween direction="horizontal" size="m">
              {file !== null && <span className="cell-text">{file}</span>}
              {blockedRows > 0 && <StatusIndicator type="warning">{`${numbers(blockedRows)} blocked`}</StatusIndicator>}
              {cancelBy !== null && (
                <span>
                  <CancelBy at={cancelBy} describe={(at) => `Cancel by ${at}`} />
                </span>
              )}
            </SpaceBetween>
          }
          actions={<Links action={action} />}
        >
          {isFailedPort(action) ? `${numbers(rows)} in a port with the status ${action.status}` : headings[kind](rows)}
        </Header>
      }
    >
      <SpaceBetween size="m">
        <Box>{whatToDo}</Box>
        <Solution action={action} />
      </SpaceBetween>
    </Container>
  );
}

/** No number has a problem, the whole port has one. */
const isFailedPort = ({ kind, numbers }: Action): boolean => kind === 'port' && numbers.length === 0;

function Links({ action: { kind, id, importId, solution } }: { readonly action: Action }) {
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {kind === 'import' && <DismissRows importId={importId} rows="declined" />}
      {kind === 'rejected' && <DismissRows importId={importId} rows="rejected" />}
      {kind === 'port' && <Button href={`#/ports/${id}`}>Show the port</Button>}
      {solution === 'fix-rows' || solution === 'fix-declined' ? (
        <Button variant="primary" href={`#/imports/${importId}/review`}>
          Review and fix
        </Button>
      ) : (
        <Button href={`#/imports/${importId}`}>Show the import</Button>
      )}
    </SpaceBetween>
  );
}

function Solution({ action }: { readonly action: Action }) {
  if (action.solution === 'enter-pacs') return <EnterPacs action={action} />;
  if (action.solution === 'resolve') return <ResolveRequest requestId={action.requestId} />;
  return action.numbers.length === 0 ? null : <AffectedNumbers numbers={action.numbers} />;
}

function AffectedNumbers({ numbers }: Pick<Action, 'numbers'>) {
  const { callingCode } = useSession().environment;
  return (
    <ul className="affected">
      {numbers.slice(0, shownNumbers).map(({ line, msisdn, message, status }) => (
        <li key={line}>
          {msisdn && <span className="digits">{formatNumber(msisdn, callingCode)}</span>} {message ?? status}
        </li>
      ))}
      {numbers.length > shownNumbers && <li>{`and ${counted(numbers.length - shownNumbers, 'number')} more`}</li>}
    </ul>
  );
}

interface DismissProps {
  readonly importId: string;
  readonly rows: 'declined' | 'rejected';
}

/**
 * Nobody will fix the declined or invalid rows of an import: the person gives the reason, and no action is required.
 */
function DismissRows(props: DismissProps) {
  const [isOpen, setOpen] = useState(false);
  const mayDismiss = useMay('uploader');
  if (!mayDismiss) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>Dismiss</Button>
      {isOpen && <DismissDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function DismissDialog({ importId, rows, onClose }: DismissProps & { readonly onClose: () => void }) {
  const [because, setBecause] = useState('');
  const dismiss = useCommand('dismissRows', {
    failed: 'The action was not dismissed',
    onSuccess: onClose,
    isInDialog: true,
  });
  const run = () => dismiss.run({ path: { importId }, body: { rows, because: because.trim() } });
  return (
    <Dialog
      title="Require no action for these numbers?"
      onClose={onClose}
      problem={dismiss.problem}
      confirm={{ text: 'Dismiss', run, isRunning: dismiss.isRunning, isDisabled: because.trim() === '' }}
    >
      <p>
        They stay as they are, and the import keeps them with their reasons. If more are declined later, they are listed
        again.
      </p>
      <FormField label="Reason">
        <Input value={because} onChange={({ detail }) => setBecause(detail.value)} />
      </FormField>
    </Dialog>
  );
}
