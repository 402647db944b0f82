// One import: what happened to its numbers, what to do next, and everything that is known of it.
import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { Suspense, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { count, counted } from '#shared/text/wording.ts';
import { type Answer, type ImportDetails, isProblem, type ImportSummary as Summary } from '../../api/answers.ts';
import { type Interval, useCommand, useRead } from '../../api/queries.ts';
import { loadScreen } from '../../app/load-screen.tsx';
import { useNotices } from '../../app/notices.tsx';
import { useMay, useSession } from '../../app/session.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { NumbersLegend, StateMark, Timeline, TimelineEvent } from '../../components/outcome-marks.tsx';
import { Empty, Loaded, LoadingLine, MissingImport, Screen } from '../../components/screen.tsx';
import { formatBytes, formatDay, formatInstant } from '../../text/format.ts';
import { numbers, operations, sentOnDay } from '../../text/words.ts';
import { ArchiveButton } from '../imports/imports-screen.tsx';
import { ImportSummary } from './import-summary.tsx';

const ColumnsScreen = loadScreen(() => import('../columns/columns-screen.tsx'));
const PlanTab = loadScreen(() => import('./plan-tab.tsx'));
const RowsTab = loadScreen(() => import('./rows-tab.tsx'));
const RequestsTab = loadScreen(() => import('./requests-tab.tsx'));
const FilesTab = loadScreen(async () => ({ default: (await import('./files-and-history-tabs.tsx')).FilesTab }));
const AuditTab = loadScreen(async () => ({ default: (await import('./files-and-history-tabs.tsx')).AuditTab }));

/** The file of a complete upload is read within a second or two: until then there is no import. */
const awaitImportMs = 1_000;
const usualMs = 5_000;
/** Then there is no such import: a file that waits longer is found in the list. */
const mostReads = 20;

export default function ImportScreen({
  params,
}: {
  readonly params: { readonly importId: string; readonly tab?: string; readonly request?: string };
}) {
  const { importId, tab, request } = params;
  const read = useRead('getImport', { path: { importId } }, { everyMs: nextReadMs });
  const { data, error, errorUpdateCount } = read;
  // While it is read again, there is neither an answer nor an error.
  const wasMissing = useRef(false);
  if (error !== null) wasMissing.current = isProblem(error, 'not-found');
  if (data === undefined && wasMissing.current) {
    return errorUpdateCount < mostReads ? <AwaitedImport importId={importId} /> : <MissingImport />;
  }
  return <Loaded read={read}>{(item) => <ImportOrQuestions item={item} tab={tab} request={request} />}</Loaded>;
}

const nextReadMs: Interval = ({ error, errorUpdateCount }) =>
  isProblem(error, 'not-found') && errorUpdateCount < mostReads ? awaitImportMs : usualMs;

function AwaitedImport({ importId }: { readonly importId: string }) {
  return (
    <Screen title="Waiting for the file" above={[{ text: 'Imports', href: '#/' }]}>
      <Empty
        title="Waiting for the file"
        text={`Import ${importId} begins within a few seconds. This page opens it as soon as it exists.`}
      />
    </Screen>
  );
}

const readAs = ({ readWith }: ImportDetails, zone: string): string | null =>
  readWith && `Read as "${readWith.name}", saved by ${readWith.by} on ${formatInstant(readWith.savedAt, zone)}`;

const received = (at: string, by: string | undefined) => (by === undefined ? at : `${at} by ${by}`);

const factsOf = (item: ImportDetails, zone: string): string =>
  [
    item.operation === null ? undefined : operations[item.operation].label,
    received(formatInstant(item.receivedAt, zone), item.uploadedBy?.by),
    formatBytes(item.bytes),
    readAs(item, zone),
    item.sendOn ? sentOnDay(formatDay(item.sendOn)) : undefined,
    item.isArchived ? 'Archived' : undefined,
    item.otherAccount ? `Of ${item.otherAccount}` : undefined,
    item.stop ? `Stopped by ${item.stop.by} on ${formatInstant(item.stop.at, zone)}` : undefined,
  ]
    .filter(Boolean)
    .join(' · ');

interface ViewProps {
  readonly item: ImportDetails;
  readonly tab: string | undefined;
  /** Only its rows are shown. */
  readonly request: string | undefined;
}

/** Before a person has said how the file is read, there is nothing else to see of it. */
function ImportOrQuestions({ item, ...view }: ViewProps) {
  const mayUpload = useMay('uploader');
  if (!item.asksHowToRead || !mayUpload) return <ImportView item={item} {...view} />;
  return (
    <Suspense fallback={<LoadingLine />}>
      <ColumnsScreen params={{ importId: item.importId }} />
    </Suspense>
  );
}

function ImportView({ item, tab, request }: ViewProps) {
  const { zone } = useSession().environment;
  const [, navigate] = useLocation();
  const { importId, state } = item;
  const mayUpload = useMay('uploader');
  const { data: family } = useRead('listParts', { path: { importId } });
  const first = item.partOf === null ? undefined : family?.first;
  const tabs = [
    { id: 'plan', label: 'Plan', content: <PlanTab item={item} /> },
    { id: 'rows', label: 'Numbers', content: <RowsTab item={item} request={request} /> },
    { id: 'requests', label: 'Requests', content: <RequestsTab item={item} /> },
    { id: 'files', label: 'Files', content: <FilesTab importId={importId} /> },
    { id: 'audit', label: 'History', content: <AuditTab importId={importId} /> },
  ];
  const usual = state === 'planned' && item.accepted > 0 ? 'plan' : 'rows';
  return (
    <Screen
      title={item.file}
      above={[
        { text: 'Imports', href: '#/' },
        ...(first ? [{ text: first.file, href: `#/imports/${first.importId}` }] : []),
      ]}
      description={
        <SpaceBetween direction="horizontal" size="m">
          <StateMark item={item} />
          {first && <Link href={`#/imports/${first.importId}`}>{`Part of ${first.file}`}</Link>}
          <span>{factsOf(item, zone)}</span>
        </SpaceBetween>
      }
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <StopActions item={item} />
          <ArchiveButton item={item} />
          {item.canReadAgain && mayUpload && (
            <Button href={`#/imports/${importId}/columns`}>Columns and formats</Button>
          )}
          {state !== 'planning' && state !== 'planned' && item.rows > 0 && (
            <Button href={`#/imports/${importId}/report`}>Report</Button>
          )}
        </SpaceBetween>
      }
    >
      {item.held !== null && <Alert type="warning">{`${item.held}.`}</Alert>}
      <ImportSummary item={item} family={family} />
      {family && <Parts item={item} family={family} />}
      {state !== 'planning' && item.rows > 0 && (
        <Tabs
          activeTabId={tab ?? usual}
          tabs={tabs.map(({ content, ...one }) => ({
            ...one,
            content: <Suspense fallback={<LoadingLine />}>{content}</Suspense>,
          }))}
          onChange={({ detail }) => navigate(`/imports/${importId}/${detail.activeTabId}`)}
        />
      )}
    </Screen>
  );
}

type Action = 'stop' | 'resume' | 'end' | 'undo';

/** In the order of their buttons. */
function actionsOf({ state, stop, operation }: ImportDetails): readonly Action[] {
  if (state === 'submitting' || state === 'scheduled') return stop === null ? ['stop'] : [];
  if (state === 'stopped') return ['resume', 'end'];
  return state === 'in-progress' && operation === 'create-port' ? ['undo'] : [];
}

const actionTexts = {
  stop: {
    button: 'Stop',
    title: 'Stop this import?',
    text: 'Numbers that are not sent yet wait until you resume the import. Ports that exist go on.',
    failed: 'The import was not stopped',
  },
  resume: {
    button: 'Resume',
    title: 'Resume this import?',
    text: 'The numbers that are not sent yet are sent now.',
    failed: 'The import was not resumed',
  },
  end: {
    button: 'End for good',
    title: 'End this import for good?',
    text: 'Numbers that are not sent yet are never sent. Ports that exist go on. You can cancel them afterwards.',
    failed: 'The import was not ended',
  },
  undo: {
    button: 'Cancel all numbers',
    title: 'Plan the cancellation of all numbers?',
    text: 'A plan lists every number of this import that is still in progress. Nothing is cancelled before you approve it.',
    failed: 'The cancellation was not planned',
  },
};

/** Stops an import, resumes it, ends it for good, and plans the cancellation of what it has sent. */
function StopActions({ item }: { readonly item: ImportDetails }) {
  const [action, setAction] = useState<Action>();
  const mayStop = useMay('approver');
  if (!mayStop) return null;
  return (
    <>
      <SpaceBetween direction="horizontal" size="xs">
        {actionsOf(item).map((name) => (
          <Button key={name} onClick={() => setAction(name)}>
            {actionTexts[name].button}
          </Button>
        ))}
      </SpaceBetween>
      {action && <ConfirmAction item={item} action={action} onClose={() => setAction(undefined)} />}
    </>
  );
}

function ConfirmAction({
  item,
  action,
  onClose,
}: {
  readonly item: ImportDetails;
  readonly action: Action;
  readonly onClose: () => void;
}) {
  const [, navigate] = useLocation();
  const { notify } = useNotices();
  const { title, text, button, failed } = actionTexts[action];
  const ending = { failed, onSuccess: onClose, isInDialog: true as const };
  const stop = useCommand('stopImport', ending);
  const resume = useCommand('resumeImport', ending);
  const cancel = useCommand('cancelRows', {
    ...ending,
    onSuccess: (plan) => {
      const { unknownRequests } = plan;
      if (unknownRequests > 0)
        notify({
          type: 'warning',
          header: `${counted(unknownRequests, 'request')} of unknown outcome ${unknownRequests === 1 ? 'is' : 'are'} left out. Repeat this when simporter knows the outcome`,
        });
      navigate(`/imports/${plan.importId}`);
    },
  });
  const path = { importId: item.importId };
  const run = {
    stop: () => stop.run({ path, body: {} }),
    resume: () => resume.run({ path, body: {} }),
    end: () => stop.run({ path, body: { end: true } }),
    undo: () => cancel.run({ path, body: {} }),
  }[action];
  const isRunning = stop.isRunning || resume.isRunning || cancel.isRunning;
  return (
    <Dialog
      title={title}
      onClose={onClose}
      problem={stop.problem ?? resume.problem ?? cancel.problem}
      // Nothing is cancelled yet.
      confirm={{ text: action === 'undo' ? 'Create the plan' : button, run, isRunning }}
    >
      {text}
    </Dialog>
  );
}

interface PartsProps {
  readonly item: ImportDetails;
  readonly family: Answer<'listParts'>;
}

/** What was done with a file as one history: its first plan, corrections, moves, new PACs and cancellations. */
function Parts({ item, family: { first, parts } }: PartsProps) {
  if (parts.length === 0) return null;
  return (
    <Container
      header={
        <Header
          variant="h2"
          counter={`(${count(parts.length + 1)})`}
          description="The first entry counts every number of the file once, with what the others did."
        >
          What was done with this file
        </Header>
      }
    >
      <Timeline>
        {[first, ...parts].map((part) => (
          <PartEntry key={part.importId} part={part} isShown={part.importId === item.importId} />
        ))}
      </Timeline>
    </Container>
  );
}

function PartEntry({ part, isShown }: { readonly part: Summary; readonly isShown: boolean }) {
  const { importId, receivedAt, file, rows, uploadedBy, requestedBy, isArchived } = part;
  const name = nameOf(part);
  const by = uploadedBy?.by ?? requestedBy?.by;
  const facts = [file, numbers(rows), by && `by ${by}`, isArchived ? 'Archived' : undefined];
  return (
    <TimelineEvent at={receivedAt}>
      {isShown ? <b>{name}</b> : <Link href={`#/imports/${importId}`}>{name}</Link>}{' '}
      {isShown && <span className="quiet">(this page) </span>}
      <StateMark item={part} />
      <div className="quiet">{facts.filter(Boolean).join(' · ')}</div>
      <NumbersLegend outcomes={part.outcomes} />
    </TimelineEvent>
  );
}

const kindsOfParts = {
  correction: 'Correction',
  pacs: 'New PACs',
  cancel: 'Cancellation',
};

function nameOf({ partOf, reschedules }: Summary): string {
  if (partOf === null) return 'First plan';
  if (partOf.kind !== 'move') return kindsOfParts[partOf.kind];
  const { date = 'auto' } = reschedules ?? {};
  return date === 'auto' ? 'Move to the first possible day' : `Move to ${formatDay(date)}`;
}
