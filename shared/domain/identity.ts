// Ids that come out the same however often the work is repeated. That is what makes a repeat harmless.
import { clip, oneLine } from './clip.ts';
import { shortId, shortIdPattern } from './short-id.ts';

/** One version of one object in the inbox. `version` is its version id, or its ETag where the bucket keeps none. */
export interface InboxObject {
  readonly bucket: string;
  readonly key: string;
  readonly version: string;
}

/**
 * Rises when the rules that group or cut rows change, so that a request planned by new rules never passes for one
 * planned by the old (fault 23). An import's own id does not depend on it: a redelivered event stays the same import.
 */
export const planRules = 1;

/** 16 characters, the same for every delivery of the event about this object version. */
export const importId = ({ bucket, key, version }: InboxObject): string => shortId(['import', bucket, key, version]);

/** The import that moves ports of another one; `ask` is unique to the asking, so that a port can be moved more than once. */
export const reschedulingId = (importIdentity: string, ask: string): string =>
  shortId(['reschedule', importIdentity, ask]);

/** `sim1-` and 16 characters: the mark of one request, at the end of the name of the port it makes. */
export const requestToken = (importIdentity: string, requestNumber: number, rules: number = planRules): string =>
  `sim${rules}-${shortId(['request', rules, importIdentity, requestNumber])}`;

const longestName = 255;
const tokenAtEnd = new RegExp(`(?:^|\\s)(sim\\d+-${shortIdPattern}{16})$`);

/** The name of a port: what a person reads, then the token; at most 255 characters (spec, Create Port). */
export function portName(label: string, token: string): string {
  const readable = clip(oneLine(label), longestName - token.length - 1).trimEnd();
  return readable === '' ? token : `${readable} ${token}`;
}

/** The token a port name ends in, undefined where the port is not one of ours. */
export const tokenOfPortName = (name: string): string | undefined => tokenAtEnd.exec(name.trimEnd())?.[1];
