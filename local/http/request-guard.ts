// Keeps web pages out. A browser on this machine reaches every server on loopback, and without an access key the
// emulator takes unsigned requests. So a request for a foreign host (DNS rebinding) is declined, and one of a page
// whose origin is not allowed.
import type { IncomingMessage } from 'node:http';

/** `bucket.localhost` names a bucket; no other machine can own a name below `localhost`. */
const ownHost = /^(?:127\.0\.0\.1|\[::1\]|(?:[\w.-]+\.)?localhost)(?::\d+)?$/i;

/** Images, scripts and forms of method GET carry no origin; a link that a person follows is let through. */
const isLoadedByForeignPage = ({ headers }: IncomingMessage): boolean =>
  ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site'])) && headers['sec-fetch-mode'] !== 'navigate';

/** Why a request is declined; undefined where it may pass. */
export const reasonToDecline = (request: IncomingMessage, allowedOrigins: readonly string[]): string | undefined => {
  const { host = '', origin } = request.headers;
  if (!ownHost.test(host)) return `The host ${JSON.stringify(host)} is not this machine`;
  if (origin !== undefined && !allowedOrigins.includes(origin)) return `Pages of ${origin} have no access`;
  if (origin === undefined && isLoadedByForeignPage(request)) return 'Pages of other sites have no access';
  return undefined;
};

const simpleTypes = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'];

/**
 * Whether a page could send this POST without asking first. AWS clients sign their requests, or name an operation, and
 * no page can do either without being asked for its origin.
 */
export const isSimplePost = ({ method, headers }: IncomingMessage): boolean => {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const isMarked = Object.keys(headers).some((name) => name === 'authorization' || name.startsWith('x-amz-'));
  return method === 'POST' && !isMarked && (type === undefined || simpleTypes.includes(type));
};
