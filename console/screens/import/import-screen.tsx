// One import: what happened to its numbers, what to do next, and everything that is known of it.
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Tabs from '@cloudscape-design/components/tabs';
import { Suspense, useRef } from 'react';
import { useLocation } from 'wouter';
import { isProblem } from '../../api/errors.ts';
import { type Interval, useRead } from '../../api/queries.ts';
import type { ImportDetails } from '../../api/types.ts';
import { loadScreen } from '../../app/load-screen.tsx';
import { useMay, useSession } from '../../app/session.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded, LoadingLine } from '../../components/loaded.tsx';
import { MissingScreen, Screen } from '../../components/screen.tsx';
import { StateMark } from '../../components/state-mark.tsx';
import { strings } from '../../strings.ts';
import { formatBytes, formatDay, formatInstant } from '../../text/format.ts';
import { ArchiveButton } from './archive-button.tsx';
import { ImportSummary } from './import-summary.tsx';
import { StopActions } from './stop-actions.tsx';

const PlanTab = loadScreen(() => import('./plan-tab.tsx'));
const RowsTab = loadScreen(() => import('./rows-tab.tsx'));
const RequestsTab = loadScreen(() => import('./requests-tab.tsx'));
const FilesTab = loadScreen(() => import('./files-tab.tsx'));
const AuditTab = loadScreen(() => import('./audit-tab.tsx'));

/** The file of a complete upload is read within a second or two: until then there is no import. */
const awaitImportMs = 1_000;
const usualMs = 5_000;
/** Then there is no such import: a file that waits longer is found in the list. */
const mostReads = 20;

export default function ImportScreen({
  params,
}: {
  readonly params: { readonly importId: string; readonly tab?: string };
}) {
  const { importId, tab } = params;
  const read = useRead('getImport', { path: { importId } }, { everyMs: nextReadMs });
  const { data, error, errorUpdateCount } = read;
  // While it is read again, there is neither an answer nor an error.
  const wasMissing = useRef(false);
  if (error !== null) wasMissing.current = isProblem(error, 'not-found');
  if (data === undefined && wasMissing.current) {
    return errorUpdateCount < mostReads ? (
      <AwaitedImport importId={importId} />
    ) : (
      <MissingScreen {...strings.import.missing} />
    );
  }
  return <Loaded read={read}>{(item) => <ImportView item={item} tab={tab} />}</Loaded>;
}

const nextReadMs: Interval = ({ error, errorUpdateCount }) =>
  isProblem(error, 'not-found') && errorUpdateCount < mostReads ? awaitImportMs : usualMs;

function AwaitedImport({ importId }: { readonly importId: string }) {
  return (
    <Screen title={strings.import.awaited.title} above={[{ text: strings.imports.title, href: '#/' }]}>
      <Empty title={strings.import.awaited.title} text={strings.import.awaited.text(importId)} />
    </Screen>
  );
}

const readAs = ({ readWith }: ImportDetails, zone: string): string | null =>
  readWith && strings.saved.readAs(readWith.name, readWith.by, formatInstant(readWith.savedAt, zone));

function ImportView({ item, tab }: { readonly item: ImportDetails; readonly tab: string | undefined }) {
  const { zone } = useSession().environment;
  const [, navigate] = useLocation();
  const { importId, state } = item;
  const mayUpload = useMay('uploader');
  const isUnsent = (state === 'planned' || state === 'rejected') && item.planOnly && item.approvedAt === null;
  const facts = [
    item.operation === null ? undefined : strings.operations[item.operation].label,
    strings.imports.received(formatInstant(item.receivedAt, zone), item.uploadedBy?.by),
    formatBytes(item.bytes),
    readAs(item, zone),
    item.sendOn ? strings.requests.sendOn(formatDay(item.sendOn)) : undefined,
    item.isArchived ? strings.archive.isArchived : undefined,
    item.stop ? strings.stopping.stoppedBy(item.stop.by, formatInstant(item.stop.at, zone)) : undefined,
  ];
  const tabs = [
    { id: 'plan', label: strings.import.tabs.plan, content: <PlanTab item={item} /> },
    { id: 'rows', label: strings.import.tabs.rows, content: <RowsTab item={item} /> },
    { id: 'requests', label: strings.import.tabs.requests, content: <RequestsTab item={item} /> },
    { id: 'files', label: strings.import.tabs.files, content: <FilesTab importId={importId} /> },
    { id: 'audit', label: strings.import.tabs.audit, content: <AuditTab importId={importId} /> },
  ];
  const usual = state === 'planned' && item.accepted > 0 ? 'plan' : 'rows';
  return (
    <Screen
      title={item.file}
      above={[{ text: strings.imports.title, href: '#/' }]}
      description={
        <SpaceBetween direction="horizontal" size="m">
          <StateMark item={item} />
          <span>{facts.filter(Boolean).join(' · ')}</span>
        </SpaceBetween>
      }
      actions={
        <SpaceBetween direction="horizontal" size="xs">
          <StopActions item={item} />
          <ArchiveButton item={item} />
          {isUnsent && mayUpload && item.operation !== null && (
            <Button href={`#/imports/${importId}/columns`}>{strings.columns.link}</Button>
          )}
          {state !== 'planning' && state !== 'planned' && item.rows > 0 && (
            <Button href={`#/imports/${importId}/report`}>{strings.import.report}</Button>
          )}
        </SpaceBetween>
      }
    >
      <ImportSummary item={item} />
      {state !== 'planning' && item.rows > 0 && (
        <Tabs
          activeTabId={tab ?? usual}
          tabs={tabs.map(({ content, ...one }) => ({
            ...one,
            content: <Suspense fallback={<LoadingLine />}>{content}</Suspense>,
          }))}
          onChange={({ detail }) => navigate(`/imports/${importId}/${detail.activeTabId}`, { replace: true })}
        />
      )}
    </Screen>
  );
}
