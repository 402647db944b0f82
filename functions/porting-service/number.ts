// The identity of a mobile number, however a client writes it.

const shape = /^\d{8,15}$/;

/**
 * E.164 digits of `07700 900123`, `+447700900123` or `447700900123`; null for what is not a number.
 * @param callingCode the account's country, for numbers written nationally
 */
export function numberKey(msisdn: string, callingCode: string): string | null {
  const digits = msisdn.replace(/^\+|[\s()-]/g, '');
  const international = digits.startsWith('00') ? digits.slice(2) : digits.replace(/^0/, callingCode);
  return shape.test(international) ? international : null;
}
