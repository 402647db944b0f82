// Numbers in the results table: one claim per MSISDN, so that no number is ever in two requests that are in progress.
import { type DynamoDBDocumentClient, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  formerNumberKey,
  formerNumberPrefix,
  type LatestReading,
  type NumberItem,
  numberItem,
  numberKey,
} from '#shared/request/number-claim.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { scheduledOf } from '#shared/request/waiting-request.ts';
import { type Backoff, chunksOf, defaultBackoff } from './backoff.ts';
import { insertItems } from './batch-statements.ts';
import type { Requests } from './requests.ts';
import { getItem, readChildren, readItem, readItems, wasWritten } from './table.ts';

/** What a port shows of one number. `importId` and `request` name the claim that it is about. */
export interface NumberReport extends LatestReading {
  readonly number: string;
  readonly importId: string;
  readonly request: number;
}

export interface NumberReader {
  /** Strongly consistent: it proves whose a port is, and which claim was first. */
  get(number: string): Promise<NumberItem | undefined>;
  /** The claims on different numbers, in no order. */
  getMany(numbers: readonly string[]): Promise<NumberItem[]>;
  /** Claims that were taken over, oldest first. */
  history(number: string): Promise<NumberItem[]>;
}

export interface Numbers extends NumberReader {
  /** Claims every number that is free. Returns the claims on the others (the same import's too). */
  claim(claims: readonly NumberItem[]): Promise<NumberItem[]>;
  /** Replaces the claim that was seen, which becomes history; false when the number has another claim by now. */
  takeOver(seen: NumberItem, next: NumberItem): Promise<boolean>;
  /** Records each report, unless a newer reading is recorded or another request holds the claim by now. */
  record(reports: readonly NumberReport[]): Promise<void>;
}

/** As many as one call reads. The calls are made at the same time. */
const numbersPerCall = 100;
/** The numbers of a full request are recorded in the time of four calls. */
const updatesAtOnce = 25;

/** The condition fails for a claim of another request, and after a newer reading. */
const updateOfLatest = (table: string, { number, importId, request, ...latest }: NumberReport) =>
  new UpdateCommand({
    TableName: table,
    Key: numberKey(number),
    UpdateExpression: 'SET latest = :latest',
    ConditionExpression:
      'importId = :importId AND #request = :request AND (attribute_not_exists(latest) OR latest.readAt <= :readAt)',
    ExpressionAttributeNames: { '#request': 'request' },
    ExpressionAttributeValues: {
      ':importId': importId,
      ':request': request,
      ':latest': latest,
      ':readAt': latest.readAt,
    },
  });

const stored = (item: NumberItem) => ({ ...numberKey(item.number), ...item });

export function createNumbers(
  client: DynamoDBDocumentClient,
  name: string,
  backoff: Backoff = defaultBackoff,
): Numbers {
  const table = { client, name };

  const readMany = async (numbers: readonly string[]): Promise<NumberItem[]> => {
    const items = readItems(client, name, numbers.map(numberKey), { consistent: true, backoff });
    return Array.fromAsync(items, (item) => readItem(numberItem, item));
  };
  const getMany = async (numbers: readonly string[]): Promise<NumberItem[]> =>
    (await Promise.all(Array.from(chunksOf(numbers, numbersPerCall), readMany))).flat();

  return {
    getMany,
    claim: async (claims) => {
      const outcomes = await insertItems(client, name, claims.map(stored), backoff);
      return getMany(claims.filter((_, index) => outcomes[index] === 'declined').map((item) => item.number));
    },

    takeOver: (seen, next) => {
      const { importId, request, claimedAt } = seen;
      const former = { TableName: name, Item: { ...seen, ...formerNumberKey(seen.number, claimedAt) } };
      // Keeps attributes that a newer version wrote.
      const replaced = { ...seen, firstLine: undefined, latest: undefined, ported: undefined, ...next };
      const claim = {
        TableName: name,
        Item: stored(replaced),
        ConditionExpression: 'importId = :importId AND #request = :request AND claimedAt = :claimedAt',
        ExpressionAttributeNames: { '#request': 'request' },
        ExpressionAttributeValues: { ':importId': importId, ':request': request, ':claimedAt': claimedAt },
      };
      const TransactItems = [{ Put: former }, { Put: claim }];
      return wasWritten(() => client.send(new TransactWriteCommand({ TransactItems })));
    },

    record: async (reports) => {
      const update = (report: NumberReport) => wasWritten(() => client.send(updateOfLatest(name, report)), backoff);
      for (const group of chunksOf(reports, updatesAtOnce)) await Promise.all(group.map(update));
    },

    get: (number) => getItem(table, numberItem, numberKey(number)),
    history: (number) =>
      Array.fromAsync(readChildren(table, numberItem, { pk: numberKey(number).pk, prefix: formerNumberPrefix })),
  };
}

/** Finds where a number was last sent for this account: from its claim to the request, and from that to the port. */
export function createNumberLookups(numbers: Numbers, requests: Requests, account: string) {
  const holderOf = async (msisdn: string): Promise<RequestItem | undefined> => {
    const claim = await numbers.get(msisdn);
    const request = claim && (await requests.get(claim.importId, claim.request));
    return request?.account === account ? request : undefined;
  };
  return {
    /** undefined: the number was never sent, or its request has no port (yet). */
    findPortByNumber: async (msisdn: string): Promise<string | undefined> => (await holderOf(msisdn))?.portId,
    /** undefined: no request waits for the day of the number. */
    findScheduled: async (msisdn: string) => scheduledOf(await holderOf(msisdn)),
  };
}
