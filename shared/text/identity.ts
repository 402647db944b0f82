// Names and ids of operations, imports, requests and ports. The same work always gets the same ids.
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

/** The account at a porting service. */
interface ServiceAccount {
  readonly accountId: number;
  readonly baseUrl: string;
  /** By what imports know the service, where its address may change. @default baseUrl */
  readonly knownAs?: string | undefined;
}

/**
 * `1001@https://porting.example.net`: the same number at another service is another account. Imports, requests and
 * ports carry it, and nothing of another account is sent or read.
 */
export const portingAccount = ({ accountId, baseUrl, knownAs = baseUrl }: ServiceAccount): string =>
  `${accountId}@${knownAs}`;

export const accountNumber = (account: string): number => Number.parseInt(account, 10);

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
export const adoptionId = (account: string, portId: string): string => shortId(['adopt', account, portId]);

/** `sim1-` and 16 characters: identifies a request at the end of the name of its port. */
export const requestToken = (importIdentity: string, requestNumber: number, rules: number = planRules): string =>
  `sim${rules}-${shortId(['request', rules, importIdentity, requestNumber])}`;

/** The longest name of a port (spec, Limits). */
export const longestPortName = 255;
const tokenAtEnd = new RegExp(`(?:^|\\s)(sim\\d+-${shortIdPattern}{16})$`);

/** The name of a port: a readable label, then the token; at most 255 characters (spec, Create Port). */
export function portName(label: string, token: string): string {
  const readable = truncate(oneLine(label), longestPortName - token.length - 1).trimEnd();
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

/** Rows that belong together are not divided: they are one request of at most so many. */
export const mostRowsPerRequest = 1000;

/** Requests of a plan have smaller numbers: their keys have seven digits. */
const numbersOfPlan = 10_000_000;
/** A declined request becomes at most so many parts. */
export const mostParts = 10;

/**
 * The parts of request 7 are 10,000,007 to 100,000,007, and those of its third part begin at 310,000,007: nothing is
 * allocated, and no other request has the number. Before the number in the plan, the places have the digits 1 to 10.
 * @param place from 1 to `mostParts`
 */
export const partNumber = (request: number, place: number): number =>
  (Math.floor(request / numbersOfPlan) * mostParts + place) * numbersOfPlan + numberInPlan(request);

/** The number of the request in the plan of which this is a part, or which this is. */
export const numberInPlan = (request: number): number => request % numbersOfPlan;

/** Of which request this is a part, and which one; undefined for a request of the plan. */
export function partOf(request: number): { readonly request: number; readonly place: number } | undefined {
  const places = Math.floor(request / numbersOfPlan);
  if (places === 0) return undefined;
  const place = places % mostParts || mostParts;
  return { request: ((places - place) / mostParts) * numbersOfPlan + numberInPlan(request), place };
}

/** `request 7`; of a part `part 3 of request 7`. */
export function nameOfRequest(request: number): string {
  const part = partOf(request);
  return part === undefined ? `request ${request}` : `part ${part.place} of ${nameOfRequest(part.request)}`;
}

/** ` (part 3 of request 7)`, after the number of a part; empty for a request of the plan. */
export const describePart = (request: number): string =>
  partOf(request) === undefined ? '' : ` (${nameOfRequest(request)})`;

/** `request july/7`, as `resolve` takes it; of a part `request july/30000007 (part 3 of request 7)`. */
export const describeRequest = ({ importId, request }: RequestNumber): string =>
  `request ${importId}/${request}${describePart(request)}`;

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

/**
 * What a part of an import does. correction: sends rows of the file with fixed cells. move: moves ports of the file to
 * another day. pacs: enters new PACs for its ports. cancel: cancels numbers of its ports.
 */
export const partKinds = ['correction', 'move', 'pacs', 'cancel'] as const;
export type PartKind = (typeof partKinds)[number];
