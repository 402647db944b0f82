// In-memory twins of what ingest writes to: an object store, the ledger and a queue, with their conditions.
import type { ImportItem } from '#shared/import/import.ts';
import { type PartItem, partKey } from '#shared/import/part.ts';
import type { RequestItem } from '#shared/request/request.ts';
import type { Files, FileWriter, ObjectHead, ObjectRef } from '#shared/store/files.ts';
import type { Imports } from '#shared/store/imports.ts';
import { ObjectGone } from '#shared/store/object-keys.ts';
import type { Requests } from '#shared/store/requests.ts';
import { double } from '../double.ts';

interface StoredObject {
  readonly body: Buffer;
  readonly metadata: Readonly<Record<string, string>>;
  readonly etag: string;
}

export interface MemoryFiles extends Files {
  put(bucket: string, key: string, body: string | Buffer, metadata?: Record<string, string>, etag?: string): void;
  remove(bucket: string, key: string): void;
  text(bucket: string, key: string): string;
  keys(): string[];
  /** Bytes a read hands out at a time. */
  chunkBytes: number;
}

export function memoryFiles(): MemoryFiles {
  const objects = new Map<string, StoredObject>();
  const place = ({ bucket, key }: ObjectRef) => `${bucket}/${key}`;
  const find = (ref: ObjectRef): StoredObject | undefined => {
    const found = objects.get(place(ref));
    return found !== undefined && (ref.etag === undefined || ref.etag === found.etag) ? found : undefined;
  };
  const files: MemoryFiles = double<MemoryFiles>({
    chunkBytes: 64 * 1024,
    put: (bucket, key, body, metadata = {}, etag = 'etag-1') => {
      objects.set(place({ bucket, key }), { body: Buffer.from(body), metadata, etag });
    },
    remove: (bucket, key) => void objects.delete(place({ bucket, key })),
    text: (bucket, key) => objects.get(place({ bucket, key }))?.body.toString('utf8') ?? '',
    keys: () => [...objects.keys()].sort(),
    head: async (ref): Promise<ObjectHead | undefined> => {
      const found = find(ref);
      if (found === undefined) return undefined;
      const { metadata, etag, body } = found;
      return { ...ref, metadata, etag, bytes: body.length, lastModified: new Date(0) };
    },
    read: async (ref, range) => {
      const found = find(ref);
      if (found === undefined) throw new ObjectGone(ref, undefined);
      return chunks(found.body.subarray(range?.start, range?.end), files.chunkBytes);
    },
    readBytes: async (ref, range) => Buffer.concat(await Array.fromAsync(await files.read(ref, range))),
    readText: async (ref) => (await files.readBytes(ref)).toString('utf8'),
    open: (bucket, key): FileWriter => {
      const parts: Buffer[] = [];
      return {
        write: async (chunk) => void parts.push(Buffer.from(chunk)),
        close: async () => {
          const body = Buffer.concat(parts);
          objects.set(place({ bucket, key }), { body, metadata: {}, etag: 'written' });
        },
        abort: async () => {},
      };
    },
  });
  return files;
}

async function* chunks(body: Buffer, size: number): AsyncIterable<Uint8Array> {
  for (let start = 0; start < body.length; start += size) yield body.subarray(start, start + size);
}

export interface MemoryLedger {
  readonly imports: Imports;
  readonly requests: Requests;
  readonly items: Map<string, ImportItem>;
  readonly planned: Map<string, RequestItem>;
}

export function memoryLedger(): MemoryLedger {
  const items = new Map<string, ImportItem>();
  const planned = new Map<string, RequestItem>();
  const parts = new Map<string, PartItem>();
  const imports: Imports = double<Imports>({
    begin: async (item) => {
      const known = items.get(item.importId);
      if (known !== undefined) return { item: known, isNew: false };
      items.set(item.importId, item);
      return { item, isNew: true };
    },
    get: async (importId) => items.get(importId),
    addPart: async (part, { reading }) => {
      const first = items.get(part.importId);
      if (first?.reading?.count !== reading?.count) return false;
      if (first !== undefined) items.set(part.importId, { ...first, hasParts: true });
      parts.set(partKey(part).sk, part);
      return true;
    },
    parts: async ({ importId, hasParts }) =>
      [...parts.values()]
        .filter((part) => hasParts && part.importId === importId)
        .sort((one, other) => (partKey(one).sk < partKey(other).sk ? -1 : 1)),
    list: async () => [...items.values()].reverse(),
    update: async (importId, changes, expected = []) => {
      const known = items.get(importId);
      if (known === undefined || (expected.length > 0 && !expected.includes(known.state))) return undefined;
      const changed = { ...known, ...changes };
      items.set(importId, changed);
      return changed;
    },
    updateReading: async ({ importId, reading }, changes, expected) =>
      items.get(importId)?.reading?.count === reading?.count ? imports.update(importId, changes, expected) : undefined,
    approve: async ({ importId, planHash }, changes) =>
      items.get(importId)?.planHash === planHash ? imports.update(importId, changes, ['planned']) : undefined,
  });
  return {
    items,
    planned,
    imports,
    requests: double<Requests>({
      get: async () => undefined,
      plan: async (requests) => {
        for (const request of requests) {
          const key = `${request.importId}/${request.request}`;
          if (!planned.has(key)) planned.set(key, request);
        }
      },
      ofImport: async function* (importId, after = 0) {
        for (const request of [...planned.values()])
          if (request.importId === importId && request.request > after) yield request;
      },
    }),
  };
}
