// One action: what is wrong, until when it can be solved, and the way to solve it.
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import StatusIndicator from '@cloudscape-design/components/status-indicator';
import type { Action } from '../../api/types.ts';
import { useSession } from '../../app/session.tsx';
import { useNow } from '../../app/use-now.ts';
import { strings } from '../../strings.ts';
import { formatInstant, formatNumber } from '../../text/format.ts';
import { DismissRows } from './dismiss-rows.tsx';
import { EnterPacs } from './enter-pacs.tsx';
import { ResolveRequest } from './resolve-request.tsx';

const shownNumbers = 5;

export function ActionCard({ action }: { readonly action: Action }) {
  const { zone } = useSession().environment;
  const { kind, file, rows, blockedRows, cancelBy, whatToDo } = action;
  const texts = strings.actions;
  const now = useNow();
  const isOver = cancelBy !== null && Date.parse(cancelBy) < now;
  return (
    <Container
      header={
        <Header
          variant="h2"
          description={
            <SpaceBetween direction="horizontal" size="m">
              {file !== null && <span className="cell-text">{file}</span>}
              {blockedRows > 0 && <StatusIndicator type="warning">{texts.blocks(blockedRows)}</StatusIndicator>}
              {cancelBy !== null && (
                <span>{(isOver ? texts.tooLate : texts.cancelBy)(formatInstant(cancelBy, zone))}</span>
              )}
            </SpaceBetween>
          }
          actions={<Links action={action} />}
        >
          {isFailedPort(action) ? texts.failedPort(rows, action.status) : texts.kinds[kind](rows)}
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
  const { links } = strings.actions;
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {kind === 'import' && <DismissRows importId={importId} rows="declined" />}
      {kind === 'rejected' && <DismissRows importId={importId} rows="rejected" />}
      {kind === 'port' && <Button href={`#/ports/${id}`}>{links.port}</Button>}
      {solution === 'fix-rows' || solution === 'fix-declined' ? (
        <Button variant="primary" href={`#/imports/${importId}/review`}>
          {links.review}
        </Button>
      ) : (
        <Button href={`#/imports/${importId}`}>{links.import}</Button>
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
  const { more } = strings.actions;
  return (
    <ul className="affected">
      {numbers.slice(0, shownNumbers).map(({ line, msisdn, message, status }) => (
        <li key={line}>
          {msisdn && <span className="digits">{formatNumber(msisdn, callingCode)}</span>} {message ?? status}
        </li>
      ))}
      {numbers.length > shownNumbers && <li>{more(numbers.length - shownNumbers)}</li>}
    </ul>
  );
}
