// Several partitions of the due index as one list, over the in-memory table.
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { readDue } from '#shared/store/table.ts';
import { createTableTwin } from '../../support/in-memory/table.ts';
import { iso, noon } from '../../support/steps/ledger-items.ts';

/** A table with an item for each `queue/minutes after noon`. */
async function tableWith(...due: readonly string[]): Promise<DynamoDBDocumentClient> {
  const table = createTableTwin({ now: () => noon, pageSize: 2 }) as unknown as DynamoDBDocumentClient;
  for (const name of due) {
    const [queue, minutes] = name.split('/');
    const item = { pk: name, sk: 'item', dueQueue: queue, dueAt: iso(noon + Number(minutes) * 60_000) };
    await table.send(new PutCommand({ TableName: 'results', Item: item }));
  }
  return table;
}
const read = async (table: DynamoDBDocumentClient, queues: readonly string[], limit: number) =>
  (await readDue({ client: table, name: 'results' }, queues, iso(noon), limit)).map(({ pk }) => pk);

test('due items are returned in order, from all partitions, and without items that are not due yet', async () => {
  const table = await tableWith('b/-1', 'a/-2', 'b/-4', 'a/-3', 'a/0', 'b/1', 'c/-9');
  expect(await read(table, ['a', 'b'], 100)).toEqual(['b/-4', 'a/-3', 'a/-2', 'b/-1', 'a/0']);
  expect(await read(table, ['b', 'a'], 100)).toEqual(['b/-4', 'a/-3', 'a/-2', 'b/-1', 'a/0']);
});

test('the partitions share the limit, so that a full one does not starve the others', async () => {
  const table = await tableWith('a/-9', 'a/-8', 'a/-7', 'a/-6', 'b/-1');
  expect(await read(table, ['a', 'b'], 4)).toEqual(['a/-9', 'a/-8', 'b/-1']);
  expect(await read(table, ['a', 'b'], 3)).toEqual(['a/-9', 'a/-8', 'b/-1']);
  expect(await read(table, ['a'], 0)).toEqual([]);
});
