// Files for people, written to the user's disk as streams.
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { rejectedObject } from './import-objects.ts';
import { printJson } from './output/json.ts';
import { resultsCsv } from './results.ts';
import type { Session } from './session.ts';
import type { Target } from './target.ts';

/**
 * Writes `content` to a file whose name is as the user gave it. It appears complete or not at all, and only its owner
 * may read it: rejected.csv holds porting codes.
 */
export async function writeFileWhole(
  session: Pick<Session, 'folder'>,
  file: string,
  content: AsyncIterable<Uint8Array | string>,
): Promise<void> {
  const path = resolve(session.folder, file);
  const partial = `${path}.${process.pid}.partial`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await pipeline(content, createWriteStream(partial, { mode: 0o600 }));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Writes the file and says so: a note for a person, `{"written": [FILE]}` for a script. */
export async function saveCsv(session: Session, content: AsyncIterable<Uint8Array>, file: string): Promise<void> {
  await writeFileWhole(session, file, content);
  if (session.json) await printJson(session.terminal, { written: [file] });
  else session.terminal.note(`Wrote ${file}.`);
}

/** Writes results.csv and, where rows were rejected, rejected.csv into a folder; answers the names written. */
export async function saveReports(
  session: Session,
  target: Target,
  item: ImportItem,
  folder: string,
): Promise<string[]> {
  const results = join(folder, 'results.csv');
  await writeFileWhole(session, results, resultsCsv(target, item));
  const object = rejectedObject(target, item.importId);
  if (item.rejected === 0 || (await target.files.head(object)) === undefined) return [results];
  const rejected = join(folder, 'rejected.csv');
  await writeFileWhole(session, rejected, await target.files.read(object));
  return [results, rejected];
}
