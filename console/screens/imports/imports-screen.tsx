// All imports, newest first, each with a bar of its numbers.
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import FormField from '@cloudscape-design/components/form-field';
import Link from '@cloudscape-design/components/link';
import Select from '@cloudscape-design/components/select';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ImportState } from '#shared/items/import.ts';
import { call } from '../../api/call.ts';
import type { ImportSummary } from '../../api/types.ts';
import { useMay, useSession } from '../../app/session.tsx';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { NumbersBar, NumbersLegend } from '../../components/numbers-bar.tsx';
import { Screen } from '../../components/screen.tsx';
import { StateMark } from '../../components/state-mark.tsx';
import { strings } from '../../strings.ts';
import { formatInstant } from '../../text/format.ts';
import { useLoadExample } from '../simulator/use-load-example.ts';

type StateFilter = ImportState | 'any';
const pageSize = '200';

export function ImportsScreen() {
  const [state, setState] = useState<StateFilter>('any');
  const mayUpload = useMay('uploader');
  const read = useInfiniteQuery({
    queryKey: ['listImports', state],
    queryFn: ({ pageParam, signal }) =>
      call('listImports', {
        query: { limit: pageSize, ...(state === 'any' ? {} : { state }), ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const upload = mayUpload && (
    <Button variant="primary" iconName="upload" href="#/upload">
      {strings.imports.upload}
    </Button>
  );
  return (
    <Screen title={strings.imports.title} description={strings.imports.description} actions={upload}>
      <Loaded read={read}>
        {({ pages }) => {
          const imports = pages.flatMap((page) => page.imports);
          if (imports.length === 0 && state === 'any') return <FirstSteps />;
          return (
            <SpaceBetween size="m">
              <StateSelect state={state} onChange={setState} />
              {imports.length === 0 ? <Empty {...strings.imports.emptyFilter} /> : null}
              <ul className="import-list">
                {imports.map((item) => (
                  <li key={item.importId}>
                    <ImportCard item={item} />
                  </li>
                ))}
              </ul>
              {read.hasNextPage && (
                <Button loading={read.isFetchingNextPage} onClick={() => void read.fetchNextPage()}>
                  {strings.imports.more}
                </Button>
              )}
            </SpaceBetween>
          );
        }}
      </Loaded>
    </Screen>
  );
}

function StateSelect({
  state,
  onChange,
}: {
  readonly state: StateFilter;
  readonly onChange: (state: StateFilter) => void;
}) {
  const options = [
    { value: 'any', label: strings.imports.anyState },
    ...Object.entries(strings.states).map(([value, label]) => ({ value, label })),
  ];
  return (
    <div className="filters">
      <FormField label={strings.imports.filter}>
        <Select
          selectedOption={options.find(({ value }) => value === state) ?? null}
          options={options}
          onChange={({ detail }) => onChange((detail.selectedOption.value ?? 'any') as StateFilter)}
        />
      </FormField>
    </div>
  );
}

function ImportCard({ item }: { readonly item: ImportSummary }) {
  const { zone } = useSession().environment;
  return (
    <article className="import-card">
      <div>
        <Link href={`#/imports/${item.importId}`} fontSize="heading-s">
          {item.file}
        </Link>
        <div className="quiet">
          {strings.imports.received(formatInstant(item.receivedAt, zone), item.uploadedBy?.by)}
        </div>
      </div>
      <div className="import-state">
        <StateMark item={item} />
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
