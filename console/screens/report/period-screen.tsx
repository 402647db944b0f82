// The report of all imports of a period: their numbers by operation and by person, and each import in a file.
import Button from '@cloudscape-design/components/button';
import { useQuery } from '@tanstack/react-query';
import type { ImportSummary } from '../../api/answers.ts';
import type { CallInput } from '../../api/call.ts';
import { readPages } from '../../api/queries.ts';
import { useKept } from '../../app/kept-work.ts';
import { saveFile } from '../../components/download.ts';
import { Empty, Loaded, Screen } from '../../components/screen.tsx';
import { type Filter, ImportFilters, noFilter, useQueryOf } from '../imports/import-filters.tsx';
import { GroupTable } from './group-table.tsx';
import { groupsOf, operationOf, periodCsv, personOf } from './period-figures.ts';

const pageSize = '200';

export default function PeriodScreen() {
  const [filter, setFilter] = useKept<Filter>('period.filter', () => ({ ...noFilter, time: '30' }));
  const query = useQueryOf(filter);
  const read = useQuery({
    queryKey: ['listImports', 'all', query],
    queryFn: ({ signal }) => readAll(query, signal),
  });
  return (
    <Screen
      title="Report of a period"
      above={[{ text: 'Imports', href: '#/' }]}
      description="The numbers of all imports that were received in this time, with what their corrections did"
      actions={
        <Button iconName="download" disabled={!read.data?.length} onClick={() => saveReport(read.data ?? [])}>
          CSV
        </Button>
      }
    >
      <ImportFilters filter={filter} onChange={setFilter} />
      <Loaded read={read}>
        {(imports) =>
          imports.length === 0 ? (
            <Empty title="Nothing was received in this time" text="Choose a longer time, or fewer filters." />
          ) : (
            <Period imports={imports} />
          )
        }
      </Loaded>
    </Screen>
  );
}

type Query = CallInput<'listImports'>['query'];

/** Without parts: their first import counts each row of its file once, with what they did. */
async function readAll(query: Query, signal: AbortSignal): Promise<ImportSummary[]> {
  const imports: ImportSummary[] = [];
  for await (const page of readPages('listImports', { query: { ...query, limit: pageSize }, signal }))
    imports.push(...page.imports.filter(({ partOf }) => partOf === null));
  return imports;
}

function Period({ imports }: { readonly imports: readonly ImportSummary[] }) {
  return (
    <>
      <GroupTable title="By operation" name="Operation" groups={groupsOf(imports, operationOf)} />
      <GroupTable title="By person" name="Uploaded by" groups={groupsOf(imports, personOf)} />
    </>
  );
}

function saveReport(imports: readonly ImportSummary[]): void {
  saveFile(new Blob([periodCsv(imports)], { type: 'text/csv' }), 'imports.csv');
}
