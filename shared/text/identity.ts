// Names and ids: of operations, imports, requests, ports; the same work always gets the same ids.
import { hash } from 'node:crypto';
import { oneLine, truncate } from './wording.ts';

// Short, stable ids from any parts: SHA-256 in Crockford's base 32, which has no easily confused i, l, o or u.

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** 16 characters, 80 bits. The parts are hashed as JSON, so `['a', 'b']` and `['ab']` differ. */
export function shortId(parts: readonly (string | number)[], length = 16): string {
  // One character for each byte, which takes a third of the time of a buffer.
  const digest = hash('sha256', JSON.stringify(parts), 'binary');
  let id = '';
  for (let place = 0; place < length; place++) {
    const bit = 5 * place;
    const at = bit >> 3;
    const twoBytes = (digest.charCodeAt(at) << 8) | digest.charCodeAt(at + 1);
    id += alphabet[(twoBytes >> (11 - (bit & 7))) & 31];
  }
  return id;
}

/** The characters of a `shortId`, for regular expressions. */
export const shortIdPattern = '[0-9a-hjkmnp-tv-z]';

// Deterministic ids: the same work always gets the same ids, so repeating it is harmless.

/** One version of an inbox object. `version` is the version id, or the ETag where the bucket has no versions. */
export interface InboxObject {
  readonly bucket: string;
  readonly key: string;
  readonly version: string;
}

/**
 * Increased when the rules that group or cut rows change, so that requests planned by old and new rules never share a
 * token (fault 23). The import id does not depend on it: a redelivered event stays the same import.
 */
export const planRules = 1;

/** 16 characters, the same for every delivery of the event about this object version. */
export const importId = ({ bucket, key, version }: InboxObject): string => shortId(['import', bucket, key, version]);

/** The import that reschedules ports of another one. `ask` is unique to the command, so ports can move repeatedly. */
export const reschedulingId = (importIdentity: string, ask: string): string =>
  shortId(['reschedule', importIdentity, ask]);

export const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The import that follows a port that was made elsewhere: the same one, however often it is adopted. */
export const adoptionId = (account: number, portId: string): string => shortId(['adopt', account, portId]);

/** `sim1-` and 16 characters: identifies a request at the end of the name of its port. */
export const requestToken = (importIdentity: string, requestNumber: number, rules: number = planRules): string =>
  `sim${rules}-${shortId(['request', rules, importIdentity, requestNumber])}`;

const longestName = 255;
const tokenAtEnd = new RegExp(`(?:^|\\s)(sim\\d+-${shortIdPattern}{16})$`);

/** The name of a port: a readable label, then the token; at most 255 characters (spec, Create Port). */
export function portName(label: string, token: string): string {
  const readable = truncate(oneLine(label), longestName - token.length - 1).trimEnd();
  return readable === '' ? token : `${readable} ${token}`;
}

/** The token at the end of a port name; undefined where simporter did not create the port. */
export const tokenOfPortName = (name: string): string | undefined => tokenAtEnd.exec(name.trimEnd())?.[1];

/** A port name for people. A name that is only a token stays. */
export const withoutToken = (name: string): string => name.trimEnd().replace(tokenAtEnd, '') || name;

export interface RequestNumber {
  readonly importId: string;
  readonly request: number;
}

export const isSameRequest = (one: RequestNumber, other: RequestNumber): boolean =>
  one.importId === other.importId && one.request === other.request;

// The names of the operations. The first folder of an inbox key names one.
export const operationNames = [
  'create-port',
  'update-port',
  'cancel-port',
  'provision',
  'change-provision',
  'bar-service-config',
  'send-sms',
  'create-bundle',
  'configure-bundle-control',
  'bar',
  'unbar',
] as const;
export type OperationName = (typeof operationNames)[number];
