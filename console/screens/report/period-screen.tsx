// The report of all imports of a period: their numbers by operation and by person, and each import in a file.
import Button from '@cloudscape-design/components/button';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type CallInput, call } from '../../api/call.ts';
import type { Answer, ImportSummary } from '../../api/types.ts';
import { Empty } from '../../components/empty.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { saveFile } from '../../components/save-file.ts';
import { Screen } from '../../components/screen.tsx';
import { strings } from '../../strings.ts';
import { ImportFilters, noFilter, useQueryOf } from '../imports/import-filters.tsx';
import { GroupTable } from './group-table.tsx';
import { groupsOf, operationOf, periodCsv, personOf } from './period-figures.ts';

const pageSize = '200';

export default function PeriodScreen() {
  const [filter, setFilter] = useState({ ...noFilter, time: '30' });
  const query = useQueryOf(filter);
  const read = useQuery({
    queryKey: ['listImports', 'all', query],
    queryFn: ({ signal }) => readAll(query, signal),
    placeholderData: keepPreviousData,
  });
  const texts = strings.report;
  return (
    <Screen
      title={texts.ofPeriod}
      above={[{ text: strings.imports.title, href: '#/' }]}
      description={texts.ofPeriodText}
      actions={
        <Button iconName="download" disabled={!read.data?.length} onClick={() => saveReport(read.data ?? [])}>
          {texts.csv}
        </Button>
      }
    >
      <ImportFilters filter={filter} onChange={setFilter} />
      <Loaded read={read}>
        {(imports) =>
          imports.length === 0 ? <Empty {...strings.imports.emptyFilter} /> : <Period imports={imports} />
        }
      </Loaded>
    </Screen>
  );
}

type Query = CallInput<'listImports'>['query'];

/** Without corrections and changes of dates: the import that they correct counts its numbers with what they did. */
async function readAll(query: Query, signal: AbortSignal): Promise<ImportSummary[]> {
  const imports: ImportSummary[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: Query = { ...query, limit: pageSize, ...(cursor && { cursor }) };
    const answer: Answer<'listImports'> = await call('listImports', { query: page, signal });
    imports.push(...answer.imports.filter(({ countedIn, reschedules }) => countedIn === null && reschedules === null));
    cursor = answer.nextCursor;
  }
  return imports;
}

function Period({ imports }: { readonly imports: readonly ImportSummary[] }) {
  const texts = strings.report;
  return (
    <>
      <GroupTable title={texts.byOperation} name={texts.operation} groups={groupsOf(imports, operationOf)} />
      <GroupTable title={texts.byPerson} name={texts.person} groups={groupsOf(imports, personOf)} />
    </>
  );
}

function saveReport(imports: readonly ImportSummary[]): void {
  saveFile(new Blob([periodCsv(imports)], { type: 'text/csv' }), 'imports.csv');
}
