// As much XML as S3's own small documents need: flat elements in, escaped text out.

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescapeText = (text: string): string =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, decimal?: string, name?: string) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return named[name ?? ''] ?? whole;
  });

/** The inner text of every `<name>` element, still escaped where it holds elements itself. */
export const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`, 'g'))].map((match) => match[1] ?? '');

/** The text of the first `<name>` element. */
export const elementText = (xml: string, name: string): string | undefined => {
  const [first] = elements(xml, name);
  return first === undefined ? undefined : unescapeText(first);
};

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeText = (text: string): string =>
  // Characters that XML 1.0 cannot hold at all are written as references, as S3 does without `encoding-type=url`.
  text.replace(/[&<>"\p{Cc}]/gu, (character) => escapes[character] ?? `&#x${character.charCodeAt(0).toString(16)};`);

/** A document or element from nested values: an array repeats its element, undefined leaves it out. */
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
      const inner = typeof content === 'object' ? renderChildren(content as XmlNode) : escapeText(String(content));
      return `<${name}>${inner}</${name}>`;
    })
    .join('');

export const renderXml = (root: string, node: XmlNode): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${renderChildren(node)}</${root}>`;
