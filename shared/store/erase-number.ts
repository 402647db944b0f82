// Erases what is stored about one number: its items, its rows in lists of other items, and its rows in files. A file
// that cannot be changed, because other parts refer to its bytes, is deleted as a whole.
import { DeleteObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { type ImportItem, importKey } from '#shared/import/import.ts';
import { portKey } from '#shared/port/port.ts';
import { numberKey } from '#shared/request/number-claim.ts';
import { createFiles, openWriter, versionPages } from './files.ts';
import { contentKey } from './first-uses.ts';
import {
  analyticsKey,
  csvEtagName,
  importFileKey,
  portsPrefix,
  queryResultsPrefix,
  readingPrefix,
  resultsKey,
  simListsPrefix,
  simServicesPrefix,
  unlessGone,
} from './object-keys.ts';
import { auditPk, draftPk, resolutionPk } from './people.ts';
import {
  containsNumber,
  createRecordFilter,
  decodedTexts,
  type Mentions,
  mentionsOf,
  type OpenArchive,
  withoutMentions,
} from './search-number.ts';
import { queryItems, type RawItem } from './table.ts';

export interface Erasing {
  readonly s3: S3Client;
  readonly table: DynamoDBDocumentClient;
  readonly resultsTable: string;
  readonly inboxBucket: string;
  readonly workBucket: string;
  readonly resultsBucket: string;
  readonly number: string;
  readonly callingCode: string;
  readonly openArchive: OpenArchive;
  /** Reads the upload of an import as ingest did. unreadable: nobody can say what it contains. */
  readonly searchUpload: (item: ImportItem) => Promise<'found' | 'not found' | 'unreadable'>;
  /** Writes results.csv without the rows of the number, and its index. */
  readonly rewriteResults: (item: ImportItem) => Promise<void>;
  /** Writes the rows for queries again, from results.csv. */
  readonly writeAnalytics: (item: ImportItem) => Promise<void>;
  /** Finds everything, and changes nothing. */
  readonly isTrial: boolean;
}

export interface Erased {
  readonly what: 'item' | 'file';
  readonly place: string;
  readonly how: 'deleted' | 'changed';
  /** Nobody can say whether it contained the number. */
  readonly isUnread?: true;
}

/** What was found about the number in this import. The import must have ended: nothing writes its items any more. */
export async function* eraseFromImport(item: ImportItem, erasing: Erasing): AsyncIterable<Erased> {
  const places = new Set<string>();
  for await (const erased of eraseMentions(item, erasing)) {
    places.add(erased.place);
    yield erased;
  }
  yield* eraseFromAnalytics(item, places, erasing);
  // It was made from the rows with the number.
  if (places.size > 0 && item.contentHash) yield* deleteItems(contentKey(item.account, item.contentHash).pk, erasing);
}

async function* eraseMentions(item: ImportItem, erasing: Erasing): AsyncIterable<Erased> {
  const mentions = mentionsOf(erasing.number, erasing.callingCode);
  for await (const file of filesOf(item, erasing)) yield* eraseFromFile(file, mentions, erasing);
  const { importId } = item;
  const ports = new Set<string>();
  for (const partition of [importKey(importId).pk, auditPk(importId), draftPk(importId), resolutionPk(importId)]) {
    for await (const each of itemsOf(partition, erasing)) {
      if (typeof each.portId === 'string') ports.add(each.portId);
      yield* changeItem(each, mentions, erasing);
    }
  }
  for (const portId of ports) {
    for await (const each of itemsOf(portKey(portId).pk, erasing)) yield* changeItem(each, mentions, erasing);
  }
}

/** Every version of every file of the import, whatever writes it. */
async function* filesOf(item: ImportItem, erasing: Erasing): AsyncIterable<SearchedFile> {
  const { importId, bucket, key, versionId } = item;
  yield { bucket, key, versionId, change: 'delete', search: () => erasing.searchUpload(item) };
  for (const [folder, prefix] of [
    // What people changed of the file before it was sent.
    [bucket, readingPrefix(item)],
    [erasing.workBucket, importFileKey(importId, '')],
  ] as const) {
    for await (const file of filesBelow(folder, prefix, erasing)) yield { ...file, change: 'delete' };
  }
  for await (const file of filesBelow(erasing.resultsBucket, importFileKey(importId, ''), erasing)) {
    const canChange = file.isLatest && /\.(csv|ndjson)$/.test(file.key);
    const rewrite = file.key === resultsKey(importId) ? () => erasing.rewriteResults(item) : undefined;
    yield { ...file, change: canChange ? 'rewrite' : 'delete', rewrite };
  }
}

/** The rows for queries are compressed, and those of results.csv: where it has changed, they are written again. */
async function* eraseFromAnalytics(
  item: ImportItem,
  places: ReadonlySet<string>,
  erasing: Erasing,
): AsyncIterable<Erased> {
  const { s3, resultsBucket: bucket, isTrial } = erasing;
  const file = { bucket, key: analyticsKey(item) };
  const csv = { bucket, key: resultsKey(item.importId) };
  const [written, current] = await Promise.all([file, csv].map((each) => createFiles(s3).head(each)));
  if (written === undefined) return;
  if (!places.has(placeOf(csv)) && written.metadata[csvEtagName] === current?.etag) return;
  if (!isTrial) {
    await s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: file.key }));
    await erasing.writeAnalytics(item);
  }
  yield { what: 'file', place: placeOf(file), how: current === undefined ? 'deleted' : 'changed' };
}

/** The claims of the number. */
export const eraseClaims = (erasing: Erasing): AsyncIterable<Erased> =>
  deleteItems(numberKey(erasing.number).pk, erasing);

/** Partitions that no import names. An upload may have no import yet: only a scan finds it. */
const scanned = ['upload#', 'idempotency#', 'audit#', 'saved#'];

/**
 * What no import names: lists of SIMs with their services; the list of ports; answers of queries, uploads and answers
 * of the API, which are kept for a day; and saved settings with their audit trail.
 */
export async function* eraseWrites(erasing: Erasing): AsyncIterable<Erased> {
  const { table, resultsTable, inboxBucket, resultsBucket, number, callingCode } = erasing;
  const mentions = mentionsOf(number, callingCode);
  for (const [bucket, prefix] of [
    [inboxBucket, simListsPrefix],
    [resultsBucket, simServicesPrefix],
    [resultsBucket, portsPrefix],
    [resultsBucket, queryResultsPrefix],
  ] as const) {
    for await (const file of filesBelow(bucket, prefix, erasing))
      yield* eraseFromFile({ ...file, change: 'delete' }, mentions, erasing);
  }
  const pages = paginateScan(
    { client: table },
    {
      TableName: resultsTable,
      FilterExpression: scanned.map((_, index) => `begins_with(pk, :p${index})`).join(' OR '),
      ExpressionAttributeValues: Object.fromEntries(scanned.map((prefix, index) => [`:p${index}`, prefix])),
      ConsistentRead: true,
    },
  );
  for await (const { Items = [] } of pages) {
    for (const item of Items) {
      if (mentions.isIn(JSON.stringify(item))) yield* eraseScanned(item, mentions, erasing);
    }
  }
}

function eraseScanned(item: RawItem, mentions: Mentions, erasing: Erasing): AsyncIterable<Erased> {
  const pk = String(item.pk);
  if (pk.startsWith('audit#')) return changeItem(item, mentions, erasing);
  return pk.startsWith('saved#') ? deleteItem(item, erasing) : deleteItems(pk, erasing);
}

async function* deleteItems(partition: string, erasing: Erasing): AsyncIterable<Erased> {
  for await (const item of itemsOf(partition, erasing)) yield* deleteItem(item, erasing);
}

async function* deleteItem({ pk, sk }: RawItem, { table, resultsTable, isTrial }: Erasing): AsyncIterable<Erased> {
  if (!isTrial) await table.send(new DeleteCommand({ TableName: resultsTable, Key: { pk, sk } }));
  yield { what: 'item', place: `${pk} / ${sk}`, how: 'deleted' };
}

const itemsOf = (pk: string, { table, resultsTable }: Erasing): AsyncIterable<RawItem> =>
  queryItems(table, {
    TableName: resultsTable,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ConsistentRead: true,
  });

async function* changeItem(item: RawItem, mentions: Mentions, erasing: Erasing): AsyncIterable<Erased> {
  const changed = withoutMentions(item, mentions) as RawItem;
  if (JSON.stringify(changed) === JSON.stringify(item)) return;
  if (!erasing.isTrial) await erasing.table.send(new PutCommand({ TableName: erasing.resultsTable, Item: changed }));
  yield { what: 'item', place: `${item.pk} / ${item.sk}`, how: 'changed' };
}

interface StoredFile {
  readonly bucket: string;
  readonly key: string;
  readonly versionId?: string | undefined;
}
const placeOf = ({ bucket, key }: StoredFile): string => `s3://${bucket}/${key}`;

async function* filesBelow(bucket: string, prefix: string, { s3 }: Erasing) {
  for await (const page of versionPages(s3, { Bucket: bucket, Prefix: prefix })) {
    for (const { Key: key = '', VersionId: versionId, IsLatest: isLatest = true } of page.Versions ?? []) {
      yield { bucket, key, versionId, isLatest };
    }
  }
}

/** undefined: the object does not exist any more. */
const read = (file: StoredFile, { s3 }: Erasing) => unlessGone(createFiles(s3).read(file), undefined);

interface SearchedFile extends StoredFile {
  readonly change: 'delete' | 'rewrite';
  /** Searches it in another way as well. */
  readonly search?: () => ReturnType<Erasing['searchUpload']>;
  /** @default - without the records of the number */
  readonly rewrite?: (() => Promise<void>) | undefined;
}

async function* eraseFromFile(
  { change, search, rewrite = () => rewriteRecords(file, mentions, erasing), ...file }: SearchedFile,
  mentions: Mentions,
  erasing: Erasing,
): AsyncIterable<Erased> {
  const { bucket, key, versionId } = file;
  const content = await read(file, erasing);
  if (content === undefined) return;
  let isUnread = false;
  let isFound =
    mentions.isIn(key) ||
    (await containsNumber(content, mentions, erasing.openArchive, () => {
      isUnread = true;
    }));
  const searched = isFound ? undefined : await search?.();
  isUnread ||= searched === 'unreadable';
  isFound ||= isUnread || searched === 'found';
  if (!isFound) return;
  if (!erasing.isTrial) {
    if (change === 'rewrite') await rewrite();
    // In a bucket with versions, the version that was rewritten is still there.
    if (change === 'delete' || (versionId !== undefined && versionId !== 'null')) {
      await erasing.s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: key, VersionId: versionId }));
    }
  }
  const how = change === 'rewrite' ? 'changed' : 'deleted';
  yield { what: 'file', place: placeOf(file), how, ...(isUnread && { isUnread }) };
}

async function rewriteRecords(file: StoredFile, mentions: Mentions, erasing: Erasing): Promise<void> {
  const isCsv = file.key.endsWith('.csv');
  const type = isCsv ? 'text/csv; charset=utf-8' : 'application/x-ndjson';
  const content = await read(file, erasing);
  if (content === undefined) return;
  const filter = createRecordFilter(mentions, isCsv ? 'csv' : 'lines');
  const writer = openWriter(erasing.s3, { Bucket: file.bucket, Key: file.key }, type);
  try {
    for await (const text of decodedTexts(content)) await writer.write(filter.add(text));
    await writer.write(filter.end());
  } catch (error) {
    await writer.abort();
    throw error;
  }
  await writer.close();
}
