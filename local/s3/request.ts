// One S3 request, taken apart: which bucket, which key, which query.
import type { IncomingMessage, ServerResponse } from 'node:http';
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

export const parseRequest = (request: IncomingMessage, response: ServerResponse): S3Request => {
  const [path = '/', search = ''] = (request.url ?? '/').split(/\?(.*)/s);
  const segments = path.slice(1).split('/');
  const hosted = bucketOfHost(request.headers.host ?? '');
  const bucket = hosted ?? decodeURIComponent(segments.shift() ?? '');
  return {
    request,
    response,
    bucket,
    key: decodeURIComponent(segments.join('/')),
    query: new URLSearchParams(search),
    header: (name) => request.headers[name]?.toString(),
  };
};

export const sendXml = (response: ServerResponse, root: string, node: XmlNode, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/xml' }).end(renderXml(root, node));
};
export const sendEmpty = (response: ServerResponse, status: number, headers: Record<string, string> = {}): void => {
  response.writeHead(status, headers).end();
};
