// Searches an object for a number without keeping the whole object in memory: a text as it arrives, a workbook part by
// part, because its texts are compressed.

import { detectArchive } from '#shared/text/first-bytes.ts';
import { createMentionSearch, type MentionSearch, type Mentions } from './search-number.ts';

/** The parts of a ZIP archive. */
export interface SearchedArchive {
  paths(): readonly string[];
  /** @throws FileError for a part that is too large, or damaged */
  read(path: string): AsyncIterable<Uint8Array>;
  close(): void;
}
/** @throws FileError for bytes that are no archive, and what reading them throws */
export type OpenArchive = (source: AsyncIterable<Uint8Array>) => Promise<SearchedArchive>;

/** Whether the object contains the number. An archive that cannot be read counts as containing it. */
export async function containsNumber(
  source: AsyncIterable<Uint8Array>,
  mentions: Mentions,
  openArchive: OpenArchive,
): Promise<boolean> {
  const { isArchive, bytes } = await detectArchive(source);
  return isArchive ? isInArchive(bytes, mentions, openArchive) : isInText(bytes, createMentionSearch(mentions));
}

/** A text of UTF-16 is one of UTF-8 with zero bytes in between, except for the order of its bytes. */
export async function* decodedTexts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of bytes) {
    decoder ??= new TextDecoder(encodingOf(chunk), { ignoreBOM: true });
    yield decoder.decode(chunk, { stream: true });
  }
  if (decoder !== undefined) yield decoder.decode();
}

const encodingOf = ([first, second]: Uint8Array): string => {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
};

async function isInText(bytes: AsyncIterable<Uint8Array>, search: MentionSearch): Promise<boolean> {
  for await (const text of decodedTexts(bytes)) if (search.add(text)) return true;
  return search.end();
}

/** A cell whose digits have different formats has several texts: a person sees one. */
const joinRuns = (xml: string): string =>
  xml.replace(/<\/t>\s*<\/r>\s*<r\b[^>]*>(?:\s*<rPr>.{0,1000}?<\/rPr>)?\s*<t\b[^>]*>/gs, '');

async function isInArchive(
  bytes: AsyncIterable<Uint8Array>,
  mentions: Mentions,
  openArchive: OpenArchive,
): Promise<boolean> {
  let archive: SearchedArchive | undefined;
  try {
    archive = await openArchive(bytes);
    for (const path of archive.paths()) {
      if (await isInText(archive.read(path), createMentionSearch(mentions, joinRuns))) return true;
    }
    return false;
  } catch (error) {
    if (error instanceof Error && error.name === 'FileError') return true;
    throw error;
  } finally {
    archive?.close();
  }
}
