// What a report and a recording show of a call and its answer: no porting code, no token and no secret.

import { redactSecrets } from '#shared/row/redact.ts';
import { parseJson } from '#shared/text/stored-values.ts';

/** @param codes that the text may repeat */
export function maskedText(text: string, codes: readonly string[]): string {
  const json = parseJson(text);
  return json === undefined ? String(redactSecrets(text, codes)) : JSON.stringify(redactSecrets(json, codes));
}

/** A path that contains a code or a secret loses its percent-encoding. */
export function maskedPath(path: string): string {
  const plain = path.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const visible = maskedText(plain, []);
  return visible === plain ? path : visible;
}
