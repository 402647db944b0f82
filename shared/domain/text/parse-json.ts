/**
 * undefined for a text that is not JSON. The error of `JSON.parse` would quote the text, which may contain a PAC or a
 * secret.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
