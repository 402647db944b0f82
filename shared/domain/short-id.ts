// Short, stable, speakable ids out of any parts: SHA-256 in Crockford's base 32, which has no i, l, o or u to misread.
import { hash } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** 16 characters, 80 bits. The parts are hashed as JSON, so `['a', 'b']` and `['ab']` differ. */
export function shortId(parts: readonly (string | number)[], length = 16): string {
  let id = '';
  let bits = 0;
  let bitCount = 0;
  for (const byte of hash('sha256', JSON.stringify(parts), 'buffer')) {
    bits = (bits << 8) | byte;
    for (bitCount += 8; bitCount >= 5; bitCount -= 5) id += alphabet[(bits >> (bitCount - 5)) & 31];
    if (id.length >= length) break;
  }
  return id.slice(0, length);
}

/** What `shortId` can contain, for regular expressions. */
export const shortIdPattern = '[0-9a-hjkmnp-tv-z]';
