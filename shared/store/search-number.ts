// Searches an object for a number without keeping the whole object in memory: a text as it arrives, a workbook part by
// part, because its texts are compressed.
import { detectArchive } from '#shared/text/first-bytes.ts';

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

// Where a text mentions a number, however the number is written: national or international, with separators.

export interface Mentions {
  readonly isIn: (text: string) => boolean;
  /** The text without the number. */
  readonly removeFrom: (text: string) => string;
  /** The start and the end of each mention. */
  readonly places: (text: string) => readonly (readonly [start: number, end: number])[];
}

const separators = '[\\s().\\-/\\u00a0\\u2010-\\u2015]{0,3}';
const placeholder = '[number]';

/** `number` has E.164 digits; `callingCode` is that of the country whose national form counts as well. */
export function mentionsOf(number: string, callingCode: string): Mentions {
  const isOfCountry = number.startsWith(callingCode);
  const digits = [...(isOfCountry ? number.slice(callingCode.length) : number)].join(separators);
  const code = [...callingCode].join(separators);
  const international = `(?:(?:\\+|00)${separators})?${code}${separators}(?:\\(?0\\)?)?${separators}`;
  const prefix = isOfCountry ? `(?:${international}|0${separators})?` : '\\+?';
  const pattern = new RegExp(`(?<!\\d)${prefix}${digits}(?!\\d)`, 'g');
  return {
    isIn: (text) => text.search(pattern) >= 0,
    removeFrom: (text) => text.replace(pattern, placeholder),
    places: (text) => [...text.matchAll(pattern)].map(({ index, 0: { length } }) => [index, index + length]),
  };
}

/** A copy of an item: texts without the number, and lists without the entries about it. */
export function withoutMentions(value: unknown, mentions: Mentions): unknown {
  if (typeof value === 'string') return mentions.removeFrom(value);
  if (Array.isArray(value)) {
    const others = value.filter((entry) => typeof entry !== 'object' || !mentions.isIn(JSON.stringify(entry)));
    return others.map((entry) => withoutMentions(entry, mentions));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutMentions(inner, mentions)]));
}

/** More than the longest notation of a number with the XML between its digits. */
const overlap = 4_000;

/** Finds a mention in a text that comes in pieces. */
interface MentionSearch {
  /** Whether the number is in the text so far. */
  add(text: string): boolean;
  end(): boolean;
}

/** @param normalise shows what a reader of the text sees. @default - the text as it is */
export function createMentionSearch(mentions: Mentions, normalise = (text: string): string => text): MentionSearch {
  let window = '';
  let isCut = false;
  /** The digits at an edge of the window may go on beyond it. */
  const search = (text: string, isEnd: boolean): boolean =>
    mentions.places(text).some(([start, end]) => (start > 0 || !isCut) && (end < text.length || isEnd));
  return {
    add(text) {
      window += text;
      const found = search(normalise(window), false);
      if (window.length > overlap) {
        window = window.slice(-overlap);
        isCut = true;
      }
      return found;
    },
    end: () => search(normalise(window), true),
  };
}

/** `csv`: a record in quotes may have line breaks. `lines`: every line is a record, as in NDJSON. */
export type RecordFormat = 'csv' | 'lines';

/** Passes the records on that do not mention the number, from a text that comes in pieces. */
export function createRecordFilter(mentions: Mentions, format: RecordFormat) {
  const marks = format === 'csv' ? /"|\r\n|\n|\r(?=[^\n])/g : /\n/g;
  let rest = '';
  let scanned = 0;
  let isQuoted = false;

  /** Takes the whole records off the rest. */
  const takeRecords = (): string[] => {
    const records: string[] = [];
    let start = 0;
    marks.lastIndex = scanned;
    for (let mark = marks.exec(rest); mark !== null; mark = marks.exec(rest)) {
      if (mark[0] === '"') isQuoted = !isQuoted;
      if (mark[0] === '"' || isQuoted) continue;
      records.push(rest.slice(start, marks.lastIndex));
      start = marks.lastIndex;
    }
    rest = rest.slice(start);
    // The next piece may begin with the second half of a line break.
    scanned = rest.endsWith('\r') ? rest.length - 1 : rest.length;
    return records;
  };
  const keep = (records: readonly string[]): string => records.filter((one) => !mentions.isIn(one)).join('');

  return {
    add(text: string): string {
      rest += text;
      return keep(takeRecords());
    },
    end: (): string => keep([rest]),
  };
}
