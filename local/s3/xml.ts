// As much XML as S3's own small documents need: flat elements in, escaped text out.
import { S3Error } from './errors.ts';

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const characterOf = (code: number): string => {
  if (code <= 0x10ffff) return String.fromCodePoint(code);
  throw new S3Error(400, 'MalformedXML', 'The XML has a reference to a character that does not exist');
};

const unescapeText = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]{1,8})|#(\d{1,9})|(\w{2,4}));/gi, (whole, hex?: string, decimal?: string, name = '') => {
    if (hex !== undefined) return characterOf(Number.parseInt(hex, 16));
    if (decimal !== undefined) return characterOf(Number(decimal));
    return named[name] ?? whole;
  });

/**
 * The inner text of every `<name>` element, still escaped. It reads the text once from start to end, so a document made
 * to be slow is as fast as any other of its size.
 */
export const elements = (xml: string, name: string): string[] => {
  const found: string[] = [];
  const closingTag = `</${name}>`;
  for (let at = xml.indexOf(`<${name}`); at >= 0; at = xml.indexOf(`<${name}`, at)) {
    at += name.length + 1;
    if (!/[\s>]/.test(xml[at] ?? '')) continue;
    const start = xml.indexOf('>', at) + 1;
    const end = start === 0 ? -1 : xml.indexOf(closingTag, start);
    if (end < 0) break;
    found.push(xml.slice(start, end));
    at = end + closingTag.length;
  }
  return found;
};

/** The text of the first `<name>` element. */
export const elementText = (xml: string, name: string): string | undefined => {
  const [first] = elements(xml, name);
  return first === undefined ? undefined : unescapeText(first);
};

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string): string =>
  // S3 writes characters that XML 1.0 cannot hold as references, unless `encoding-type=url` is asked for.
  text.replace(/[&<>"\p{Cc}]/gu, (character) => escapes[character] ?? `&#x${character.charCodeAt(0).toString(16)};`);

/** A document or element: an array repeats its element, undefined leaves it out. */
export interface XmlNode {
  readonly [name: string]: XmlNode | readonly XmlNode[] | string | number | boolean | undefined;
}

const renderChildren = (node: XmlNode): string =>
  Object.entries(node)
    .flatMap(([name, content]) =>
      Array.isArray(content) ? content.map((one) => [name, one] as const) : [[name, content] as const],
    )
    .map(([name, content]) => {
      if (content === undefined) return '';
      return `<${name}>${renderContent(content as XmlNode | string | number | boolean)}</${name}>`;
    })
    .join('');
const renderContent = (content: XmlNode | string | number | boolean): string =>
  typeof content === 'object' ? renderChildren(content) : escapeText(String(content));

/** boto3 and the AWS CLI read the code of an error only where the element has no namespace. */
export const renderXml = (root: string, node: XmlNode | string): string => {
  const namespace = root === 'Error' ? '' : ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${namespace}>${renderContent(node)}</${root}>`;
};
