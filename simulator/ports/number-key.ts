// The identity of a mobile number, however a client writes it.

const shape = /^\d{8,15}$/;

/**
 * E.164 digits of `07700 900123`, `+447700900123` or `447700900123`; null for anything else.
 * @param callingCode the account's country, for numbers in national form
 */
export function numberKey(msisdn: string, callingCode: string): string | null {
  const digits = msisdn.replace(/^\+|[\s()-]/g, '');
  const international = digits.startsWith('00') ? digits.slice(2) : digits.replace(/^0/, callingCode);
  return shape.test(international) ? international : null;
}

const mobileShapes: Readonly<Record<string, RegExp>> = {
  // Not 070 (personal numbers) and not 076 (pagers), except the mobile numbers of the Isle of Man.
  '44': /^44(7[1-57-9]\d{8}|7624\d{6})$/,
  // 06 and 07, and the fourteen digits of machines.
  '33': /^33([67]\d{8}|700\d{10})$/,
};

/** False for a landline or another number that cannot be ported, in the countries whose numbering plan is known. */
export const isMobileNumber = (number: string): boolean => mobileShapes[number.slice(0, 2)]?.test(number) ?? true;
