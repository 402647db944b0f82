// The files of an import, to download: as a workbook, and as a CSV.
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import Table from '@cloudscape-design/components/table';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import type { Answer, FileContent, FileFormat } from '../../api/types.ts';
import { useSession } from '../../app/session.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { strings } from '../../strings.ts';
import { formatBytes, formatInstant } from '../../text/format.ts';
import { useDownload } from './use-download.ts';

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

export default function FilesTab({ importId }: { readonly importId: string }) {
  const read = useRead('listFiles', { path: { importId } });
  return <Loaded read={read}>{({ files }) => <FileTable importId={importId} downloads={downloadsOf(files)} />}</Loaded>;
}

interface Props {
  readonly importId: string;
  readonly downloads: readonly Download[];
}

function FileTable({ importId, downloads }: Props) {
  const { zone } = useSession().environment;
  const texts = strings.files;
  return (
    <Table
      variant="container"
      wrapLines
      items={downloads}
      trackBy={({ content }) => content}
      header={
        <Header variant="h2" description={texts.description}>
          {texts.title}
        </Header>
      }
      empty={texts.empty}
      columnDefinitions={[
        {
          id: 'content',
          header: texts.content,
          isRowHeader: true,
          minWidth: 200,
          cell: ({ content }) => texts.contents[content],
        },
        {
          id: 'changedAt',
          header: texts.changed,
          minWidth: 120,
          cell: ({ files }) => formatInstant(files[0]?.changedAt ?? '', zone),
        },
        {
          id: 'download',
          header: texts.download,
          minWidth: 220,
          cell: ({ files }) => <Formats importId={importId} files={files} />,
        },
      ]}
    />
  );
}

function Formats({ importId, files }: { readonly importId: string; readonly files: Download['files'] }) {
  const { download, running } = useDownload();
  const texts = strings.files;
  return (
    <SpaceBetween direction="horizontal" size="xs">
      {files.map(({ name, format, bytes }) => (
        <Button
          key={name}
          iconName="download"
          ariaLabel={texts.downloadFile(texts.formats[format](formatBytes(bytes)), name)}
          loading={running === name}
          onClick={() => void download(name, () => call('createFileLink', { path: { importId, fileName: name } }))}
        >
          {texts.formats[format](formatBytes(bytes))}
        </Button>
      ))}
    </SpaceBetween>
  );
}
