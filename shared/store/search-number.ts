// Searches an object for a number without keeping the whole object in memory: a text as it arrives, a workbook part by
// part, because its texts are compressed.
import { isSeparating, parseMsisdn } from '#shared/row/msisdn.ts';
import { callingCodeOf } from '#shared/row/numbering-plan.ts';
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

/**
 * Whether the object contains the number. An archive that cannot be read counts as containing it.
 * @param onUnread called where it cannot be read
 */
export async function containsNumber(
  source: AsyncIterable<Uint8Array>,
  mentions: Mentions,
  openArchive: OpenArchive,
  onUnread: () => void = () => {},
): Promise<boolean> {
  const { isArchive, bytes } = await detectArchive(source);
  if (!isArchive) return isInText(bytes, createMentionSearch(mentions));
  let archive: SearchedArchive | undefined;
  try {
    archive = await openArchive(bytes);
    for (const path of archive.paths()) {
      if (await isInText(archive.read(path), createMentionSearch(mentions, joinRuns))) return true;
    }
    return false;
  } catch (error) {
    if (!(error instanceof Error && error.name === 'FileError')) throw error;
    onUnread();
    return true;
  } finally {
    archive?.close();
  }
}

/** Enough to see the encoding. */
const headBytes = 1_024;

export async function* decodedTexts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let head: Buffer = Buffer.alloc(0);
  const start = () => new TextDecoder(encodingOf(head), { ignoreBOM: true });
  for await (const chunk of bytes) {
    if (decoder === undefined) {
      head = Buffer.concat([head, chunk]);
      if (head.length < headBytes) continue;
      decoder = start();
      yield decoder.decode(head, { stream: true });
    } else yield decoder.decode(chunk, { stream: true });
  }
  yield decoder === undefined ? start().decode(head) : decoder.decode();
}

/** UTF-16 has a zero byte beside each Latin letter and each digit, with and without a byte order mark. */
function encodingOf(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (Math.max(even, odd) < head.length / 8) return 'utf-8';
  return odd > even ? 'utf-16le' : 'utf-16be';
}

async function isInText(bytes: AsyncIterable<Uint8Array>, search: MentionSearch): Promise<boolean> {
  for await (const text of decodedTexts(bytes)) if (search.add(text)) return true;
  return search.end();
}

/** The elements of a text with formats: its runs, their texts, and what a font has (ECMA-376, part 1, 18.4). */
const runElements =
  't|r|rPr|rFont|charset|family|b|i|strike|outline|shadow|condense|extend|color|sz|u|vertAlign|scheme';
const runTag = new RegExp(`</?(?:${runElements})(?:[\\s/][^<>]*)?>`, 'g');

/** A cell whose digits have different formats has several texts: a person sees one. */
const joinRuns = (xml: string): string => xml.replace(runTag, '');

// Where a text mentions a number, in every notation that ingest reads.

export interface Mentions {
  readonly isIn: (text: string) => boolean;
  /** The text without the number. */
  readonly removeFrom: (text: string) => string;
  /** The start and the end of each mention. */
  readonly places: (text: string) => readonly (readonly [start: number, end: number])[];
  /** Searches a text that comes in pieces. `found` gets places from the start of the first piece on. */
  readonly createScanner: (found: (start: number, end: number) => void) => MentionScanner;
}

const placeholder = '[number]';

/** `number` has E.164 digits; `callingCode` is that of the account. */
export function mentionsOf(number: string, callingCode: string): Mentions {
  const notations = notationsOf(number, callingCode);
  const createScanner: Mentions['createScanner'] = (found) => new MentionScanner(notations, found);
  const places: Mentions['places'] = (text) => {
    const all: [start: number, end: number][] = [];
    const scanner = createScanner((start, end) => all.push([startWithPlus(text, start), end]));
    scanner.add(text);
    scanner.end();
    return all;
  };
  return {
    isIn: (text) => places(text).length > 0,
    removeFrom: (text) => {
      let rest = '';
      let from = 0;
      for (const [start, end] of places(text)) {
        rest += text.slice(from, start) + placeholder;
        from = end;
      }
      return rest + text.slice(from);
    },
    places,
    createScanner,
  };
}

/** Where the + of a number stands. */
function startWithPlus(text: string, start: number): number {
  let at = start - 1;
  while (at >= 0 && kinds[text.charCodeAt(at)] === separator) at -= 1;
  return text[at] === '+' ? at : start;
}

interface Notations {
  /** The digits of each notation. */
  readonly digits: ReadonlySet<string>;
  readonly longest: number;
  /** With this all of them end. */
  readonly national: string;
}

/** The reader of ingest decides which digits are the number. */
function notationsOf(number: string, callingCode: string): Notations {
  const code = callingCodeOf(number) ?? '';
  const national = number.slice(code.length);
  const written = ['', '+', '00'].flatMap((prefix) =>
    ['', '0', '(0)'].map((trunk) => `${prefix}${code}${trunk}${national}`),
  );
  const isNumber = (text: string): boolean => {
    const parsed = parseMsisdn(text, { callingCode });
    return parsed.ok && parsed.value === number;
  };
  const read = [...written, national, `0${national}`].filter(isNumber).map((text) => text.replace(/\D/g, ''));
  const digits = new Set([number, ...read]);
  return { digits, national, longest: Math.max(...[...digits].map(({ length }) => length)) };
}

const other = 0;
const separator = 1;
const backslash = 2;
/** What each character between digits is: people put any number of separators there, and characters nobody sees. */
const kinds = Uint8Array.from({ length: 0x1_0000 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (character === '\\') return backslash;
  return isSeparating(character) || /[\u2014\u2015\u2212\p{Cf}\0]/u.test(character) ? separator : other;
});
/** `\t` in a text of JSON is a tab. */
const escapes: ReadonlySet<number> = new Set(Buffer.from('bfnrtv'));

/** Digits that stand beside each other. A mention begins with the first digit of a group, and ends with a last one. */
interface Group {
  readonly digits: string;
  readonly start: number;
}

/** Reads each character once. */
class MentionScanner {
  readonly #notations: Notations;
  readonly #found: (start: number, end: number) => void;
  /** The last groups with nothing but separators between them. */
  #groups: Group[] = [];
  /** The group that may go on in the next piece. */
  #open: Group | undefined;
  #isEscaped = false;
  /** Characters of the earlier pieces. */
  #before = 0;

  constructor(notations: Notations, found: (start: number, end: number) => void) {
    this.#notations = notations;
    this.#found = found;
  }

  add(text: string): void {
    let at = 0;
    for (const { 0: digits, index } of text.matchAll(/\d+/g)) {
      if (index > at) this.#readBetween(text, at, index);
      this.#endEscape();
      this.#extend(digits, index);
      at = index + digits.length;
    }
    if (at < text.length) this.#readBetween(text, at, text.length);
    this.#before += text.length;
  }

  end(): void {
    this.#close(this.#before);
  }

  /** Characters that are no digits. */
  #readBetween(text: string, from: number, to: number): void {
    this.#close(this.#before + from);
    for (let at = from; at < to && this.#groups.length > 0; at += 1) {
      const code = text.charCodeAt(at);
      if (this.#isEscaped && escapes.has(code)) {
        this.#isEscaped = false;
        continue;
      }
      this.#endEscape();
      const kind = kinds[code];
      this.#isEscaped = kind === backslash;
      if (kind === other) this.#groups = [];
    }
  }

  /** The character behind a backslash stands for itself. */
  #endEscape(): void {
    if (this.#isEscaped) this.#groups = [];
    this.#isEscaped = false;
  }

  #extend(more: string, at: number): void {
    const { digits, start } = this.#open ?? { digits: '', start: this.#before + at };
    // A longer group is no number, however much longer it is.
    this.#open = { start, digits: (digits + more).slice(0, this.#notations.longest + 1) };
  }

  #close(end: number): void {
    const group = this.#open;
    if (group === undefined) return;
    this.#open = undefined;
    const { digits, longest, national } = this.#notations;
    this.#groups.push(group);
    if (this.#groups.length > longest) this.#groups.shift();
    if (!(national.endsWith(group.digits) || group.digits.endsWith(national))) return;
    let joined = '';
    let start: number | undefined;
    for (let index = this.#groups.length - 1; index >= 0 && joined.length < longest; index -= 1) {
      const one = this.#groups[index] as Group;
      joined = one.digits + joined;
      if (digits.has(joined)) start = one.start;
    }
    if (start === undefined) return;
    this.#found(start, end);
    this.#groups = [];
  }
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

/** Finds a mention in a text that comes in pieces. */
interface MentionSearch {
  /** Whether the number is in the text so far. */
  add(text: string): boolean;
  end(): boolean;
}

/** A tag that is not closed yet waits for its end, if it is not longer. */
const longestTag = 4_000;

/** @param normalise shows what a reader of a text of XML sees. @default - the text as it is */
export function createMentionSearch(mentions: Mentions, normalise?: (text: string) => string): MentionSearch {
  let isFound = false;
  let waiting = '';
  const scanner = mentions.createScanner(() => {
    isFound = true;
  });
  const scan = (text: string) => scanner.add(normalise === undefined ? text : normalise(text));
  return {
    add(text) {
      if (normalise === undefined) {
        scan(text);
        return isFound;
      }
      const xml = waiting + text;
      const tag = xml.lastIndexOf('<');
      const end = tag > xml.lastIndexOf('>') && xml.length - tag <= longestTag ? tag : xml.length;
      waiting = xml.slice(end);
      scan(xml.slice(0, end));
      return isFound;
    },
    end() {
      scan(waiting);
      scanner.end();
      return isFound;
    },
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
