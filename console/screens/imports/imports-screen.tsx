// All imports, newest first, each with a bar of its numbers.
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Link from '@cloudscape-design/components/link';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { useRead } from '../../api/queries.ts';
import type { Answer, ImportSummary } from '../../api/types.ts';
import { useMay, useSession } from '../../app/session.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { MoreOnScroll } from '../../components/more-on-scroll.tsx';
import { NumbersBar, NumbersLegend } from '../../components/numbers-bar.tsx';
import { Screen } from '../../components/screen.tsx';
import { StateMark } from '../../components/state-mark.tsx';
import { strings } from '../../strings.ts';
import { formatInstant } from '../../text/format.ts';
import { ArchiveButton } from '../import/archive-button.tsx';
import { useLoadExample } from '../simulator/use-load-example.ts';
import { type Filter, ImportFilters, noFilter, useQueryOf } from './import-filters.tsx';

const pageSize = '200';

export function ImportsScreen() {
  const [filter, setFilter] = useState<Filter>(noFilter);
  const mayUpload = useMay('uploader');
  const query = { limit: pageSize, ...useQueryOf(filter) };
  const read = useInfiniteQuery({
    queryKey: ['listImports', query],
    queryFn: ({ pageParam, signal }) =>
      call('listImports', { query: { ...query, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const actions = (
    <SpaceBetween direction="horizontal" size="xs">
      <Button href="#/report">{strings.report.ofPeriod}</Button>
      {mayUpload && (
        <Button variant="primary" iconName="upload" href="#/upload">
          {strings.imports.upload}
        </Button>
      )}
    </SpaceBetween>
  );
  const isFiltered = Object.values(filter).some(Boolean);
  const { data: events } = useRead('getEvents', {});
  return (
    <Screen title={strings.imports.title} description={strings.imports.description} actions={actions}>
      {(isFiltered || hasImports(events)) && <ImportFilters filter={filter} onChange={setFilter} />}
      <Loaded read={read}>
        {({ pages }) => {
          const imports = pages.flatMap((page) => page.imports);
          if (imports.length === 0 && !read.hasNextPage) {
            return isFiltered ? <Empty {...strings.imports.emptyFilter} /> : <FirstSteps />;
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
              {read.hasNextPage && <MoreOnScroll key={pages.length} onMore={() => void read.fetchNextPage()} />}
            </>
          );
        }}
      </Loaded>
    </Screen>
  );
}

/** Also archived ones. */
const hasImports = (events: Answer<'getEvents'> | undefined): boolean => (events?.imports ?? []).length > 0;

function ImportCard({ item }: { readonly item: ImportSummary }) {
  const { zone } = useSession().environment;
  const facts = [
    item.operation === null ? undefined : strings.operations[item.operation].label,
    item.rows > 0 ? strings.imports.numbers(item.rows) : undefined,
    strings.imports.received(formatInstant(item.receivedAt, zone), item.uploadedBy?.by),
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
        {(item.isArchived || item.state === 'rejected') && <ArchiveButton item={item} isInList />}
      </div>
      <div className="import-numbers">
        {item.state === 'planning' ? (
          <span className="quiet">{strings.imports.reads}</span>
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
  const { empty, upload } = strings.imports;
  return (
    <Container>
      <Empty
        title={empty.title}
        text={empty.text}
        actions={
          <>
            {mayUpload && (
              <Button variant="primary" iconName="upload" href="#/upload">
                {upload}
              </Button>
            )}
            {mayLoadExample && (
              <Button loading={isLoading} onClick={load}>
                {empty.example}
              </Button>
            )}
          </>
        }
      />
    </Container>
  );
}
