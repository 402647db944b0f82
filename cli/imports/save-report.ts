// Writes report files to the user's disk.
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import { rejectedObject } from '#shared/read-models/import-objects.ts';
import { streamResultsCsv } from '#shared/read-models/results.ts';
import type { CliContext } from '../context/cli-context.ts';
import { printJson } from '../output/json.ts';
import type { Session } from '../target/target.ts';

/** The file appears complete or not at all. Only its owner may read it, because rejected.csv contains PACs. */
async function writeFileAtomically(
  { folder }: CliContext,
  file: string,
  content: AsyncIterable<Uint8Array | string>,
): Promise<void> {
  const path = resolve(folder, file);
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

/** Writes the file and reports it: a note for a person, `{"written": [FILE]}` for a script. */
export async function saveCsv(
  session: Session,
  content: AsyncIterable<Uint8Array | string>,
  file: string,
): Promise<void> {
  await writeFileAtomically(session, file, content);
  if (session.json) await printJson(session, { written: [file] });
  else session.terminal.note(`Wrote ${file}.`);
}

/** Writes results.csv and, where rows were rejected, rejected.csv into a folder; answers the names written. */
export async function saveReports(session: Session, item: ImportItem, folder: string): Promise<string[]> {
  const results = join(folder, 'results.csv');
  await writeFileAtomically(session, results, streamResultsCsv(session.target, item));
  const { files } = session.target;
  const object = rejectedObject(session.target, item.importId);
  if (item.rejected === 0 || (await files.head(object)) === undefined) return [results];
  const rejected = join(folder, 'rejected.csv');
  await writeFileAtomically(session, rejected, await files.read(object));
  return [results, rejected];
}
