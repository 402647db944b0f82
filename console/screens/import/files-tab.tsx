// The files of an import, to download.
import Button from '@cloudscape-design/components/button';
import Header from '@cloudscape-design/components/header';
import Table from '@cloudscape-design/components/table';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import type { Answer } from '../../api/types.ts';
import { useSession } from '../../app/session.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { strings } from '../../strings.ts';
import { formatBytes, formatInstant } from '../../text/format.ts';
import { useDownload } from './use-download.ts';

type FileEntry = Answer<'listFiles'>['files'][number];

export default function FilesTab({ importId }: { readonly importId: string }) {
  const read = useRead('listFiles', { path: { importId } });
  return <Loaded read={read}>{({ files }) => <FileTable importId={importId} files={files} />}</Loaded>;
}

function FileTable({ importId, files }: { readonly importId: string; readonly files: readonly FileEntry[] }) {
  const { zone } = useSession().environment;
  const { download, running } = useDownload();
  const texts = strings.files;
  return (
    <Table
      variant="container"
      wrapLines
      items={files}
      trackBy={({ name }) => name}
      header={
        <Header variant="h2" description={texts.description}>
          {texts.title}
        </Header>
      }
      empty={texts.empty}
      columnDefinitions={[
        { id: 'name', header: texts.name, isRowHeader: true, cell: ({ name }) => name, minWidth: 200 },
        { id: 'what', header: texts.content, cell: ({ name }) => texts.contents[name], minWidth: 220 },
        { id: 'bytes', header: texts.size, cell: ({ bytes }) => formatBytes(bytes) },
        { id: 'changedAt', header: texts.changed, cell: ({ changedAt }) => formatInstant(changedAt, zone) },
        {
          ...{ id: 'download', header: texts.download },
          cell: ({ name }) => (
            <Button
              iconName="download"
              variant="inline-icon"
              ariaLabel={texts.downloadFile(name)}
              loading={running === name}
              onClick={() => void download(name, () => call('createFileLink', { path: { importId, fileName: name } }))}
            />
          ),
        },
      ]}
    />
  );
}
