// Short, stable ids from any parts: SHA-256 in Crockford's base 32, which has no easily confused i, l, o or u.
import { hash } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** 16 characters, 80 bits. The parts are hashed as JSON, so `['a', 'b']` and `['ab']` differ. */
export function shortId(parts: readonly (string | number)[], length = 16): string {
  const digest = hash('sha256', JSON.stringify(parts), 'buffer');
  let id = '';
  for (let place = 0; place < length; place++) {
    const bit = 5 * place;
    id += alphabet[(digest.readUInt16BE(bit >> 3) >> (11 - (bit & 7))) & 31];
  }
  return id;
}

/** The characters of a `shortId`, for regular expressions. */
export const shortIdPattern = '[0-9a-hjkmnp-tv-z]';
