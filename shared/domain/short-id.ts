// Short, stable, speakable ids out of any parts: SHA-256 in Crockford's base 32, which has no i, l, o or u to misread.
import { createHash } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** 16 characters, 80 bits. The parts are hashed as JSON, so `['a', 'b']` and `['ab']` differ. */
export function shortId(parts: readonly (string | number)[], length = 16): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  let bits = 0n;
  for (const byte of digest.subarray(0, Math.ceil((length * 5) / 8))) bits = (bits << 8n) | BigInt(byte);
  bits >>= BigInt(Math.ceil((length * 5) / 8) * 8 - length * 5);
  let id = '';
  for (let index = 0; index < length; index++, bits >>= 5n) id = alphabet[Number(bits & 31n)] + id;
  return id;
}

/** What `shortId` can contain, for regular expressions. */
export const shortIdPattern = '[0-9a-hjkmnp-tv-z]';
