// Records of the table stream for tests: whole items, in the types of DynamoDB.
import type { DynamoDBRecord } from 'aws-lambda';
import { type ImportItem, importKey } from '#shared/import/import.ts';
import { partKey } from '#shared/import/part.ts';
import { type ComparisonItem, comparisonKey, mismatchesListed } from '#shared/outcome/service-comparison.ts';
import { type PortEvent, type PortItem, portEventKey, portKey } from '#shared/port/port.ts';
import { type NumberItem, numberKey } from '#shared/request/number-claim.ts';
import { type RequestItem, requestKey } from '#shared/request/request.ts';
import { storedRequest } from '#shared/request/waiting-request.ts';
import type { ItemKey } from '#shared/text/stored-values.ts';

type Attribute = NonNullable<NonNullable<DynamoDBRecord['dynamodb']>['NewImage']>[string];

const attribute = (value: unknown): Attribute => {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number') return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.map(attribute) };
  return { M: attributes(value as object) };
};

const attributes = (item: object): Record<string, Attribute> =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) => (value === undefined ? [] : [[name, attribute(value)]])),
  );

let lastNumber = 0;

function recordOf(key: ItemKey, was: object | undefined, is: object | undefined): DynamoDBRecord {
  lastNumber += 1;
  return {
    eventID: `record-${lastNumber}`,
    eventName: was === undefined ? 'INSERT' : is === undefined ? 'REMOVE' : 'MODIFY',
    eventSource: 'aws:dynamodb',
    dynamodb: {
      Keys: attributes(key),
      SequenceNumber: String(lastNumber).padStart(21, '0'),
      ...(is && { NewImage: attributes({ ...key, ...is }) }),
      ...(was && { OldImage: attributes({ ...key, ...was }) }),
    },
  };
}

/** The same item before and after; `was` is undefined for a new item. */
type Pair<Item> = readonly [was: Item | undefined, is: Item];

export const importRecord = ([was, is]: Pair<ImportItem>): DynamoDBRecord => recordOf(importKey(is.importId), was, is);

export const requestRecord = ([was, is]: Pair<RequestItem>): DynamoDBRecord =>
  recordOf(requestKey(is.importId, is.request), was && storedRequest(was), storedRequest(is));

export const numberRecord = ([was, is]: Pair<NumberItem>): DynamoDBRecord => recordOf(numberKey(is.number), was, is);

/** As `createPorts` stores it: listed while it requires action. */
export const portRecord = ([was, is]: Pair<PortItem>): DynamoDBRecord => {
  const stored = (item: PortItem) =>
    item.actionRequired > 0 || item.concern !== undefined ? { ...item, listed: `attention#${item.account}` } : item;
  return recordOf(portKey(is.portId), was && stored(was), stored(is));
};

export const portEventRecord = ([was, is]: Pair<PortEvent>): DynamoDBRecord =>
  recordOf(portEventKey(is.portId, is.at, is.status), was, is);

/** As `createComparisons` stores it: listed while it has mismatches. */
export const comparisonRecord = ([was, is]: Pair<ComparisonItem>): DynamoDBRecord => {
  const stored = (item: ComparisonItem) => (item.sims.length > 0 ? { ...item, listed: mismatchesListed } : item);
  return recordOf(comparisonKey(is.importId, is.request), was && stored(was), stored(is));
};

export const partRecord = (): DynamoDBRecord =>
  recordOf(partKey({ importId: 'import-1', partId: 'part-1', at: '2026-07-06T12:00:00.000Z' }), undefined, {});

export const removedRecord = (item: ImportItem): DynamoDBRecord => recordOf(importKey(item.importId), item, undefined);

export const portEventOf = (changes: Partial<PortEvent> = {}): PortEvent => ({
  portId: 'port-1',
  importId: 'import-1',
  request: 1,
  at: '2026-07-06T12:00:00.000Z',
  status: 'Submitted',
  expiresAt: 1_850_000_000,
  ...changes,
});

export const statusRecord = (status: string): DynamoDBRecord => portEventRecord([undefined, portEventOf({ status })]);
