// All imports, newest first, each with a bar of its numbers.
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useMutation } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { isArchivable } from '#shared/import/import-state.ts';
import type { Answer, ImportSummary } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { useCommand, usePages, useRead } from '../../api/queries.ts';
import { useKept } from '../../app/kept-work.ts';
import { useNotices } from '../../app/notices.tsx';
import { useMay, useSession } from '../../app/session.tsx';
import { MoreOnScroll } from '../../components/more-pages.tsx';
import { NumbersBar, NumbersLegend, StateMark, WaitingParts } from '../../components/outcome-marks.tsx';
import { Empty, Loaded, Screen } from '../../components/screen.tsx';
import { formatInstant } from '../../text/format.ts';
import { numbers, operations } from '../../text/words.ts';
import { type Filter, ImportFilters, noFilter, useQueryOf } from './import-filters.tsx';

const pageSize = '200';

export function ImportsScreen() {
  const [filter, setFilter] = useKept<Filter>('imports.filter', () => noFilter);
  const mayUpload = useMay('uploader');
  const query = { limit: pageSize, ...useQueryOf(filter) };
  const read = usePages('listImports', { query });
  const actions = (
    <SpaceBetween direction="horizontal" size="xs">
      <Button href="#/report">Report of a period</Button>
      {mayUpload && (
        <Button variant="primary" iconName="upload" href="#/upload">
          Upload a file
        </Button>
      )}
    </SpaceBetween>
  );
  const isFiltered = Object.values(filter).some(Boolean);
  const { data: events } = useRead('getEvents', {});
  return (
    <Screen title="Imports" description="Every file and what happened to its numbers." actions={actions}>
      {(isFiltered || hasImports(events)) && <ImportFilters filter={filter} onChange={setFilter} />}
      <Loaded read={read}>
        {({ pages }) => {
          const imports = pages.flatMap((page) => page.imports);
          if (imports.length === 0 && !read.hasNextPage) {
            return isFiltered ? (
              <Empty title="No import fits the filters" text="Change them to see your other imports." />
            ) : (
              <FirstSteps />
            );
          }
          return (
            <>
              <ul className="import-list">
                {imports.map((item) => (
                  <li key={item.importId}>
                    <ImportCard item={item} />
                  </li>
                ))}
              </ul>
              {read.hasNextPage && <MoreOnScroll read={read} failed="Older imports cannot be shown" />}
            </>
          );
        }}
      </Loaded>
    </Screen>
  );
}

/** Whether there are imports, archived ones included. */
const hasImports = (events: Answer<'getEvents'> | undefined): boolean => (events?.imports ?? []).length > 0;

const received = (at: string, by: string | undefined) => (by === undefined ? at : `${at} by ${by}`);

function ImportCard({ item }: { readonly item: ImportSummary }) {
  const { zone } = useSession().environment;
  const facts = [
    item.operation === null ? undefined : operations[item.operation].label,
    item.rows > 0 ? numbers(item.rows) : undefined,
    received(formatInstant(item.receivedAt, zone), item.uploadedBy?.by),
    item.otherAccount ? `Of ${item.otherAccount}` : undefined,
  ];
  return (
    <article className="import-card">
      <div>
        <Link href={`#/imports/${item.importId}`} fontSize="heading-s">
          {item.file}
        </Link>
        <div className="quiet">{facts.filter(Boolean).join(' · ')}</div>
      </div>
      <div className="import-state">
        <StateMark item={item} />
        <WaitingParts item={item} />
        {(item.isArchived || item.state === 'rejected') && <ArchiveButton item={item} isInList />}
      </div>
      <div className="import-numbers">
        {item.state === 'planning' ? (
          <span className="quiet">Reading the file</span>
        ) : (
          <>
            <NumbersBar outcomes={item.outcomes} rows={item.rows} />
            <NumbersLegend outcomes={item.outcomes} />
          </>
        )}
      </div>
    </article>
  );
}

/** What a person sees before the first import. */
function FirstSteps() {
  const { kind, simulated } = useSession().environment;
  const mayUpload = useMay('uploader');
  const mayLoadExample = useMay('operator') && kind === 'local' && simulated;
  const { load, isLoading } = useLoadExample();
  return (
    <Container>
      <Empty
        title="Upload the first file"
        text="An Excel or CSV file with the numbers to port. Nothing is sent before you approve it."
        actions={
          <>
            {mayUpload && (
              <Button variant="primary" iconName="upload" href="#/upload">
                Upload a file
              </Button>
            )}
            {mayLoadExample && (
              <Button loading={isLoading} onClick={load}>
                Load an example
              </Button>
            )}
          </>
        }
      />
    </Container>
  );
}

/** Imports an example file into the simulator, then opens it. */
export function useLoadExample(): { readonly load: () => void; readonly isLoading: boolean } {
  const [, navigate] = useLocation();
  const { notifyError } = useNotices();
  const mutation = useMutation({
    mutationFn: () => call('loadExample', { body: { name: 'create-port.csv' } }),
    onSuccess: ({ importId }) => navigate(`/imports/${importId}`),
    onError: (error) => notifyError('The example was not loaded', error),
  });
  return { load: () => mutation.mutate(), isLoading: mutation.isPending };
}

/** Leaves an import out of the list, and shows it there again. */
export function ArchiveButton({ item, isInList }: { readonly item: ImportSummary; readonly isInList?: true }) {
  const { importId, isArchived, file } = item;
  const mayArchive = useMay('uploader');
  const { notify } = useNotices();
  const archive = useCommand('archiveImport', {
    failed: isArchived ? 'The import is still archived' : 'The import was not archived',
    onSuccess: () =>
      isArchived ||
      notify({ type: 'success', header: `${file} is archived: it is in the list with the state "Archived"` }),
  });
  if (!mayArchive || !(isArchived || isArchivable(item))) return null;
  return (
    <Button
      {...(isInList && { variant: 'inline-link' })}
      {...(!isArchived && { ariaLabel: `Archive ${file}` })}
      loading={archive.isRunning}
      onClick={() => archive.run({ path: { importId }, body: { undo: isArchived } })}
    >
      {isArchived ? 'Show in the list again' : 'Archive'}
    </Button>
  );
}
