// Deterministic ids: the same work always gets the same ids, so repeating it is harmless.

import { shortId, shortIdPattern } from '#shared/domain/text/short-id.ts';
import { oneLine, truncate } from '#shared/domain/text/truncate.ts';
import { redactName } from '#shared/row/redact.ts';

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

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A number or a code that a person typed in the place of a port is neither stored nor repeated. */
export const mayBePortId = (text: string): boolean => guid.test(text) || redactName(text) === text;

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
