// One S3 request, taken apart: which bucket, which key, which query.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { invalidArgument, S3Error } from './errors.ts';
import { renderXml, type XmlNode } from './xml.ts';

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

const longestKeyBytes = 1_024;

/** @throws S3Error InvalidURI, KeyTooLongError */
export const parseRequest = (request: IncomingMessage, response: ServerResponse): S3Request => {
  const [path = '/', search = ''] = (request.url ?? '/').split(/\?(.*)/s);
  const segments = path.slice(1).split('/');
  const bucket = bucketOfHost(request.headers.host ?? '') ?? decodePath(segments.shift() ?? '');
  const key = decodePath(segments.join('/'));
  if (Buffer.byteLength(key) > longestKeyBytes) throw new S3Error(400, 'KeyTooLongError', 'Your key is too long');
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
  response.writeHead(status, { 'content-type': 'application/xml' }).end(renderXml(root, node));
};
export const sendEmpty = (response: ServerResponse, status: number, headers: Record<string, string> = {}): void => {
  response.writeHead(status, headers).end();
};
