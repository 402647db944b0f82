// Documents as items: gzipped JSON, cut into parts if one item would be too large.
import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzip, gzipSync } from 'node:zlib';
import * as z from 'zod';
import { type Port, storedPort } from '../../ports/port.ts';
import type { Submission } from '../store.ts';
import { listKey, timeText } from './port-order.ts';
import type { Item } from './table.ts';

const gzipInThread = promisify(gzip);
const gunzipInThread = promisify(gunzip);
/** Below this size another thread costs more than it saves. */
const threadBytes = 128 * 1024;
/** The fastest level: writes are frequent, and storage costs little. */
const level = { level: 1 };

const zip = async (text: string): Promise<Buffer> =>
  text.length < threadBytes ? gzipSync(text, level) : gzipInThread(text, level);
const unzip = async (body: Buffer): Promise<Buffer> =>
  body.length < threadBytes / 8 ? gunzipSync(body) : gunzipInThread(body);

/** An item may have 400 KB. */
const partBytes = 350 * 1024;

const partItem = z.object({
  pk: z.string(),
  sk: z.string(),
  version: z.int(),
  parts: z.int(),
  body: z.instanceof(Uint8Array),
});

interface Document {
  readonly pk: string;
  readonly skPrefix: string;
  readonly accountId: number;
  readonly version: number;
  readonly value: unknown;
}

async function itemsOf({ pk, skPrefix, accountId, version, value }: Document): Promise<[Item, ...Item[]]> {
  const body = await zip(JSON.stringify(value));
  const parts = Math.max(1, Math.ceil(body.length / partBytes));
  const partAt = (index: number): Item => ({
    pk,
    sk: `${skPrefix}#${String(index).padStart(2, '0')}`,
    accountId,
    version,
    parts,
    body: body.subarray(index * partBytes, (index + 1) * partBytes),
  });
  return [partAt(0), ...Array.from({ length: parts - 1 }, (_, index) => partAt(index + 1))];
}

/** The value of a document's items, or null if they are not all of one version: read them again then. */
async function readDocument(items: readonly unknown[]): Promise<unknown> {
  const parts = z.array(partItem).parse(items);
  const count = parts[0]?.parts ?? 0;
  const ofFirst = parts.slice(0, count).filter(({ version }) => version === parts[0]?.version);
  if (ofFirst.length < count || count === 0) return null;
  const body = await unzip(Buffer.concat(ofFirst.map((part) => part.body)));
  return JSON.parse(body.toString());
}

export const portKey = (portId: string): string => `port#${portId}`;
export const firstPart = 'body#00';

/** The items of a port. For people who read the table, the first shows the name and the status when last written. */
export async function portItems(port: Port): Promise<[Item, ...Item[]]> {
  const { accountId, version, name, status } = port;
  const [first, ...others] = await itemsOf({
    pk: portKey(port.id),
    skPrefix: 'body',
    accountId,
    version,
    value: port,
  });
  return [{ ...first, name, status, rowCount: port.rows.length }, ...others];
}

export const versionOfItem = (item: unknown): number => partItem.parse(item).version;

/** The port of its items, or null if they are not all of one version: read them again then. */
export async function portOfItems(items: readonly unknown[]): Promise<Port | null> {
  const value = await readDocument(items);
  return value === null ? null : storedPort.parse(value);
}

const submissionSchema = z.custom<Submission>((value) => typeof value === 'object' && value !== null);

export const submissionItems = (submission: Submission): Promise<[Item, ...Item[]]> => {
  const { accountId, createdAt, ticketNumber } = submission;
  const skPrefix = `ticket#${timeText(createdAt)}#${ticketNumber}`;
  return itemsOf({ pk: listKey(accountId), skPrefix, accountId, version: 1, value: submission });
};

/** The submissions of their items, in the order of the items. */
export async function submissionsOfItems(items: readonly Item[]): Promise<Submission[]> {
  const byTicket = Map.groupBy(items, ({ sk }) => sk.slice(0, sk.lastIndexOf('#')));
  const values = await Promise.all([...byTicket.values()].map(readDocument));
  return z.array(submissionSchema).parse(values);
}
