// A lock that the operating system releases when its process ends, however it ends: that of SQLite on a file. Node has
// no other one for every system.
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

const busy = 5;

const attempt = (path: string, readOnly: boolean, sql: string): DatabaseSync | undefined => {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly });
    database.exec(sql);
    return database;
  } catch (cause) {
    database?.close();
    if ((cause as { readonly errcode?: number }).errcode === busy) return undefined;
    const advice = 'Use a folder on a disk of this machine.';
    throw new Error(`${path} cannot be locked: ${(cause as Error).message}. ${advice}`, { cause });
  }
};

/** A lock ends with its object, which is kept here: nobody needs to keep what takeLock returned. */
const held = new Set<DatabaseSync>();

/**
 * @param patienceMs how long to wait for the process that has the lock; nothing else of this process runs meanwhile
 * @returns a function that releases the lock; undefined where another process has it
 */
export const takeLock = (path: string, patienceMs: number): (() => void) | undefined => {
  const database = attempt(path, false, `PRAGMA busy_timeout = ${patienceMs}; BEGIN EXCLUSIVE`);
  if (database === undefined) return undefined;
  held.add(database);
  return () => {
    if (held.delete(database)) database.close();
  };
};

export const isLocked = (path: string): boolean => {
  if (!existsSync(path)) return false;
  // It reads, so it is in nobody's way for longer than that.
  const database = attempt(path, true, 'SELECT count(*) FROM sqlite_master');
  database?.close();
  return database === undefined;
};
