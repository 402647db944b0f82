// A number or a serial as a pair of 32-bit words: exact for up to 18 digits, and for the 19 or 20 digits of an ICCID,
// because all of those begin with 89, which is left out.

export interface DigitKey {
  high: number;
  low: number;
}

const zero = 0x30;
/** Digits of the low word. */
const lowDigits = 9;

/**
 * Writes the key of `prefix` and the digits from `start` to `end`, of which there are at least nine where there is a
 * prefix, into `key`: it is asked for with every row, so it makes no object.
 */
export function readDigitKey(key: DigitKey, prefix: string, bytes: Uint8Array, start: number, end: number): void {
  let at = start;
  // A billion keeps the two lengths of an ICCID apart: the 1 is followed by nine digits.
  let high = end - start === 20 ? 1 : Number(prefix);
  if (end - start > 18) at += 2;
  for (; at < end - lowDigits; at += 1) high = high * 10 + (bytes[at] as number) - zero;
  let low = 0;
  for (; at < end; at += 1) low = low * 10 + (bytes[at] as number) - zero;
  key.high = high;
  key.low = low;
}
