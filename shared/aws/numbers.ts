// Numbers in the results table: one claim per MSISDN, so that no number is ever in two live requests.
import { type DynamoDBDocumentClient, GetCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { type NumberItem, type NumberTold, numberItem } from '#shared/domain/ledger.ts';
import { type Backoff, defaultBackoff } from './backoff.ts';
import { whetherWritten } from './conditional.ts';
import { formerNumberKey, formerNumberPrefix, numberKey } from './keys.ts';
import { queryItems } from './query.ts';
import { readItem } from './read-item.ts';
import { readItems } from './read-items.ts';
import { executeStatements, insertStatement } from './statements.ts';

/** What is told of one number; `importId` and `request` say for which claim it is meant. */
export interface NumberReport extends NumberTold {
  readonly number: string;
  readonly importId: string;
  readonly request: number;
}

export interface Numbers {
  /** Claims every number that is free and answers, of the others, the claims that stand there (the same import's too). */
  claim(claims: readonly NumberItem[]): Promise<NumberItem[]>;
  /** Puts `next` in the place of the claim that was seen, which becomes history; false when another claim stands there. */
  takeOver(seen: NumberItem, next: NumberItem): Promise<boolean>;
  /** Tells each number unless a newer look was told already, or another request holds the claim by now. */
  tell(reports: readonly NumberReport[]): Promise<void>;
  /** Strongly consistent: it proves whose a port is, and who was quicker. */
  get(number: string): Promise<NumberItem | undefined>;
  /** Claims that were taken over, oldest first. */
  history(number: string): Promise<NumberItem[]>;
}

export function createNumbers(
  client: DynamoDBDocumentClient,
  table: string,
  backoff: Backoff = defaultBackoff,
): Numbers {
  const stored = (item: NumberItem) => ({ ...numberKey(item.number), ...item });

  const read = async (numbers: readonly string[]): Promise<NumberItem[]> => {
    const found: NumberItem[] = [];
    const keys = numbers.map(numberKey);
    for await (const item of readItems(client, table, keys, { consistent: true, backoff })) {
      found.push(readItem(numberItem, item));
    }
    return found;
  };

  const claim = async (claims: readonly NumberItem[]): Promise<NumberItem[]> => {
    const statements = claims.map((item) => insertStatement(table, stored(item)));
    const outcomes = await executeStatements(client, statements, backoff);
    return read(claims.filter((_, index) => outcomes[index] === 'refused').map((item) => item.number));
  };

  const takeOver = (seen: NumberItem, next: NumberItem): Promise<boolean> =>
    whetherWritten(() =>
      client.send(
        new TransactWriteCommand({
          TransactItems: [
            { Put: { TableName: table, Item: { ...seen, ...formerNumberKey(seen.number, seen.claimedAt) } } },
            {
              Put: {
                TableName: table,
                Item: stored(next),
                ConditionExpression: 'importId = :importId AND #request = :request AND claimedAt = :claimedAt',
                ExpressionAttributeNames: { '#request': 'request' },
                ExpressionAttributeValues: {
                  ':importId': seen.importId,
                  ':request': seen.request,
                  ':claimedAt': seen.claimedAt,
                },
              },
            },
          ],
        }),
      ),
    );

  const tell = async (reports: readonly NumberReport[]): Promise<void> => {
    const statements = reports.map(({ number, importId, request, ...told }) => {
      const { pk, sk } = numberKey(number);
      return {
        text:
          `UPDATE "${table}" SET "told" = ? WHERE pk = ? AND sk = ? AND "importId" = ? AND "request" = ? ` +
          'AND ("told" IS MISSING OR "told"."lookedAt" <= ?)',
        parameters: [told, pk, sk, importId, request, told.lookedAt],
      };
    });
    await executeStatements(client, statements, backoff);
  };

  const get = async (number: string): Promise<NumberItem | undefined> => {
    const found = await client.send(
      new GetCommand({ TableName: table, Key: { ...numberKey(number) }, ConsistentRead: true }),
    );
    return found.Item && readItem(numberItem, found.Item);
  };

  const history = async (number: string): Promise<NumberItem[]> => {
    const former: NumberItem[] = [];
    const query = {
      TableName: table,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': numberKey(number).pk, ':prefix': formerNumberPrefix },
    };
    for await (const item of queryItems(client, query)) former.push(readItem(numberItem, item));
    return former;
  };

  return { claim, takeOver, tell, get, history };
}
