// A number or SIM serial as a pair of 32-bit words, for the duplicate index. Exact for up to 18 digits, and for the 19
// or 20 digits of an ICCID, because all of those begin with 89, which is left out.

export interface DigitKey {
  high: number;
  low: number;
}

const zero = 0x30;
/** Digits of the low word. */
const lowDigits = 9;

/**
 * Writes the key of `prefix` and the digits from `start` to `end` into `key`, because an object for each row would be
 * slow. With a prefix there are at least nine digits.
 */
export function readDigitKey(key: DigitKey, prefix: string, bytes: Uint8Array, start: number, end: number): void {
  let at = start;
  // The 1, which nine digits follow, distinguishes an ICCID of 20 digits from one of 19.
  let high = end - start === 20 ? 1 : Number(prefix);
  if (end - start > 18) at += 2;
  for (; at < end - lowDigits; at += 1) high = high * 10 + (bytes[at] as number) - zero;
  let low = 0;
  for (; at < end; at += 1) low = low * 10 + (bytes[at] as number) - zero;
  key.high = high;
  key.low = low;
}
