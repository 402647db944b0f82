// A port as items: gzipped JSON, cut into parts where one item would be too large.
import { promisify } from 'node:util';
import { gunzip, gunzipSync, gzip, gzipSync } from 'node:zlib';
import * as z from 'zod';
import type { Port } from '../port.ts';
import { storedPort } from '../stored-port.ts';
import type { Item } from './table.ts';

const zipAside = promisify(gzip);
const unzipAside = promisify(gunzip);
/** Below this size a trip to another thread costs more than the work. */
const asideBytes = 128 * 1024;
/** Fastest: the table is for reading back, not for keeping small. */
const level = { level: 1 };

const zip = async (text: string): Promise<Buffer> =>
  text.length < asideBytes ? gzipSync(text, level) : zipAside(text, level);
const unzip = async (body: Buffer): Promise<Buffer> =>
  body.length < asideBytes / 8 ? gunzipSync(body) : unzipAside(body);

/** An item may have 400 KB. */
const partBytes = 350 * 1024;

export const portKey = (portId: string): string => `port#${portId}`;
export const firstPart = 'body#00';

const partItem = z.object({
  pk: z.string(),
  sk: z.string(),
  version: z.int(),
  parts: z.int(),
  body: z.instanceof(Uint8Array),
});

/** The items of a port. Those who read the table find the status and the name beside the body, as they were last written. */
export async function portItems(port: Port): Promise<Item[]> {
  const body = await zip(JSON.stringify(port));
  const parts = Math.max(1, Math.ceil(body.length / partBytes));
  const { version, accountId, name, status } = port;
  return Array.from({ length: parts }, (_, index) => ({
    pk: portKey(port.id),
    sk: `body#${String(index).padStart(2, '0')}`,
    version,
    parts,
    body: body.subarray(index * partBytes, (index + 1) * partBytes),
    ...(index === 0 && { accountId, name, status, rowCount: port.rows.length }),
  }));
}

export const versionOfItem = (item: unknown): number => partItem.parse(item).version;

/** The port of its items, or null where they are not all there or not all of one version: read them again then. */
export async function portOfItems(items: readonly unknown[]): Promise<Port | null> {
  const parts = z.array(partItem).parse(items);
  const count = parts[0]?.parts ?? 0;
  const ofFirst = parts.slice(0, count).filter(({ version }) => version === parts[0]?.version);
  if (ofFirst.length < count || count === 0) return null;
  const body = await unzip(Buffer.concat(ofFirst.map((part) => part.body)));
  return storedPort.parse(JSON.parse(body.toString()));
}
