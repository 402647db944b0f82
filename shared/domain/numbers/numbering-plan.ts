// Numbering plans of some countries: the length of their numbers, and whether the national form starts with 0.

export interface NumberingPlan {
  /** The prefix of a number inside its country, which is omitted after the calling code. */
  readonly trunkPrefix: '0' | '';
  /** Digits after the calling code, without the trunk prefix; two lengths where M2M numbers are longer. */
  readonly lengths: readonly number[];
  readonly example: string;
}

const plans: ReadonlyMap<string, NumberingPlan> = new Map([
  ['1', { trunkPrefix: '', lengths: [10], example: '2025550123' }],
  ['31', { trunkPrefix: '0', lengths: [9, 11], example: '0612345678' }],
  ['32', { trunkPrefix: '0', lengths: [9], example: '0470123456' }],
  ['33', { trunkPrefix: '0', lengths: [9, 13], example: '0612345678' }],
  ['34', { trunkPrefix: '', lengths: [9], example: '612345678' }],
  ['39', { trunkPrefix: '', lengths: [9, 10], example: '3123456789' }],
  ['44', { trunkPrefix: '0', lengths: [10], example: '07700900123' }],
  ['49', { trunkPrefix: '0', lengths: [10, 11], example: '015123456789' }],
  ['353', { trunkPrefix: '0', lengths: [9], example: '0851234567' }],
]);

/** The plan of a calling code; undefined where only the limits of E.164 are known. */
export const planOf = (callingCode: string): NumberingPlan | undefined => plans.get(callingCode);

/** The calling code of the known country whose plan matches these E.164 digits. */
export function countryOf(digits: string): string | undefined {
  for (const [callingCode, { lengths }] of plans) {
    if (digits.startsWith(callingCode) && lengths.includes(digits.length - callingCode.length)) return callingCode;
  }
  return undefined;
}
