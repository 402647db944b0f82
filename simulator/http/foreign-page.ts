// Which requests a server on this machine rejects: those of web pages that the user happens to have open.
import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from './problem.ts';

export const foreignPage = new Problem(403, 'Pages of other origins, and requests for other hosts, have no access.');

/** The name of a host without its port: `[::1]:80` is `[::1]`. */
const nameOf = (host: string): string => host.toLowerCase().replace(/:\d+$/, '');

const ownNames = ['127.0.0.1', 'localhost', '[::1]'];
/** Listening on every address: the host names that lead here are unknown. */
const everyAddress = ['0.0.0.0', '::'];

/** `null` or an invalid address never matches the origin of a server. */
const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);

/** Images, scripts and forms of method GET carry no origin; a link that a person follows is let through. */
const isLoadedByForeignPage = (headers: IncomingHttpHeaders): boolean =>
  ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site'])) && headers['sec-fetch-mode'] !== 'navigate';

/**
 * Whether a page of another origin sends the request, or one whose host name was made to lead here (DNS rebinding).
 * @param address what the simulator listens on.
 */
export function isForeignPage(headers: IncomingHttpHeaders, address: string): boolean {
  const { host = '', origin } = headers;
  const isOwnHost = everyAddress.includes(address) || [...ownNames, address].includes(nameOf(host));
  if (!isOwnHost) return true;
  return origin === undefined ? isLoadedByForeignPage(headers) : hostOf(origin) !== host.toLowerCase();
}
