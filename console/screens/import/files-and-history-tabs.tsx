// The files of an import, and who did what with it.

import Badge from '@cloudscape-design/components/badge';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import type { Answer, FileContent, FileFormat } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import { useSession } from '../../app/session.tsx';
import { useDownload } from '../../components/download.ts';
import { Timeline, TimelineEvent } from '../../components/outcome-marks.tsx';
import { Loaded } from '../../components/screen.tsx';
import { formatBytes, formatInstant } from '../../text/format.ts';

type FileEntry = Answer<'listFiles'>['files'][number];

/** The same rows in one format or two, the preferred one first. */
interface Download {
  readonly content: FileContent;
  readonly files: readonly (FileEntry & { readonly format: FileFormat })[];
}

function downloadsOf(files: readonly FileEntry[]): Download[] {
  const named = files.map((file) => {
    const [content, format] = file.name.split('.') as [FileContent, FileFormat];
    return { content, ...file, format };
  });
  const contents = [...new Set(named.map(({ content }) => content))];
  return contents.map((content) => ({ content, files: named.filter((file) => file.content === content) }));
}

/** The files of an import, to download: as a workbook, and as a CSV. */
export function FilesTab({ importId }: { readonly importId: string }) {
  const read = useRead('listFiles', { path: { importId } });
  return <Loaded read={read}>{({ files }) => <FileTable importId={importId} downloads={downloadsOf(files)} />}</Loaded>;
}

interface Props {
  readonly importId: string;
  readonly downloads: readonly Download[];
}

const contentTexts = {
  results: 'The result of every row of this file. A correction has its own results',
  'correct-update-port': 'Numbers that need a new PAC in their port, or whose change was declined',
  'correct-create-port': 'Numbers that were declined, or need a new PAC and a new port',
  'correct-cancel-port': 'Declined rows, to fix and import again',
  'correct-provision': 'Declined rows, to fix and import again',
  'correct-change-provision': 'Declined rows, to fix and import again',
  'correct-bar-service-config': 'Declined rows, to fix and import again',
  'correct-send-sms': 'Declined rows, to fix and import again',
  'correct-create-bundle': 'Declined rows, to fix and import again',
  'correct-configure-bundle-control': 'Declined rows, to fix and import again',
  'correct-bar': 'Declined rows, to fix and import again',
  'correct-unbar': 'Declined rows, to fix and import again',
  'mismatches-bar-service-config': 'SIMs with other services than requested',
  issues: 'Every finding, for programs',
} satisfies Record<FileContent, string>;

function FileTable({ importId, downloads }: Props) {
  const { zone } = useSession().environment;
  return (
    <Table
      variant="container"
      wrapLines
      items={downloads}
      trackBy={({ content }) => content}
      header={
        <Header variant="h2" description="The files contain no PACs. A link works for a minute.">
          Files
        </Header>
      }
      empty="No file was written yet."
      columnDefinitions={[
        {
          id: 'content',
          header: 'Content',
          isRowHeader: true,
          minWidth: 200,
          cell: ({ content }) => contentTexts[content],
        },
        {
          id: 'changedAt',
          header: 'Changed',
          minWidth: 120,
          cell: ({ files }) => formatInstant(files[0]?.changedAt ?? '', zone),
        },
        {
          id: 'download',
          header: 'Download',
          minWidth: 220,
          cell: ({ files }) => <Formats importId={importId} files={files} />,
        },
      ]}
    />
  );
}

const formatTexts = {
  xlsx: (size: string) => `Excel (${size})`,
  csv: (size: string) => `CSV (${size})`,
  ndjson: (size: string) => `NDJSON (${size})`,
} satisfies Record<FileFormat, (size: string) => string>;

function Formats({ importId, files }: { readonly importId: string; readonly files: Download['files'] }) {
  const { download, running } = useDownload();
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {files.map(({ name, format, bytes }) => (
        <Button
          key={name}
          iconName="download"
          ariaLabel={`${formatTexts[format](formatBytes(bytes))}: ${name}`}
          loading={running === name}
          onClick={() => void download(name, () => call('createFileLink', { path: { importId, fileName: name } }))}
        >
          {formatTexts[format](formatBytes(bytes))}
        </Button>
      ))}
    </SpaceBetween>
  );
}

const actionTexts = {
  uploaded: 'Uploaded',
  approved: 'Approved',
  'approval-declined': 'Approval declined',
  stopped: 'Stopped',
  resumed: 'Resumed',
  rescheduled: 'Rescheduled',
  cancelled: 'Cancellation planned',
  corrected: 'Corrected',
  resolved: 'Resolution requested',
  adopted: 'Port adopted',
  archived: 'Archived',
  restored: 'Shown in the list again',
  dismissed: 'Action dismissed',
  'read-again': 'File read again',
  'settings-saved': 'Settings saved',
  'settings-deleted': 'Saved settings deleted',
  downloaded: 'Link to a file created',
};

/** Who did what with an import, in the order of time. */
export function AuditTab({ importId }: { readonly importId: string }) {
  const read = useRead('listAudit', { path: { importId } });
  return (
    <Container header={<Header variant="h2">Who did what</Header>}>
      <Loaded read={read}>
        {({ entries }) =>
          entries.length === 0 ? (
            'Nobody did anything with this import yet.'
          ) : (
            <Timeline>
              {entries.map(({ at, action, actor, because, details }) => (
                <TimelineEvent key={`${at} ${action}`} at={at}>
                  <b>{actionTexts[action]}</b> {`by ${actor.by}`} {!actor.isVerified && <Badge>not verified</Badge>}
                  {because !== null && <div className="quiet">{`Note: ${because}`}</div>}
                  {Object.entries(details).map(([name, value]) =>
                    // A reading names the object with its input, which nobody can open.
                    name === 'input' ? null : (
                      <div className="quiet" key={name}>
                        {name}: {value}
                      </div>
                    ),
                  )}
                </TimelineEvent>
              ))}
            </Timeline>
          )
        }
      </Loaded>
    </Container>
  );
}
