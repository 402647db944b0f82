// Erases what is stored about one number: its items, its rows in lists of other items, and its rows in files. A file
// that cannot be changed, because other parts refer to its bytes, is deleted as a whole.
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import {
  type Mentions,
  mentionsOf,
  recordsWithoutMentions,
  withoutMentions,
} from '#shared/domain/numbers/number-mentions.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import { importsPrefix } from './files/object-keys.ts';
import { importKey, numberKey, portKey } from './tables/item-keys.ts';
import { queryItems, type RawItem } from './tables/query.ts';

export interface Erasing {
  readonly s3: S3Client;
  readonly table: DynamoDBDocumentClient;
  readonly resultsTable: string;
  readonly workBucket: string;
  readonly resultsBucket: string;
  readonly number: string;
  readonly callingCode: string;
  /** Finds everything, and changes nothing. */
  readonly isTrial: boolean;
}

export interface Erased {
  readonly what: 'item' | 'file';
  readonly place: string;
  readonly how: 'deleted' | 'changed';
}

const fileNames = ['results.csv', 'rejected.csv', 'issues.ndjson', 'mismatches-bar-service-config.csv'];
const correctionNames = ['correct-update-port.csv', 'correct-create-port.csv'];

/** What was found about the number in this import. The import must have ended: nothing writes its items any more. */
export async function* eraseFromImport(item: ImportItem, erasing: Erasing): AsyncIterable<Erased> {
  const mentions = mentionsOf(erasing.number, erasing.callingCode);
  const { importId, bucket, key, versionId } = item;
  yield* deleteFile({ bucket, key, versionId }, mentions, erasing);
  for (const name of ['plan.ndjson', 'plan-index.ndjson']) {
    yield* deleteFile({ bucket: erasing.workBucket, key: `${importsPrefix}${importId}/${name}` }, mentions, erasing);
  }
  for (const name of [...fileNames, ...correctionNames]) {
    yield* changeFile({ bucket: erasing.resultsBucket, key: `${importsPrefix}${importId}/${name}` }, mentions, erasing);
  }
  const ports = new Set<string>();
  for await (const each of itemsOf(importKey(importId).pk, erasing)) {
    if (typeof each.portId === 'string') ports.add(each.portId);
    yield* changeItem(each, mentions, erasing);
  }
  for (const portId of ports) {
    for await (const each of itemsOf(portKey(portId).pk, erasing)) yield* changeItem(each, mentions, erasing);
  }
}

/** The claims of the number. */
export async function* eraseClaims(erasing: Erasing): AsyncIterable<Erased> {
  for await (const { pk, sk } of itemsOf(numberKey(erasing.number).pk, erasing)) {
    if (!erasing.isTrial) {
      await erasing.table.send(new DeleteCommand({ TableName: erasing.resultsTable, Key: { pk, sk } }));
    }
    yield { what: 'item', place: `${pk} / ${sk}`, how: 'deleted' };
  }
}

const itemsOf = (pk: string, { table, resultsTable }: Erasing): AsyncIterable<RawItem> =>
  queryItems(table, {
    TableName: resultsTable,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  });

async function* changeItem(item: RawItem, mentions: Mentions, erasing: Erasing): AsyncIterable<Erased> {
  // The key of the file stays: it names the object, which is deleted.
  const { key, ...rest } = item;
  const changed = { ...(withoutMentions(rest, mentions) as RawItem), ...(key === undefined ? {} : { key }) };
  if (JSON.stringify(changed) === JSON.stringify({ ...rest, ...(key === undefined ? {} : { key }) })) return;
  if (!erasing.isTrial) await erasing.table.send(new PutCommand({ TableName: erasing.resultsTable, Item: changed }));
  yield { what: 'item', place: `${item.pk} / ${item.sk}`, how: 'changed' };
}

interface Place {
  readonly bucket: string;
  readonly key: string;
  readonly versionId?: string | undefined;
}

async function textOf({ bucket, key, versionId }: Place, { s3 }: Erasing): Promise<string | undefined> {
  try {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId }));
    const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
    return bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.toString('utf16le') : bytes.toString('utf8');
  } catch (error) {
    if (error instanceof Error && ['NoSuchKey', 'NoSuchVersion', 'NotFound'].includes(error.name)) return undefined;
    throw error;
  }
}

const nameOf = ({ bucket, key }: Place): string => `s3://${bucket}/${key}`;

async function* deleteFile(place: Place, mentions: Mentions, erasing: Erasing): AsyncIterable<Erased> {
  const text = await textOf(place, erasing);
  if (text === undefined || !mentions.isIn(text)) return;
  const { bucket, key, versionId } = place;
  if (!erasing.isTrial) {
    await erasing.s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId }));
  }
  yield { what: 'file', place: nameOf(place), how: 'deleted' };
}

async function* changeFile(place: Place, mentions: Mentions, erasing: Erasing): AsyncIterable<Erased> {
  const text = await textOf(place, erasing);
  if (text === undefined || !mentions.isIn(text)) return;
  const { bucket: Bucket, key: Key } = place;
  const type = Key.endsWith('.csv') ? 'text/csv; charset=utf-8' : 'application/x-ndjson';
  const Body = recordsWithoutMentions(text, mentions);
  if (!erasing.isTrial) await erasing.s3.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: type }));
  yield { what: 'file', place: nameOf(place), how: 'changed' };
}
