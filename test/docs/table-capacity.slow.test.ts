// docs/guides/table.md states the read units of each question: DynamoDB charges them for items as the pipeline writes
// them.
import { readFileSync } from 'node:fs';
import { BatchWriteCommand, paginateQuery, type QueryCommandInput, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { report } from '#functions/report/report.ts';
import { importKey } from '#shared/import/import.ts';
import { portKey } from '#shared/port/port.ts';
import { numberKey } from '#shared/request/number-claim.ts';
import { requestKey } from '#shared/request/request.ts';
import { chunksOf } from '#shared/store/backoff.ts';
import { dayIndex, listedIndex } from '#shared/text/stored-values.ts';
import { type ResultsServices, startResultsServices } from '../support/embedded/services.ts';
import { ingestBench } from '../support/ingest/ingest.ts';
import { csvOf, goodRows } from '../support/ingest/valid-rows.ts';
import { reportParts } from '../support/steps/report.ts';
import { plannedRowOf, type Rig, startRig } from '../support/steps/submit-and-sync.ts';
import { testSettings } from '../support/steps/test-pipeline.ts';

const page = readFileSync('docs/guides/table.md', 'utf8');

type Item = Record<string, unknown>;

let services: ResultsServices;
beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services?.stop());

/** What is stored after an import was planned, and a request of 100 rows followed to its end: by kind of item. */
async function storeOneOfEach(rig: Rig): Promise<(kind: string) => Item> {
  const item = await ingestBench().upload(csvOf(goodRows(100)));
  const { importId = '' } = item ?? {};
  await rig.imports.begin({ ...(item as NonNullable<typeof item>), state: 'submitting' });
  const rows = Array.from({ length: 100 }, (_, row) => plannedRowOf(row, row + 2));
  await rig.submit(await rig.planOne(importId, rows));
  while ((await rig.ports.due(testSettings.account, '9999', 1)).length > 0) await rig.syncNext();
  await report(importId, reportParts(rig));
  const { Items = [] } = await services.table.send(new ScanCommand({ TableName: rig.table }));
  return (kind) => Items.find(({ pk, sk }) => `${String(pk).split('#')[0]} ${sk}` === kind) ?? {};
}

const write = async (table: string, items: readonly Item[]): Promise<void> => {
  for (const batch of chunksOf(items, 25)) {
    const puts = batch.map((Item) => ({ PutRequest: { Item } }));
    await services.table.send(new BatchWriteCommand({ RequestItems: { [table]: puts } }));
  }
};

/** Of all pages of a query. */
const unitsOf = async (query: QueryCommandInput): Promise<number> => {
  const counted = { ...query, ReturnConsumedCapacity: 'TOTAL' } as const;
  let units = 0;
  for await (const { ConsumedCapacity } of paginateQuery({ client: services.table }, counted))
    units += ConsumedCapacity?.CapacityUnits ?? 0;
  return units;
};

test('the read units of each question are those of the page', async () => {
  const rig = await startRig(services);
  const stored = await storeOneOfEach(rig);
  const { importId = '' } = stored('import import');
  const copies = (kind: string, count: number, changes: (index: number) => object): Promise<void> =>
    write(
      rig.table,
      Array.from({ length: count }, (_, index) => ({ ...stored(kind), ...changes(index) })),
    );
  const port = (index: number) => {
    const portId = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    return { ...portKey(portId), portId };
  };
  const { listedAt } = stored('import import');
  await copies('import import', 99, (index) => ({ ...importKey(`copy-${index}`), importId: `copy-${index}` }));
  await copies('import request#0000001', 999, (index) => requestKey(String(importId), index + 2));
  await copies('port port', 100, (index) => ({ ...port(index), listed: 'action-required', listedAt }));
  await copies('port port', 1_000, (index) => ({ ...port(1_000 + index), portDay: '2026-11-30' }));

  const ask = (condition: string, values: Item, IndexName?: string) =>
    unitsOf({
      TableName: rig.table,
      IndexName,
      KeyConditionExpression: condition,
      ExpressionAttributeValues: values,
    });
  const { pk } = importKey(String(importId));
  const days = { ':account': testSettings.account, ':from': '2026-11-30', ':to': '2026-12-04' };
  const measured = {
    'a number': await ask('pk = :pk', { ':pk': numberKey('447700900001').pk }),
    'imports of a period': await ask(
      'listed = :listed AND listedAt >= :since',
      { ':listed': 'imports', ':since': '2000' },
      listedIndex,
    ),
    'the requests of an import': await ask('pk = :pk AND begins_with(sk, :sk)', { ':pk': pk, ':sk': 'request#' }),
    'a port': await ask('pk = :pk', { ':pk': stored('port port').pk }),
    'what requires action': await ask('listed = :listed', { ':listed': 'action-required' }, listedIndex),
    'ports of a period, or of a status in it': await ask(
      'account = :account AND portDay BETWEEN :from AND :to',
      days,
      dayIndex,
    ),
  };

  const [, table = ''] = /<!-- read units(.*?)<!-- end of read units -->/s.exec(page) ?? [];
  const named = [...table.matchAll(/^\| ([^|]+) \| [^|]+ \| ([\d.]+) \|$/gm)];
  expect(named.map(([, question]) => question)).toEqual(Object.keys(measured));
  // The page rounds them: an attribute more or less does not change what they tell.
  for (const [, question = '', units] of named) {
    const exact = measured[question as keyof typeof measured];
    expect([question, exact, Math.abs(Number(units) - exact) <= exact / 6]).toEqual([question, exact, true]);
  }
});
