// Objects on disk. The bytes are written to a file first; a row in SQLite then makes them an object. So a crash at any
// moment leaves the old object or the new one, never half of one.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Database, type Row } from '../database.ts';

/** A file that holds a part of an object. A multipart object has several, in order. */
export interface Segment {
  readonly file: string;
  readonly size: number;
}
interface NewObject {
  readonly bucket: string;
  readonly key: string;
  readonly size: number;
  readonly etag: string;
  /** Headers that readers get: content type, user metadata, checksums. */
  readonly headers: Readonly<Record<string, string>>;
  readonly segments: readonly Segment[];
  /** It is a delete marker. @default false */
  readonly deleted?: boolean;
}
export interface StoredObject extends NewObject {
  /** `null` where the bucket is not versioned. */
  readonly version: string;
  readonly sequence: number;
  readonly modifiedAt: number;
  readonly deleted: boolean;
}
export interface Part extends Segment {
  readonly number: number;
  readonly etag: string;
}
export interface Upload {
  readonly id: string;
  readonly bucket: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
}
export interface Bucket {
  readonly name: string;
  readonly createdAt: number;
  readonly versioned: boolean;
  /** The notification configuration (XML), empty where there is none. */
  readonly notification: string;
}

/** When the upload of this id began, in epoch milliseconds. */
export const uploadBegan = (id: string): number => Number(id.slice(0, 13));

const schema = `
  CREATE TABLE IF NOT EXISTS buckets (
    name TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, versioned INTEGER NOT NULL DEFAULT 0,
    notification TEXT NOT NULL DEFAULT '');
  CREATE TABLE IF NOT EXISTS objects (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, bucket TEXT NOT NULL, key TEXT NOT NULL, version TEXT NOT NULL,
    size INTEGER NOT NULL, etag TEXT NOT NULL, modifiedAt INTEGER NOT NULL, headers TEXT NOT NULL,
    segments TEXT NOT NULL, deleted INTEGER NOT NULL DEFAULT 0);
  CREATE INDEX IF NOT EXISTS byKey ON objects (bucket, key, sequence);
  CREATE TABLE IF NOT EXISTS uploads (
    id TEXT PRIMARY KEY, bucket TEXT NOT NULL, key TEXT NOT NULL, headers TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS parts (
    upload TEXT NOT NULL, number INTEGER NOT NULL, file TEXT NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL,
    PRIMARY KEY (upload, number));`;

const latest = `sequence = (
  SELECT MAX(sequence) FROM objects AS newer WHERE newer.bucket = objects.bucket AND newer.key = objects.key)`;

const toObject = (row: Row): StoredObject =>
  ({
    ...row,
    headers: JSON.parse(String(row.headers)),
    segments: JSON.parse(String(row.segments)),
    deleted: row.deleted === 1,
  }) as unknown as StoredObject;
const toBucket = (row: Row): Bucket => ({ ...row, versioned: row.versioned === 1 }) as unknown as Bucket;
const toUpload = (row: Row): Upload => ({ ...row, headers: JSON.parse(String(row.headers)) }) as unknown as Upload;

/**
 * Compares the index with the files. A file that no row names is left from an upload that a crash cut short: it is
 * removed.
 * @returns the objects whose files are missing, as `s3://bucket/key`
 */
const checkFiles = (database: Database, folder: string): string[] => {
  const unknown = new Set(readdirSync(folder));
  const missing = new Set<string>();
  const present = new Set(unknown);
  for (const { bucket, key, segments } of database.all('SELECT bucket, key, segments FROM objects')) {
    for (const { file } of JSON.parse(String(segments)) as Segment[]) {
      if (!present.has(file)) missing.add(`s3://${bucket}/${key}`);
      unknown.delete(file);
    }
  }
  for (const { file } of database.all('SELECT file FROM parts')) unknown.delete(String(file));
  for (const file of unknown) rmSync(join(folder, file));
  return [...missing];
};

export class ObjectStore {
  /** Objects whose files were missing when the store was opened, as `s3://bucket/key`. */
  readonly missing: readonly string[];
  readonly #database: Database;
  readonly #files: string;
  readonly #clock: () => number;

  /** @throws Error that names the file of the index, where it is damaged */
  constructor(directory: string, clock: () => number) {
    this.#clock = clock;
    this.#files = join(directory, 'objects');
    mkdirSync(this.#files, { recursive: true });
    this.#database = new Database(join(directory, 'index.sqlite'), schema);
    this.missing = checkFiles(this.#database, this.#files);
  }

  close(): void {
    this.#database.close();
  }

  buckets(): Bucket[] {
    return this.#database.all('SELECT * FROM buckets ORDER BY name').map(toBucket);
  }

  findBucket(name: string): Bucket | undefined {
    return this.#database.all('SELECT * FROM buckets WHERE name = ?', name).map(toBucket)[0];
  }

  addBucket(name: string): void {
    this.#database.run('INSERT OR IGNORE INTO buckets (name, createdAt) VALUES (?, ?)', name, this.#clock());
  }

  setVersioned(name: string, versioned: boolean): void {
    this.#database.run('UPDATE buckets SET versioned = ? WHERE name = ?', versioned ? 1 : 0, name);
  }

  setNotification(name: string, xml: string): void {
    this.#database.run('UPDATE buckets SET notification = ? WHERE name = ?', xml, name);
  }

  findObject(bucket: string, key: string, version?: string): StoredObject | undefined {
    const newest = 'SELECT * FROM objects WHERE bucket = ? AND key = ? ORDER BY sequence DESC LIMIT 1';
    const named = 'SELECT * FROM objects WHERE bucket = ? AND key = ? AND version = ?';
    const row =
      version === undefined ? this.#database.one(newest, bucket, key) : this.#database.one(named, bucket, key, version);
    return row && toObject(row);
  }

  /** Current objects in key order, after the key `after`. */
  list(bucket: string, prefix: string, after: string, limit: number): StoredObject[] {
    const sql = `SELECT * FROM objects WHERE bucket = ? AND key > ? AND substr(key, 1, ?) = ? AND key >= ?
      AND deleted = 0 AND ${latest} ORDER BY key LIMIT ?`;
    return this.#database.all(sql, bucket, after, [...prefix].length, prefix, prefix, limit).map(toObject);
  }

  /** Versions and delete markers in key order, the newest first, after the given one. */
  listVersions(
    bucket: string,
    prefix: string,
    after: { readonly key: string; readonly sequence: number },
    limit: number,
  ): (StoredObject & { readonly isLatest: boolean })[] {
    const sql = `SELECT *, ${latest} AS isLatest FROM objects WHERE bucket = ? AND substr(key, 1, ?) = ?
      AND (key > ? OR key = ? AND sequence < ?) ORDER BY key, sequence DESC LIMIT ?`;
    return this.#database
      .all(sql, bucket, [...prefix].length, prefix, after.key, after.key, after.sequence, limit)
      .map(({ isLatest, ...row }) => ({ ...toObject(row), isLatest: isLatest === 1 }));
  }

  /** Makes the segments an object (or a delete marker). It replaces the object where the bucket is not versioned. */
  async addObject(object: NewObject): Promise<StoredObject> {
    const { bucket, key, size, etag, headers, segments, deleted = false } = object;
    const version = this.findBucket(bucket)?.versioned ? randomUUID().replaceAll('-', '') : 'null';
    const replaced = version === 'null' ? this.findObject(bucket, key, 'null') : undefined;
    const names = 'bucket, key, version, size, etag, modifiedAt, headers, segments, deleted';
    const texts = [JSON.stringify(headers), JSON.stringify(segments)];
    const values = [bucket, key, version, size, etag, this.#clock(), ...texts, deleted ? 1 : 0];
    this.#database.transaction(() => {
      if (replaced !== undefined) this.#database.run('DELETE FROM objects WHERE sequence = ?', replaced.sequence);
      this.#database.run(`INSERT INTO objects (${names}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, ...values);
    });
    if (replaced !== undefined) await this.removeFiles(replaced.segments);
    return this.findObject(bucket, key) as StoredObject;
  }

  /** Removes one version for good, or (version undefined) the object of a bucket that is not versioned. */
  async removeObject(bucket: string, key: string, version = 'null'): Promise<void> {
    const found = this.findObject(bucket, key, version);
    if (found === undefined) return;
    this.#database.run('DELETE FROM objects WHERE sequence = ?', found.sequence);
    await this.removeFiles(found.segments);
  }

  newFile(): string {
    return randomUUID();
  }

  path(file: string): string {
    return join(this.#files, file);
  }

  /** The same bytes under new names. They are hard links, so a copy needs no space. */
  linkSegments(segments: readonly Segment[]): Promise<Segment[]> {
    return Promise.all(
      segments.map(async ({ file, size }) => {
        const copy = this.newFile();
        await link(this.path(file), this.path(copy));
        return { file: copy, size };
      }),
    );
  }

  async removeFiles(segments: readonly Segment[]): Promise<void> {
    await Promise.all(segments.map(({ file }) => rm(this.path(file), { force: true })));
  }

  addUpload({ id, bucket, key, headers }: Upload): void {
    this.#database.run('INSERT INTO uploads VALUES (?, ?, ?, ?)', id, bucket, key, JSON.stringify(headers));
  }

  /** Begins with the time, which no column holds. */
  newUploadId(): string {
    return `${String(this.#clock()).padStart(13, '0')}.${randomUUID()}`;
  }

  /** Uploads in the order of their keys, after the given one. */
  listUploads(
    bucket: string,
    prefix: string,
    after: { readonly key: string; readonly id: string },
    limit: number,
  ): Upload[] {
    const sql = `SELECT * FROM uploads WHERE bucket = ? AND substr(key, 1, ?) = ?
      AND (key > ? OR key = ? AND ? <> '' AND id > ?) ORDER BY key, id LIMIT ?`;
    const { key, id } = after;
    return this.#database.all(sql, bucket, [...prefix].length, prefix, key, key, id, id, limit).map(toUpload);
  }

  findUpload(id: string): Upload | undefined {
    return this.#database.all('SELECT * FROM uploads WHERE id = ?', id).map(toUpload)[0];
  }

  async addPart(upload: string, { number, file, size, etag }: Part): Promise<void> {
    const replaced = this.parts(upload).filter((part) => part.number === number);
    this.#database.run('INSERT OR REPLACE INTO parts VALUES (?, ?, ?, ?, ?)', upload, number, file, size, etag);
    await this.removeFiles(replaced);
  }

  parts(upload: string): Part[] {
    const sql = 'SELECT number, file, size, etag FROM parts WHERE upload = ? ORDER BY number';
    return this.#database.all(sql, upload) as unknown as Part[];
  }

  /** The caller has made the upload's parts an object, or removes their files. */
  removeUpload(id: string): void {
    this.#database.run('DELETE FROM parts WHERE upload = ?', id);
    this.#database.run('DELETE FROM uploads WHERE id = ?', id);
  }
}
