// One S3 request, taken apart: which bucket, which key, which query.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '../limits.ts';

export interface S3Request {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly bucket: string;
  readonly key: string;
  readonly query: URLSearchParams;
  header(name: string): string | undefined;
}

/** `bucket.localhost` and `bucket.s3.localhost` name the bucket in the host; loopback addresses in the path. */
const bucketOfHost = (host: string): string | undefined => /^(.+?)\.(?:s3\.)?localhost(?::\d+)?$/.exec(host)?.[1];

/** @throws S3Error InvalidURI */
export const decodePath = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error(400, 'InvalidURI', "Couldn't parse the specified URI.");
  }
};

/** @throws S3Error InvalidURI, KeyTooLongError */
export const parseRequest = (request: IncomingMessage, response: ServerResponse): S3Request => {
  const [path = '/', search = ''] = (request.url ?? '/').split(/\?(.*)/s);
  const segments = path.slice(1).split('/');
  const bucket = bucketOfHost(request.headers.host ?? '') ?? decodePath(segments.shift() ?? '');
  const key = decodePath(segments.join('/'));
  if (Buffer.byteLength(key) > limits.s3KeyBytes.value)
    throw new S3Error(400, 'KeyTooLongError', 'Your key is too long');
  return {
    request,
    response,
    bucket,
    key,
    query: new URLSearchParams(search),
    header: (name) => request.headers[name]?.toString(),
  };
};

/** How many keys or uploads a page may have. */
export const pageLimit = ({ query }: S3Request, parameter = 'max-keys'): number => {
  const limit = Number(query.get(parameter) ?? 1_000);
  if (Number.isInteger(limit) && limit >= 0) return Math.min(1_000, limit);
  throw invalidArgument(`Argument ${parameter} must be an integer between 0 and 2147483647`);
};

/** Writes keys as the request asks for them, because some keys hold characters that XML cannot. */
export const keyEncoder =
  ({ query }: S3Request) =>
  (key: string): string =>
    query.get('encoding-type') === 'url' ? encodeURIComponent(key).replaceAll('%2F', '/') : key;

export const sendXml = (response: ServerResponse, root: string, node: XmlNode | string, status = 200): void => {
  const body = Buffer.from(renderXml(root, node));
  // Without its length, clients close the connection after the answer to a HEAD, which has no body.
  response.writeHead(status, { 'content-type': 'application/xml', 'content-length': body.length }).end(body);
};
export const sendEmpty = (response: ServerResponse, status: number, headers: Record<string, string> = {}): void => {
  response.writeHead(status, headers).end();
};

// The errors of S3, with the codes that its clients match on.

export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const invalidArgument = (message: string): S3Error => new S3Error(400, 'InvalidArgument', message);
export const invalidRequest = (message: string): S3Error => new S3Error(400, 'InvalidRequest', message);
export const noSuchBucket = (): S3Error => new S3Error(404, 'NoSuchBucket', 'The specified bucket does not exist');
export const noSuchKey = (): S3Error => new S3Error(404, 'NoSuchKey', 'The specified key does not exist.');
export const noSuchUpload = (): S3Error =>
  new S3Error(404, 'NoSuchUpload', 'The specified multipart upload does not exist.');
export const preconditionFailed = (): S3Error =>
  new S3Error(412, 'PreconditionFailed', 'At least one of the pre-conditions you specified did not hold');
export const notImplemented = (what: string): S3Error =>
  new S3Error(501, 'NotImplemented', `The embedded S3 does not implement ${what}`);

// As much XML as S3's own small documents need: flat elements in, escaped text out.

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
const renderXml = (root: string, node: XmlNode | string): string => {
  const namespace = root === 'Error' ? '' : ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root}${namespace}>${renderContent(node)}</${root}>`;
};
