// Parses XML from a stream, with the local names of elements.
import { Parser } from 'saxen';

export interface XmlHandlers {
  /** The values of the attributes are decoded. */
  readonly open?: (name: string, attribute: (name: string) => string | undefined) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
}

/** Yields after each chunk, so that the caller can take what the handlers collected. @throws Error for invalid XML */
export async function* parseXml(
  chunks: AsyncIterable<Uint8Array>,
  { open, close, text }: XmlHandlers,
): AsyncGenerator<void> {
  const parser = new Parser();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  parser.on('error', (error) => {
    throw error;
  });
  if (open !== undefined) {
    parser.on('openTag', (name, attributes, decode) =>
      open(localName(name), (wanted) => {
        const value = attributes()[wanted];
        return value === undefined ? undefined : decode(value);
      }),
    );
  }
  if (close !== undefined) parser.on('closeTag', (name) => close(localName(name)));
  if (text !== undefined) parser.on('text', (value, decode) => text(decode(value))).on('cdata', text);
  for await (const chunk of chunks) {
    parser.write(decoder.decode(chunk, { stream: true }));
    yield;
  }
  parser.write(decoder.decode());
  parser.end();
  yield;
}

/** Parses everything. */
export async function parseWholeXml(chunks: AsyncIterable<Uint8Array>, handlers: XmlHandlers): Promise<void> {
  for await (const _ of parseXml(chunks, handlers));
}

const localName = (name: string): string => (name.includes(':') ? name.slice(name.indexOf(':') + 1) : name);
