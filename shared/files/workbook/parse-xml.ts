// Parses XML from a stream, with the local names of the elements that are in the namespace of the root.
import { Parser } from 'saxen';
import { rejectWorkbook, workbookLimits } from './open-archive.ts';

/** The value of an attribute, decoded. The prefix in `r:id` stands for any prefix, because each file may choose it. */
export type Attribute = (name: string) => string | undefined;

export interface XmlHandlers {
  readonly open?: (name: string, attribute: Attribute) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
}

/**
 * Yields after each chunk, so that the caller can take what the handlers collected.
 * @throws FileError for invalid XML, and for what a handler throws
 */
export async function* parseXml(chunks: AsyncIterable<Uint8Array>, handlers: XmlHandlers): AsyncGenerator<void> {
  const parser = new TokenParser(handlers);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  const parse = (chunk: Uint8Array): void => {
    decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
    parser.write(decoder.decode(chunk, { stream: true }));
  };
  for await (const chunk of chunks) {
    orReject(() => parse(chunk));
    yield;
  }
  orReject(() => parser.end(decoder?.decode() ?? ''));
  yield;
}

/** An error of the source is not an error of the file. */
function orReject(parse: () => void): void {
  try {
    parse();
  } catch (error) {
    rejectWorkbook(error);
  }
}

/**
 * saxen parses an unfinished token again with each text that follows, so it gets as much as it already has of it: then
 * a token costs twice its length, whatever the chunks are.
 */
class TokenParser {
  readonly #parser: Parser;
  #waiting = '';
  /** Characters of the unfinished token that saxen keeps, at most. */
  #unfinished = 0;
  #foundToken = false;

  constructor(handlers: XmlHandlers) {
    this.#parser = createParser(handlers, () => {
      this.#foundToken = true;
    });
  }

  write(text: string): void {
    this.#waiting += text;
    if (this.#waiting.length >= this.#unfinished) this.#flush();
  }

  end(text: string): void {
    this.#waiting += text;
    this.#flush();
    this.#parser.end();
  }

  #flush(): void {
    const { length } = this.#waiting;
    this.#foundToken = false;
    this.#parser.write(this.#waiting);
    this.#waiting = '';
    this.#unfinished = length + (this.#foundToken ? 0 : this.#unfinished);
    if (!this.#foundToken && this.#unfinished > workbookLimits.tokenCharacters) {
      throw new Error('a part of it has a text, a tag or a comment that does not end');
    }
  }
}

/** Parses everything. */
export async function parseWholeXml(chunks: AsyncIterable<Uint8Array>, handlers: XmlHandlers): Promise<void> {
  for await (const _ of parseXml(chunks, handlers));
}

/** @param onToken called for each token */
function createParser({ open, close, text }: XmlHandlers, onToken: () => void): Parser {
  const parser = new Parser();
  let rootPrefix: string | undefined;
  // Extensions of newer programs repeat names: x15:workbookPr follows workbookPr, and has other attributes.
  const nameOf = (name: string): string => {
    rootPrefix ??= name.slice(0, name.indexOf(':') + 1);
    return name.startsWith(rootPrefix) ? name.slice(rootPrefix.length) : name;
  };
  parser.on('error', (error) => {
    throw error;
  });
  let depth = 0;
  parser.on('openTag', (name, attributes, decode) => {
    onToken();
    depth += 1;
    if (depth > workbookLimits.elementDepth) throw new Error('its elements are too deep within each other');
    open?.(nameOf(name), (wanted) => {
      const value = findAttribute(attributes(), wanted);
      return value === undefined ? undefined : decodeText(value, decode);
    });
  });
  parser.on('closeTag', (name) => {
    onToken();
    depth -= 1;
    close?.(nameOf(name));
  });
  if (text !== undefined) parser.on('text', (value, decode) => text(decodeText(value, decode))).on('cdata', text);
  for (const kind of ['comment', 'question'] as const) parser.on(kind, onToken);
  return parser;
}

function findAttribute(attributes: Readonly<Record<string, string>>, wanted: string): string | undefined {
  const value = attributes[wanted];
  if (value !== undefined || !wanted.includes(':')) return value;
  const local = wanted.slice(wanted.indexOf(':'));
  const found = Object.keys(attributes).find((name) => name.endsWith(local));
  return found === undefined ? undefined : attributes[found];
}

/** saxen decodes characters beyond 16 bits wrongly, and keeps the line breaks of Windows. */
function decodeText(raw: string, decode: (text: string) => string): string {
  const text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw;
  if (!text.includes('&')) return text;
  return decode(
    text.replace(/&#(?:x([0-9a-f]{5,6})|(\d{5,7}));/gi, (reference, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0xffff && code <= 0x10ffff ? String.fromCodePoint(code) : reference;
    }),
  );
}

/** By the first bytes (XML 1.0, appendix F). A declared UTF-16 is wrong where `<?xml` has eight bits per character. */
function encodingOf(start: Uint8Array): string {
  const [first, second] = start;
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  const declaration = Buffer.from(start.subarray(0, 200)).toString('latin1');
  const declared = /^<\?xml[^>]*\sencoding=["']([^"']+)/.exec(declaration)?.[1] ?? 'utf-8';
  return /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}
