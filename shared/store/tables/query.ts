// The pages of a query as one sequence.
import { type DynamoDBDocumentClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';

export type RawItem = Record<string, unknown>;

/** Every item of the query, after its `ExclusiveStartKey`. `Limit` is the size of a page. */
export async function* queryItems(client: DynamoDBDocumentClient, query: QueryCommandInput): AsyncIterable<RawItem> {
  let from: RawItem | undefined = query.ExclusiveStartKey;
  do {
    const page = await client.send(new QueryCommand({ ...query, ExclusiveStartKey: from }));
    yield* page.Items ?? [];
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
}

/** At most `limit` items of the query, with as few pages as possible. */
export async function queryFirst(
  client: DynamoDBDocumentClient,
  query: QueryCommandInput,
  limit: number,
): Promise<RawItem[]> {
  const items: RawItem[] = [];
  if (limit <= 0) return items;
  for await (const item of queryItems(client, { ...query, Limit: limit })) {
    items.push(item);
    if (items.length >= limit) break;
  }
  return items;
}
