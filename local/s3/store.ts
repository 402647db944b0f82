// Objects on disk. Bytes are written to a file of their own first; a row in SQLite then makes them an object, so that a
// crash at any moment leaves either the old object or the new one, never a torn one.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

/** A file that holds a stretch of an object; a multipart object is its parts, one after the other. */
export interface Segment {
  readonly file: string;
  readonly size: number;
}
export interface StoredObject {
  readonly bucket: string;
  readonly key: string;
  /** `null` where the bucket keeps no versions. */
  readonly version: string;
  readonly sequence: number;
  readonly size: number;
  readonly etag: string;
  readonly modifiedAt: number;
  /** Headers that are given back as they came: content type, user metadata, checksums. */
  readonly headers: Readonly<Record<string, string>>;
  readonly segments: readonly Segment[];
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
  /** The notification configuration as it was put (XML), empty where there is none. */
  readonly notification: string;
}

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS buckets (
    name TEXT PRIMARY KEY, createdAt INTEGER NOT NULL, versioned INTEGER NOT NULL DEFAULT 0, notification TEXT NOT NULL DEFAULT '');
  CREATE TABLE IF NOT EXISTS objects (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, bucket TEXT NOT NULL, key TEXT NOT NULL, version TEXT NOT NULL,
    size INTEGER NOT NULL, etag TEXT NOT NULL, modifiedAt INTEGER NOT NULL, headers TEXT NOT NULL, segments TEXT NOT NULL,
    deleted INTEGER NOT NULL DEFAULT 0);
  CREATE INDEX IF NOT EXISTS byKey ON objects (bucket, key, sequence);
  CREATE TABLE IF NOT EXISTS uploads (id TEXT PRIMARY KEY, bucket TEXT NOT NULL, key TEXT NOT NULL, headers TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS parts (
    upload TEXT NOT NULL, number INTEGER NOT NULL, file TEXT NOT NULL, size INTEGER NOT NULL, etag TEXT NOT NULL,
    PRIMARY KEY (upload, number));`;

const latest =
  'sequence = (SELECT MAX(sequence) FROM objects AS newer WHERE newer.bucket = objects.bucket AND newer.key = objects.key)';

/** Removes the files of uploads that a crash cut short: nothing in the index knows them. */
const sweep = (database: DatabaseSync, files: string): void => {
  const known = new Set<unknown>();
  for (const { segments } of database.prepare('SELECT segments FROM objects').iterate()) {
    for (const { file } of JSON.parse(String(segments)) as Segment[]) known.add(file);
  }
  for (const { file } of database.prepare('SELECT file FROM parts').iterate()) known.add(file);
  for (const file of readdirSync(files)) if (!known.has(file)) rmSync(join(files, file));
};

type Row = Record<string, SQLInputValue>;
const toObject = (row: Row): StoredObject =>
  ({
    ...row,
    headers: JSON.parse(String(row.headers)),
    segments: JSON.parse(String(row.segments)),
    deleted: row.deleted === 1,
  }) as unknown as StoredObject;
const toBucket = (row: Row): Bucket => ({ ...row, versioned: row.versioned === 1 }) as unknown as Bucket;

export type ObjectStore = ReturnType<typeof openObjectStore>;

export const openObjectStore = (directory: string, clock: () => number) => {
  const files = join(directory, 'objects');
  mkdirSync(files, { recursive: true });
  const database = new DatabaseSync(join(directory, 'index.sqlite'));
  database.exec(schema);
  sweep(database, files);
  const one = (sql: string, ...values: SQLInputValue[]) => database.prepare(sql).get(...values) as Row | undefined;
  const all = (sql: string, ...values: SQLInputValue[]) => database.prepare(sql).all(...values) as Row[];
  const run = (sql: string, ...values: SQLInputValue[]) => database.prepare(sql).run(...values);

  const removeFiles = async (segments: readonly Segment[]): Promise<void> => {
    await Promise.all(segments.map(({ file }) => rm(join(files, file), { force: true })));
  };

  const findObject = (bucket: string, key: string, version?: string): StoredObject | undefined => {
    const row =
      version === undefined
        ? one('SELECT * FROM objects WHERE bucket = ? AND key = ? ORDER BY sequence DESC LIMIT 1', bucket, key)
        : one('SELECT * FROM objects WHERE bucket = ? AND key = ? AND version = ?', bucket, key, version);
    return row === undefined ? undefined : toObject(row);
  };

  const findBucket = (name: string): Bucket | undefined => {
    const row = one('SELECT * FROM buckets WHERE name = ?', name);
    return row === undefined ? undefined : toBucket(row);
  };

  /** Makes the segments an object (or a delete marker), and drops what it replaces where no versions are kept. */
  const addObject = async (
    object: Pick<StoredObject, 'bucket' | 'key' | 'size' | 'etag' | 'headers' | 'segments'> & { deleted?: boolean },
  ): Promise<StoredObject> => {
    const { bucket, key, size, etag, headers, segments, deleted = false } = object;
    const version = findBucket(bucket)?.versioned ? randomUUID().replaceAll('-', '') : 'null';
    const replaced = version === 'null' ? findObject(bucket, key, 'null') : undefined;
    database.exec('BEGIN');
    if (replaced !== undefined) run('DELETE FROM objects WHERE sequence = ?', replaced.sequence);
    run(
      'INSERT INTO objects (bucket, key, version, size, etag, modifiedAt, headers, segments, deleted) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      ...[
        bucket,
        key,
        version,
        size,
        etag,
        clock(),
        JSON.stringify(headers),
        JSON.stringify(segments),
        deleted ? 1 : 0,
      ],
    );
    database.exec('COMMIT');
    if (replaced !== undefined) await removeFiles(replaced.segments);
    return findObject(bucket, key) as StoredObject;
  };

  return {
    findBucket,
    findObject,
    addObject,
    removeFiles,
    path: (file: string) => join(files, file),
    newFile: () => randomUUID(),
    /** The same bytes under new names; a hard link, so a copy costs nothing. */
    linkSegments: (segments: readonly Segment[]): Promise<Segment[]> =>
      Promise.all(
        segments.map(async ({ file, size }) => {
          const copy = randomUUID();
          await link(join(files, file), join(files, copy));
          return { file: copy, size };
        }),
      ),
    buckets: () => all('SELECT * FROM buckets ORDER BY name').map(toBucket),
    addBucket: (name: string) => run('INSERT OR IGNORE INTO buckets (name, createdAt) VALUES (?, ?)', name, clock()),
    removeBucket: (name: string) => run('DELETE FROM buckets WHERE name = ?', name),
    setVersioned: (name: string, versioned: boolean) =>
      run('UPDATE buckets SET versioned = ? WHERE name = ?', versioned ? 1 : 0, name),
    setNotification: (name: string, xml: string) =>
      run('UPDATE buckets SET notification = ? WHERE name = ?', xml, name),
    /** Removes one version for good, or (version undefined) the object of a bucket that keeps no versions. */
    removeObject: async (bucket: string, key: string, version = 'null'): Promise<void> => {
      const found = findObject(bucket, key, version);
      if (found === undefined) return;
      run('DELETE FROM objects WHERE sequence = ?', found.sequence);
      await removeFiles(found.segments);
    },
    /** Current objects in key order, from the first key after `after`. */
    list: (bucket: string, prefix: string, after: string, limit: number): StoredObject[] =>
      all(
        `SELECT * FROM objects WHERE bucket = ? AND key > ? AND substr(key, 1, ?) = ? AND key >= ? AND deleted = 0 AND ${latest} ORDER BY key LIMIT ?`,
        ...[bucket, after, [...prefix].length, prefix, prefix, limit],
      ).map(toObject),
    /** Versions and delete markers in key order, the newest first, after the given one. */
    listVersions: (bucket: string, prefix: string, after: { key: string; sequence: number }, limit: number) =>
      all(
        `SELECT *, ${latest} AS isLatest FROM objects WHERE bucket = ? AND substr(key, 1, ?) = ? AND (key > ? OR key = ? AND sequence < ?) ORDER BY key, sequence DESC LIMIT ?`,
        ...[bucket, [...prefix].length, prefix, after.key, after.key, after.sequence, limit],
      ).map(({ isLatest, ...row }) => ({ ...toObject(row), isLatest: isLatest === 1 })),
    addUpload: (upload: Upload) =>
      run(
        'INSERT INTO uploads VALUES (?, ?, ?, ?)',
        upload.id,
        upload.bucket,
        upload.key,
        JSON.stringify(upload.headers),
      ),
    findUpload: (id: string): Upload | undefined => {
      const row = one('SELECT * FROM uploads WHERE id = ?', id);
      return row === undefined
        ? undefined
        : ({ ...row, headers: JSON.parse(String(row.headers)) } as unknown as Upload);
    },
    addPart: async (upload: string, part: Part): Promise<void> => {
      const replaced = one('SELECT file, size FROM parts WHERE upload = ? AND number = ?', upload, part.number);
      run('INSERT OR REPLACE INTO parts VALUES (?, ?, ?, ?, ?)', upload, part.number, part.file, part.size, part.etag);
      if (replaced !== undefined) await removeFiles([replaced as unknown as Segment]);
    },
    parts: (upload: string): Part[] =>
      all('SELECT number, file, size, etag FROM parts WHERE upload = ? ORDER BY number', upload) as unknown as Part[],
    /** Forgets an upload; the caller has made its parts an object or removes their files. */
    removeUpload: (id: string): void => {
      run('DELETE FROM parts WHERE upload = ?', id);
      run('DELETE FROM uploads WHERE id = ?', id);
    },
    close: () => database.close(),
  };
};
